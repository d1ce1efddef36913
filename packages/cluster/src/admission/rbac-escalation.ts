import { type JsonObject, jsonEquals } from 'setpoint/schema'
import {
  type PolicyRule,
  type RbacAuthorizer,
  type RoleRef,
  uncoveredRules,
} from '../auth/index.ts'
import { metadataOf } from '../object/index.ts'
import { notFound } from '../status/index.ts'
import type { AdmissionAttributes } from './admission.ts'
import { type Plugin, refusal } from './plugin.ts'

const group = 'rbac.authorization.k8s.io'

/** Users can only grant rights that they have, unless they have the verb `escalate` or `bind`. */
export function rbacEscalation(authorizer: RbacAuthorizer): Plugin {
  return {
    name: 'RbacEscalation',
    // Like a real server before the object is validated: a role is refused for its rights first.
    mutate(attributes) {
      const { operation, resource, user } = attributes
      if (operation === 'DELETE' || resource.group !== group) return
      if (user.groups.includes('system:masters') || changesOnlyGcFields(attributes)) return
      if (resource.kind.endsWith('Binding')) checkBinding(attributes, authorizer)
      else checkRole(attributes, authorizer)
    },
  }
}

/** An update that only sets fields of the garbage collector, or nothing, grants nothing. */
function changesOnlyGcFields({ object, old }: AdmissionAttributes): boolean {
  if (old === undefined) return false
  const comparable = (role: JsonObject): JsonObject => {
    const metadata: JsonObject = { ...metadataOf(role) } as JsonObject
    for (const field of ['ownerReferences', 'finalizers', 'managedFields']) delete metadata[field]
    return { ...role, metadata }
  }
  return jsonEquals(comparable(object), comparable(old))
}

function checkBinding(attributes: AdmissionAttributes, authorizer: RbacAuthorizer): void {
  const { object, namespace } = attributes
  const roleRef = object['roleRef'] as unknown as RoleRef
  const { kind, name } = roleRef
  const resource = kind === 'ClusterRole' ? 'clusterroles' : 'roles'
  if (isAllowed(attributes, authorizer, { verb: 'bind', resource, name })) return
  const rules = authorizer.rulesOf(roleRef, namespace)
  // The real server names the resource of the binding here.
  if (rules === undefined) throw notFound({ group, resource: attributes.resource.plural }, name)
  checkRules(attributes, authorizer, rules)
}

const allRights: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

function checkRole(attributes: AdmissionAttributes, authorizer: RbacAuthorizer): void {
  const { resource, object, old, user, operation } = attributes
  const name = operation === 'CREATE' ? '' : attributes.name
  if (isAllowed(attributes, authorizer, { verb: 'escalate', resource: resource.plural, name })) {
    return
  }
  checkRules(attributes, authorizer, (object['rules'] ?? []) as unknown as PolicyRule[])
  const isAggregated = [object, old ?? {}].some((role) => role['aggregationRule'] !== undefined)
  if (!isAggregated) return
  // It can gather any rule, and removing it can keep rules that the author of the rule would remove.
  const missing = uncoveredRules(authorizer.rulesFor(user, attributes.namespace), allRights)
  if (missing.length === 0) return
  throw refusal(attributes, 'must have cluster-admin privileges to use the aggregationRule')
}

function checkRules(
  attributes: AdmissionAttributes,
  authorizer: RbacAuthorizer,
  rules: readonly PolicyRule[],
): void {
  const { user, namespace } = attributes
  const missing = uncoveredRules(authorizer.rulesFor(user, namespace), rules)
  if (missing.length === 0) return
  const who = `user ${JSON.stringify(user.name)} (groups=${listText(user.groups)})`
  const lines = [...new Set(compacted(missing).map(ruleText))].sort()
  throw refusal(
    attributes,
    `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}`,
  )
}

function isAllowed(
  { user, namespace, resource: { version } }: AdmissionAttributes,
  authorizer: RbacAuthorizer,
  asked: { readonly verb: string; readonly resource: string; readonly name: string },
): boolean {
  const request = { isResource: true, subresource: '', path: '' }
  return authorizer.authorize({ user, group, version, namespace, ...request, ...asked }).isAllowed
}

/** Combines the verbs of rules that are about the same objects of one resource. */
function compacted(rules: readonly PolicyRule[]): PolicyRule[] {
  const byObjects = new Map<string, PolicyRule>()
  for (const rule of rules) {
    const { verbs, ...objects } = rule
    const isSimple = rule.nonResourceURLs === undefined
    const key = isSimple ? JSON.stringify(objects) : JSON.stringify(rule)
    byObjects.set(key, { ...objects, verbs: [...(byObjects.get(key)?.verbs ?? []), ...verbs] })
  }
  return [...byObjects.values()]
}

function listText(list: readonly string[]): string {
  return `[${list.map((item) => JSON.stringify(item)).join(' ')}]`
}

function ruleText(rule: PolicyRule): string {
  const parts: [string, readonly string[] | undefined][] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ]
  const shown = parts.flatMap(([name, list]) =>
    list === undefined || list.length === 0 ? [] : [`${name}:${listText(list)}`],
  )
  return `{${shown.join(', ')}}`
}
