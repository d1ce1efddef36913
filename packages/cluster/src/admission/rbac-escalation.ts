import type { JsonObject } from 'setpoint/schema'
import { rulesCover, type PolicyRule, type RbacAuthorizer, type RoleRef } from '../auth/index.ts'
import { forbidden } from '../status/index.ts'
import type { AdmissionAttributes } from './admission.ts'
import type { Plugin } from './plugin.ts'

/** Users can only grant rights that they have, unless they have the verb `escalate` or `bind`. */
export function rbacEscalation(authorizer: RbacAuthorizer): Plugin {
  return {
    name: 'RbacEscalation',
    validate(attributes) {
      const { operation, resource, user } = attributes
      if (operation === 'DELETE' || resource.group !== 'rbac.authorization.k8s.io') return
      if (user.groups.includes('system:masters')) return
      const requested = rulesGranted(attributes, authorizer)
      if (requested === undefined || isTrusted(attributes, authorizer)) return
      const held = authorizer.rulesFor(user, attributes.namespace)
      const missing = requested.filter((rule) => !rulesCover(held, rule))
      if (missing.length === 0) return
      throw forbidden(
        { group: resource.group, resource: resource.plural },
        attributes.name,
        `user ${JSON.stringify(user.name)} (groups=${listText(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${missing.map(ruleText).join('\n')}`,
      )
    },
  }
}

/** The rules of a role or of a binding's role; `undefined` when an update does not change them. */
function rulesGranted(
  { resource, object, old, namespace }: AdmissionAttributes,
  authorizer: RbacAuthorizer,
): readonly PolicyRule[] | undefined {
  if (resource.kind.endsWith('Binding')) {
    return authorizer.rulesOf(object['roleRef'] as unknown as RoleRef, namespace)
  }
  if (old !== undefined && JSON.stringify(rulesOf(old)) === JSON.stringify(rulesOf(object))) {
    return undefined
  }
  return rulesOf(object)
}

function rulesOf(role: JsonObject): PolicyRule[] {
  return (role['rules'] ?? []) as unknown as PolicyRule[]
}

/** Whether the user has the verb `escalate` or `bind`, which allow it. */
function isTrusted(
  { resource, object, name, namespace, user }: AdmissionAttributes,
  authorizer: RbacAuthorizer,
): boolean {
  const isBinding = resource.kind.endsWith('Binding')
  const { kind, name: role } = (object['roleRef'] ?? {}) as { kind?: string; name?: string }
  const plural = isBinding ? (kind === 'ClusterRole' ? 'clusterroles' : 'roles') : resource.plural
  return authorizer.authorize({
    user,
    verb: isBinding ? 'bind' : 'escalate',
    isResource: true,
    group: resource.group,
    version: resource.version,
    resource: plural,
    subresource: '',
    namespace,
    name: isBinding ? (role ?? '') : name,
    path: '',
  }).isAllowed
}

function listText(list: readonly string[]): string {
  return `[${list.map((item) => JSON.stringify(item)).join(' ')}]`
}

function ruleText(rule: PolicyRule): string {
  const parts: [string, readonly string[] | undefined][] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['ResourceNames', rule.resourceNames],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['Verbs', rule.verbs],
  ]
  const shown = parts.flatMap(([name, list]) =>
    list === undefined || list.length === 0
      ? []
      : [`${name}:[${list.map((item) => JSON.stringify(item)).join(' ')}]`],
  )
  return `{${shown.join(', ')}}`
}
