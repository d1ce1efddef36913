import type { AnyOperator, PolicyRule } from 'setpoint'
import { type Client, isApiError } from 'setpoint/client'
import { isAllowed, type Permission } from '../access/index.ts'
import { operatorPermissions } from '../generate/index.ts'
import { fine, type Finding, note, wrong } from './finding.ts'

/** The user and the namespaces whose permissions are checked. */
interface AccessQuestion {
  /** Another user than the one of the kubeconfig. */
  readonly user: string | undefined
  /** The namespaces to which the operators are restricted. */
  readonly namespaces: readonly string[] | undefined
}

/** Checks the permissions of the generated role: exactly what the declared kinds need. */
export async function accessFindings(
  client: Client,
  operators: readonly AnyOperator[],
  question: AccessQuestion,
): Promise<Finding[]> {
  const { everywhere, within } = operatorPermissions(operators, question.namespaces)
  const permissions = [
    ...everywhere.flatMap((rule) => permissionsOf(rule, undefined)),
    ...[...within].flatMap(([namespace, rules]) =>
      rules.flatMap((rule) => permissionsOf(rule, namespace)),
    ),
  ]
  try {
    const answers = await Promise.all(
      permissions.map(async (permission) => isAllowed(client, permission, question.user)),
    )
    return findingsOf(permissions, answers, question.user ?? 'you')
  } catch (error) {
    if (!isApiError(error, 'API_FORBIDDEN') || question.user === undefined) throw error
    const message = `you cannot read the permissions of ${question.user}`
    return [
      wrong(
        'access',
        message,
        'run this as a user who may create subjectaccessreviews, or omit --as',
      ),
    ]
  }
}

function permissionsOf(
  { apiGroups, resources, verbs, resourceNames }: PolicyRule,
  namespace: string | undefined,
): Permission[] {
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

function findingsOf(
  permissions: readonly Permission[],
  answers: readonly boolean[],
  who: string,
): Finding[] {
  const missing = new Map<string, { readonly verbs: string[]; readonly isOptional: boolean }>()
  for (const [index, permission] of permissions.entries()) {
    if (answers[index] === true) continue
    const title = titleOf(permission)
    const known = missing.get(title) ?? { verbs: [], isOptional: isOptional(permission) }
    known.verbs.push(permission.verb)
    missing.set(title, known)
  }
  if (missing.size === 0)
    return [
      fine(
        'access',
        `${who} can do everything that the operators need (${permissions.length} permissions)`,
      ),
    ]
  return [...missing].map(([what, { verbs, isOptional: isNote }]) => {
    const message = `${who} cannot ${verbs.join(', ')} ${what}`
    const fix = 'apply the role and the binding that setpoint generate writes to config/rbac'
    return isNote
      ? note(
          'access',
          `${message}: the operators do not compare the installed CRD with their own`,
          fix,
        )
      : wrong('access', message, fix)
  })
}

function titleOf({ group, resource, subresource, name, namespace }: Permission): string {
  const full = `${resource}${subresource === '' ? '' : `/${subresource}`}`
  const grouped = `${full}${group === '' ? '' : `.${group}`}`
  return `${grouped}${name === undefined ? '' : ` ${name}`}${namespace === undefined ? '' : ` in ${namespace}`}`
}

/** Reading CRDs: operators work without it, but cannot compare the installed CRD. */
function isOptional({ group, name }: Permission): boolean {
  return group === 'apiextensions.k8s.io' && name !== undefined
}
