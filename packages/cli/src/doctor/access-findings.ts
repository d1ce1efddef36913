import type { AnyOperator, PolicyRule } from 'setpoint'
import { type Client, isApiError } from 'setpoint/client'
import { SelfSubjectAccessReview, SubjectAccessReview } from 'setpoint/kinds'
import { operatorRights } from '../manifests/index.ts'
import { fine, type Finding, note, wrong } from './finding.ts'

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
  /** Of one object; all objects unless given. */
  readonly name: string | undefined
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
  { apiGroups, resources, verbs, resourceNames }: PolicyRule,
  namespace: string | undefined,
): Right[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((full) => {
      const [resource = '', subresource = ''] = full.split('/')
      const names = resourceNames ?? [undefined]
      return names.flatMap((name) =>
        verbs.map((verb) => ({ group, resource, subresource, verb, name, namespace })),
      )
    }),
  )
}

async function allowed(client: Client, right: Right, user: string | undefined): Promise<boolean> {
  const { name, namespace, ...attributes } = right
  const resourceAttributes = {
    ...attributes,
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
  }
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
  const missing = new Map<string, { readonly verbs: string[]; readonly isOptional: boolean }>()
  for (const [index, right] of rights.entries()) {
    if (answers[index] === true) continue
    const title = titleOf(right)
    const known = missing.get(title) ?? { verbs: [], isOptional: isOptional(right) }
    known.verbs.push(right.verb)
    missing.set(title, known)
  }
  if (missing.size === 0)
    return [
      fine('access', `${who} may do everything that the operators do (${rights.length} rights)`),
    ]
  return [...missing].map(([what, { verbs, isOptional: isNote }]) => {
    const message = `${who} may not ${verbs.join(', ')} ${what}`
    const fix = 'setpoint generate writes the role to config/rbac; apply it, and bind it'
    return isNote
      ? note('access', `${message}: operators then do not notice that it is not theirs`, fix)
      : wrong('access', message, fix)
  })
}

function titleOf({ group, resource, subresource, name, namespace }: Right): string {
  const full = `${resource}${subresource === '' ? '' : `/${subresource}`}`
  const grouped = `${full}${group === '' ? '' : `.${group}`}`
  return `${grouped}${name === undefined ? '' : ` ${name}`}${namespace === undefined ? '' : ` in ${namespace}`}`
}

/** Operators work without it, and only know less. */
function isOptional({ group, name }: Right): boolean {
  return group === 'apiextensions.k8s.io' && name !== undefined
}
