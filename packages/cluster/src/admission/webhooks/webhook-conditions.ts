import type { Authorizer } from '../../auth/index.ts'
import { webhookCondition } from 'setpoint/cel'
import { forbidden } from '../../status/index.ts'
import type { AdmissionAttributes } from '../admission.ts'
import { expressionBindings } from '../expression-bindings.ts'
import { conditionsMatch } from '../match-conditions.ts'
import type { Invocation } from './invocation.ts'
import type { Webhook } from './webhook.ts'

/**
 * Whether the match conditions of a webhook are true. If that is not known, the write is refused,
 * or the webhook is skipped if its failures are ignored.
 */
export function matchesConditions(
  { matchConditions = [], failurePolicy }: Webhook,
  matched: { readonly attributes: AdmissionAttributes; readonly invocation: Invocation },
  authorizer: Authorizer,
): boolean {
  if (matchConditions.length === 0) return true
  const conditions = matchConditions.map(({ expression }) => ({
    expression,
    compiled: webhookCondition(expression),
  }))
  const result = conditionsMatch(conditions, expressionBindings(matched, authorizer))
  if (typeof result === 'boolean') return result
  if (failurePolicy === 'Ignore') return false
  const { name, resource } = matched.attributes
  throw forbidden({ group: resource.group, resource: resource.plural }, name, result.problem)
}
