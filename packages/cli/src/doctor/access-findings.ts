import type { AnyOperator, PolicyRule } from 'setpoint'
import { type Client, isApiError } from 'setpoint/client'
import { SelfSubjectAccessReview, SubjectAccessReview } from 'setpoint/kinds'
import { operatorRights } from '../manifests/index.ts'
import { fine, type Finding, wrong } from './finding.ts'

/** Whose rights, and where. */
interface AccessQuestion {
  /** Somebody else than who asks. */
  readonly user: string | undefined
  /** The namespaces that operators are restricted to. */
  readonly namespaces: readonly string[] | undefined
}

interface Right {
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly verb: string
  readonly namespace: string | undefined
}

/** Whether everything is allowed that the declared kinds need: exactly the rights of the generated role. */
export async function accessFindings(
  client: Client,
  operators: readonly AnyOperator[],
  question: AccessQuestion,
): Promise<Finding[]> {
  const { everywhere, within } = operatorRights(operators, question.namespaces)
  const rights = [
    ...everywhere.flatMap((rule) => rightsOf(rule, undefined)),
    ...[...within].flatMap(([namespace, rules]) =>
      rules.flatMap((rule) => rightsOf(rule, namespace)),
    ),
  ]
  try {
    const answers = await Promise.all(
      rights.map(async (right) => allowed(client, right, question.user)),
    )
    return told(rights, answers, question.user ?? 'you')
  } catch (error) {
    if (!isApiError(error, 'API_FORBIDDEN') || question.user === undefined) throw error
    const message = `you may not ask for the rights of ${question.user}`
    return [
      wrong(
        'access',
        message,
        'ask somebody who may create subjectaccessreviews, or leave out --as',
      ),
    ]
  }
}

function rightsOf(
  { apiGroups, resources, verbs }: PolicyRule,
  namespace: string | undefined,
): Right[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((full) => {
      const [resource = '', subresource = ''] = full.split('/')
      return verbs.map((verb) => ({ group, resource, subresource, verb, namespace }))
    }),
  )
}

async function allowed(client: Client, right: Right, user: string | undefined): Promise<boolean> {
  const { namespace, ...attributes } = right
  const resourceAttributes = { ...attributes, ...(namespace === undefined ? {} : { namespace }) }
  const review =
    user === undefined
      ? await client.create(SelfSubjectAccessReview, { spec: { resourceAttributes } })
      : await client.create(SubjectAccessReview, {
          spec: { resourceAttributes, user, groups: groupsOf(user) },
        })
  return review.status?.allowed === true
}

/** The groups that a server gives to accounts of pods. */
function groupsOf(user: string): string[] {
  const namespace = /^system:serviceaccount:([^:]+):/.exec(user)?.[1]
  const own =
    namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
  return [...own, 'system:authenticated']
}

function told(rights: readonly Right[], answers: readonly boolean[], who: string): Finding[] {
  const missing = new Map<string, string[]>()
  for (const [index, { group, resource, subresource, verb, namespace }] of rights.entries()) {
    if (answers[index] === true) continue
    const name = `${resource}${subresource === '' ? '' : `/${subresource}`}${group === '' ? '' : `.${group}`}`
    const place = namespace === undefined ? '' : ` in ${namespace}`
    missing.set(`${name}${place}`, [...(missing.get(`${name}${place}`) ?? []), verb])
  }
  if (missing.size === 0)
    return [
      fine('access', `${who} may do everything that the operators do (${rights.length} rights)`),
    ]
  return [...missing].map(([what, verbs]) =>
    wrong(
      'access',
      `${who} may not ${verbs.join(', ')} ${what}`,
      'setpoint generate writes the role to config/rbac; apply it, and bind it',
    ),
  )
}
