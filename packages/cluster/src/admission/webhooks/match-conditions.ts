import {
  type Authorizer as CelAuthorizer,
  authorizerValue,
  plainValue,
  type Program,
  resourceCheckValue,
} from 'setpoint/cel'
import type { Authorizer, UserInfo } from '../../auth/index.ts'
import { compiledExpression } from '../../expressions/index.ts'
import { forbidden } from '../../status/index.ts'
import type { AdmissionAttributes } from '../admission.ts'
import { describedRequest } from './admission-review.ts'
import type { Invocation } from './invocation.ts'
import type { Webhook } from './webhook.ts'

/** The largest cost of all conditions of a webhook. */
const conditionsBudget = 2_500_000

/**
 * Whether the match conditions of a webhook are all true. A false one decides; otherwise an error
 * refuses the write, or skips the webhook if its failures are ignored.
 */
export function matchesConditions(
  { matchConditions = [], failurePolicy }: Webhook,
  matched: { readonly attributes: AdmissionAttributes; readonly invocation: Invocation },
  authorizer: Authorizer,
): boolean {
  if (matchConditions.length === 0) return true
  const { attributes } = matched
  const bindings = bindingsOf(matched, authorizer)
  const problems: string[] = []
  let budget = conditionsBudget
  for (const { expression } of matchConditions) {
    const { program, problem } = compiledExpression(expression)
    if (program === undefined) {
      problems.push(`compilation error: ${problem}`)
      continue
    }
    const { value, error, cost } = program.evaluate(bindings)
    budget -= cost
    if (budget < 0) {
      problems.splice(0, problems.length, outOfBudget)
      break
    }
    if (error !== undefined) {
      problems.push(`expression '${expression}' resulted in error: ${error}`)
    } else if (value === false) return false
  }
  if (problems.length === 0) return true
  if (failurePolicy === 'Ignore') return false
  const { group, plural } = attributes.resource
  const why = problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`
  throw forbidden({ group, resource: plural }, attributes.name, why)
}

const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run'

function bindingsOf(
  { attributes, invocation }: { attributes: AdmissionAttributes; invocation: Invocation },
  authorizer: Authorizer,
): Parameters<Program['evaluate']>[0] {
  const { object, old, namespace } = invocation.write
  const { name, subresource, resource } = attributes
  const check = checkOf(attributes, authorizer)
  const checked = { group: resource.group, resource: resource.plural, subresource, namespace, name }
  return {
    object: plainValue(object ?? null),
    oldObject: plainValue(old ?? null),
    request: plainValue(describedRequest(attributes, invocation)),
    authorizer: authorizerValue(check),
    'authorizer.requestResource': resourceCheckValue(check, {
      ...checked,
      fieldSelector: '',
      labelSelector: '',
    }),
  }
}

/** Asks the authorizer of the server, for the user of the request or a service account. */
function checkOf({ user }: AdmissionAttributes, authorizer: Authorizer): CelAuthorizer {
  return ({ verb, serviceAccount, path = '', resource }) => {
    const subject = serviceAccount === undefined ? user : serviceAccountUser(serviceAccount)
    return authorizer.authorize({
      user: subject,
      verb,
      isResource: resource !== undefined,
      group: resource?.group ?? '',
      version: '*',
      resource: resource?.resource ?? '',
      subresource: resource?.subresource ?? '',
      namespace: resource?.namespace ?? '',
      name: resource?.name ?? '',
      path,
    })
  }
}

function serviceAccountUser({ namespace, name }: { namespace: string; name: string }): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: [
      'system:serviceaccounts',
      `system:serviceaccounts:${namespace}`,
      'system:authenticated',
    ],
  }
}
