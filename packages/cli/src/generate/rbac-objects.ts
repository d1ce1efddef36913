import {
  type AnyOperator,
  type AnyResourceDefinition,
  type Kind,
  leaseName,
  type PolicyRule,
  rbacFor,
} from 'setpoint'
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding, ServiceAccount } from 'setpoint/kinds'
import { clusterObject, type ClusterObject, ownLabels, sharedLabels } from './cluster-object.ts'
import { crdName } from './definition-objects.ts'
import type { ManifestSettings } from './manifest-settings.ts'
import { operatorPermissions } from './operator-permissions.ts'

const rbacGroup = 'rbac.authorization.k8s.io'

/** The service account of the operators. */
export function serviceAccount(settings: ManifestSettings): ClusterObject {
  const { name, namespace } = settings
  return clusterObject(ServiceAccount, {
    name,
    namespace,
    labels: ownLabels(settings),
    annotations: settings.workload.serviceAccountAnnotations,
  })
}

/** Roles and bindings with exactly the rules that the operators need. */
export function operatorRoles(
  operators: readonly AnyOperator[],
  settings: ManifestSettings,
): ClusterObject[] {
  const { everywhere, within } = operatorPermissions(operators, settings.watch)
  const name = settings.sharedName
  return [
    ...(everywhere.length === 0 ? [] : boundRole(settings, { name, rules: everywhere })),
    ...[...within].flatMap(([namespace, rules]) => boundRole(settings, { name, namespace, rules })),
    ...dynamicRoles(operators, settings),
  ]
}

/**
 * A ClusterRole with the rules of all ClusterRoles that others add for kinds that operators choose
 * at run time, and its bindings. The control plane keeps its rules, so they are not stated here.
 */
function dynamicRoles(
  operators: readonly AnyOperator[],
  settings: ManifestSettings,
): ClusterObject[] {
  const clusterRoleSelectors = operators.flatMap(({ declaration: { dynamicKinds } }) =>
    dynamicKinds === undefined ? [] : [{ matchLabels: dynamicKinds.roles }],
  )
  if (clusterRoleSelectors.length === 0) return []
  const name = `${settings.sharedName}-dynamic-kinds`
  const labels = ownLabels(settings)
  const fields = { aggregationRule: { clusterRoleSelectors } }
  const places = settings.watch ?? [undefined]
  return [
    clusterObject(ClusterRole, { name, labels, fields }),
    ...places.map((namespace) => roleBinding(settings, { name, namespace, roleKind: ClusterRole })),
  ]
}

/** The Role for leader election: only that Lease, in the namespace of the operators. */
export function electionRole(
  operators: readonly AnyOperator[],
  settings: ManifestSettings,
): ClusterObject[] {
  const { name, namespace, lease, watch } = settings
  const rules = rbacFor([], { leaseName: lease ?? leaseName(operators, watch) })
  return boundRole(settings, { name: `${name}-election`, namespace, rules })
}

/**
 * A Role, or a ClusterRole without a namespace, and its binding to the operators' service account.
 */
export function boundRole(
  settings: ManifestSettings,
  role: {
    readonly name: string
    readonly namespace?: string
    readonly rules: readonly PolicyRule[]
  },
): ClusterObject[] {
  const { rules, ...place } = role
  const roleKind = place.namespace === undefined ? ClusterRole : Role
  const labels = ownLabels(settings)
  return [
    clusterObject(roleKind, { ...place, labels, fields: { rules } }),
    roleBinding(settings, { ...place, roleKind }),
  ]
}

/** Binds a role to the operators' service account: in a namespace, or everywhere. */
function roleBinding(
  settings: ManifestSettings,
  role: { readonly name: string; readonly namespace?: string | undefined; readonly roleKind: Kind },
): ClusterObject {
  const { name, namespace: place, roleKind } = role
  const roleRef = { apiGroup: rbacGroup, kind: roleKind.kind, name }
  const subjects = [{ kind: 'ServiceAccount', name: settings.name, namespace: settings.namespace }]
  const content = { name, labels: ownLabels(settings), fields: { roleRef, subjects } }
  return place === undefined
    ? clusterObject(ClusterRoleBinding, content)
    : clusterObject(RoleBinding, { ...content, namespace: place })
}

const reading = ['get', 'list', 'watch']
const writing = ['create', 'delete', ...reading, 'patch', 'update'].sort()

/** Roles for users: to edit and to view the objects of a kind. */
export function userRoles(
  definition: AnyResourceDefinition,
  settings: ManifestSettings,
): { readonly editor: ClusterObject; readonly viewer: ClusterObject } {
  const role = (who: 'editor' | 'viewer', aggregates: readonly string[]): ClusterObject => {
    // admin, edit and view are bound in namespaces, which cluster-scoped objects do not have.
    const into = definition.scope === 'Cluster' ? [] : aggregates
    const aggregation = into.map((to) => [`${rbacGroup}/aggregate-to-${to}`, 'true'] as const)
    return clusterObject(ClusterRole, {
      name: `${crdName(definition)}-${who}`,
      labels: { ...sharedLabels(settings), ...Object.fromEntries(aggregation) },
      fields: { rules: userRules(definition, who) },
    })
  }
  return { editor: role('editor', ['admin', 'edit']), viewer: role('viewer', ['view']) }
}

function userRules(
  { group, plural, subresources }: AnyResourceDefinition,
  who: 'editor' | 'viewer',
): PolicyRule[] {
  const rule = (resource: string, verbs: readonly string[]): PolicyRule => ({
    apiGroups: [group],
    resources: [resource],
    verbs,
  })
  const scaling = who === 'editor' ? ['get', 'patch', 'update'] : ['get']
  return [
    rule(plural, who === 'editor' ? writing : reading),
    ...(subresources.includes('scale') ? [rule(`${plural}/scale`, scaling)] : []),
    ...(subresources.includes('status') ? [rule(`${plural}/status`, ['get'])] : []),
  ]
}
