import type { Kind } from '../kinds/kind.ts'
import { hasReconcile } from './declare/has-reconcile.ts'
import { deletesKind } from './declare/deletes-kind.ts'
import { patchesOwner } from './owner/patches-owner.ts'
import type {
  AnyOperator,
  ChildDeclaration,
  OperatorDeclaration,
  WatchDeclaration,
} from './declare/operator-declaration.ts'

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  /** Restricts the rule to objects of these names. */
  readonly resourceNames?: readonly string[]
}

/** The parts of a process that need more permissions than its operators. */
interface RbacOptions {
  /** It takes part in leader election. */
  readonly hasElection?: boolean
  /** The name of its Lease, if it is known. It restricts the permissions to that Lease. */
  readonly leaseName?: string
  /**
   * It compares the installed CRDs with its definitions at the start; without the permission it
   * skips that. CRDs are cluster-scoped, so only a ClusterRole can allow it.
   */
  readonly comparesCrds?: boolean
  /** It applies the CRDs of its operators (`install: true`). */
  readonly installsCrds?: boolean
}

/**
 * The permissions that operators need, derived from their declarations. The rules are sorted, so
 * that a generated manifest changes only when an operator does.
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
  for (const { declaration } of operators) {
    if (hasReconcile(declaration)) allowOperator(declaration, allow)
    for (const { group, plural: resource } of declaration.api?.reads ?? []) {
      allow({ group, resource }, [...watching, 'get'])
    }
  }
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

/** All objects of a resource, or those of certain names. */
interface Target {
  readonly group: string
  readonly resource: string
  readonly names?: readonly string[]
}

type Allow = (target: Target, verbs: readonly string[]) => void

function allowDefinitions(names: readonly string[], options: RbacOptions, allow: Allow): void {
  const { comparesCrds = false, installsCrds = false } = options
  const all = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }
  // RBAC cannot restrict `create` by name.
  if (installsCrds) allow(all, ['create'])
  if (installsCrds) allow({ ...all, names }, ['patch'])
  if (installsCrds || comparesCrds) allow({ ...all, names }, ['get'])
}

/** The verbs of a cache. */
const watching = ['list', 'watch']

/** The verbs of owned kinds. `get` reads objects that the cache does not have yet. */
const owning = [...watching, 'get', 'create', 'patch', 'update', 'delete']

/**
 * The verbs of the kind of a child. The author's functions may update and delete children by their
 * context. Otherwise an object that is only created is never updated, and `deletesKind` decides.
 */
function verbsOf(
  declaration: OperatorDeclaration,
  { kind, createOnly }: ChildDeclaration,
): string[] {
  const { reconcile, handlers, cleanUps } = declaration
  if (reconcile !== undefined || handlers.length + cleanUps.length > 0) return owning
  return owning.filter(
    (verb) =>
      !(verb === 'update' && createOnly === true) &&
      !(verb === 'delete' && !deletesKind(declaration, kind)),
  )
}

/** Whether a watch has a selector: `get` distinguishes a deselected from a deleted object. */
function isNarrow({ labelSelector, fieldSelector }: WatchDeclaration): boolean {
  return labelSelector !== undefined || fieldSelector !== undefined
}

/**
 * Whether the status of the served kind is written. The status of the program's own definitions
 * reports failures; that of other kinds is written by `.status`, and by functions that may call
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
  for (const child of children) on(child.kind, verbsOf(declaration, child))
  for (const kind of owns) on(kind, owning)
  for (const kind of writes) on(kind, owning)
  for (const { kind, subresource } of parts) on(kind, ['patch'], `/${subresource}`)
  for (const watch of watches) on(watch.kind, isNarrow(watch) ? [...watching, 'get'] : watching)
  const { namespaces } = declaration.options
  if (namespaces !== undefined && 'labelSelector' in namespaces) {
    allow({ group: '', resource: 'namespaces' }, watching)
  } else if (Array.isArray(namespaces)) {
    // To report names that do not exist. A Role of a namespace can allow to read that namespace.
    const names = namespaces as readonly string[]
    allow({ group: '', resource: 'namespaces', names }, ['get'])
  }
  allow({ group: '', resource: 'events' }, ['create', 'patch'])
}
