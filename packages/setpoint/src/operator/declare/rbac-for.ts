import type { Kind } from '../../kinds/kind.ts'
import { needsFinalizer } from '../reconcile/finalizer.ts'
import type { AnyOperator, OperatorDeclaration, WatchDeclaration } from './operator-declaration.ts'

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  /** The rule is about objects of these names only. */
  readonly resourceNames?: readonly string[]
}

/** What a process does in addition to running its operators. */
interface RbacOptions {
  /** It uses leader election. */
  readonly hasElection?: boolean
  /** The name of the Lease, if it is known: the rule then allows only this Lease. */
  readonly leaseName?: string
  /**
   * It compares the installed CRDs of its operators with their definitions when it starts. Without
   * the right it skips that. CRDs are cluster-scoped: only a ClusterRole can allow it.
   */
  readonly comparesCrds?: boolean
  /** It applies the CRDs of its operators (`install: true`). */
  readonly installsCrds?: boolean
}

/**
 * Returns the RBAC rules that operators need, derived from their declarations. Rules are sorted, so
 * that a generated manifest changes only when an operator changes.
 */
export function rbacFor(
  operators: readonly AnyOperator[],
  options: RbacOptions = {},
): PolicyRule[] {
  const rules = new Map<string, PolicyRule>()
  const allow: Allow = ({ group, resource, names = [] }, verbs) => {
    const key = [group, resource, ...names].join(' ')
    const all = new Set([...(rules.get(key)?.verbs ?? []), ...verbs])
    rules.set(key, {
      apiGroups: [group],
      resources: [resource],
      ...(names.length === 0 ? {} : { resourceNames: names }),
      verbs: [...all].sort(),
    })
  }
  for (const { declaration } of operators) allowOperator(declaration, allow)
  const { hasElection, leaseName } = options
  if (hasElection ?? leaseName !== undefined) {
    const leases = { group: 'coordination.k8s.io', resource: 'leases' }
    allow(leases, ['create'])
    allow({ ...leases, names: leaseName === undefined ? [] : [leaseName] }, ['get', 'update'])
  }
  const definitions = operators.flatMap(({ declaration: { definition } }) => definition ?? [])
  const names = new Set(definitions.map(({ plural, group }) => `${plural}.${group}`))
  if (names.size > 0) allowDefinitions([...names].sort(), options, allow)
  return [...rules].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, rule]) => rule)
}

/** The target of a rule: all objects of a resource, or those with these names. */
interface Target {
  readonly group: string
  readonly resource: string
  readonly names?: readonly string[]
}

type Allow = (target: Target, verbs: readonly string[]) => void

function allowDefinitions(names: readonly string[], options: RbacOptions, allow: Allow): void {
  const { comparesCrds = false, installsCrds = false } = options
  const all = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }
  // A rule with resourceNames cannot allow `create`.
  if (installsCrds) allow(all, ['create'])
  if (installsCrds) allow({ ...all, names }, ['patch'])
  if (installsCrds || comparesCrds) allow({ ...all, names }, ['get'])
}

/** For reading through a cache. */
const watching = ['list', 'watch']

/** For creating, updating and deleting. `get` is for objects that the cache does not have yet. */
const owning = [...watching, 'get', 'create', 'patch', 'update', 'delete']

/**
 * Returns whether a watch has a selector. An object that leaves it is read, to find out whether it
 * is deleted or deselected.
 */
function isNarrow({ labelSelector, fieldSelector }: WatchDeclaration): boolean {
  return labelSelector !== undefined || fieldSelector !== undefined
}

/** Returns whether handlers write annotations or a finalizer on the object. */
function isRemembered({ handlers }: OperatorDeclaration): boolean {
  return handlers.some(
    (handler) =>
      handler.on === 'create' ||
      handler.on === 'update' ||
      handler.on === 'daemon' ||
      (handler.on === 'timer' && handler.schedule.isRare),
  )
}

/**
 * Returns whether objects of the reconciled kind are patched. Those of a definition always are: an
 * operator that no longer needs a finalizer must still be able to remove an old one, or deletions
 * would hang. Built-in kinds are patched only if a declaration needs it: the right to patch Nodes,
 * for example, should not be given without a reason.
 */
function patchesOwner(declaration: OperatorDeclaration): boolean {
  return (
    declaration.definition !== undefined || needsFinalizer(declaration) || isRemembered(declaration)
  )
}

/**
 * Returns whether the status of the reconciled kind is written. The status of a definition reports
 * failures. That of a built-in kind is written by `.status`, and by functions that may call
 * `ctx.updateStatus`.
 */
function writesStatus({ kind, definition, status, ...declaration }: OperatorDeclaration): boolean {
  const { reconcile, handlers, cleanUps } = declaration
  const isStated = status !== undefined || reconcile !== undefined
  const hasReason = definition !== undefined || isStated || handlers.length + cleanUps.length > 0
  return hasReason && kind.subresources.includes('status')
}

function allowOperator(declaration: OperatorDeclaration, allow: Allow): void {
  const { kind: resource, children, owns, writes, parts, watches } = declaration
  const on = (kind: Kind, verbs: readonly string[], subresource = ''): void =>
    allow({ group: kind.group, resource: `${kind.plural}${subresource}` }, verbs)
  on(resource, [...watching, 'get'])
  if (patchesOwner(declaration)) on(resource, ['patch'])
  // Needed for `blockOwnerDeletion` with the admission plugin OwnerReferencesPermissionEnforcement.
  if (children.length + owns.length > 0) on(resource, ['update'], '/finalizers')
  if (writesStatus(declaration)) on(resource, ['patch', 'update'], '/status')
  for (const { kind } of children) on(kind, owning)
  for (const kind of owns) on(kind, owning)
  for (const kind of writes) on(kind, owning)
  for (const { kind, subresource } of parts) on(kind, ['patch'], `/${subresource}`)
  for (const watch of watches) on(watch.kind, isNarrow(watch) ? [...watching, 'get'] : watching)
  const { namespaces } = declaration.options
  if (namespaces !== undefined && 'labelSelector' in namespaces) {
    allow({ group: '', resource: 'namespaces' }, watching)
  }
  allow({ group: '', resource: 'events' }, ['create', 'patch'])
}
