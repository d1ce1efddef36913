import type { Kind } from '../kinds/kind.ts'
import { needsFinalizer } from './owner/finalizer.ts'
import type {
  AnyOperator,
  OperatorDeclaration,
  WatchDeclaration,
} from './declare/operator-declaration.ts'

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  /** The rule is about objects of these names only. */
  readonly resourceNames?: readonly string[]
}

/** What a process does besides running its operators. */
interface RbacOptions {
  /** It takes part in an election. */
  readonly hasElection?: boolean
  /** The name of the election, if it is known: then no other Lease may be read or changed. */
  readonly leaseName?: string
  /**
   * It compares the installed CRDs of its operators with their definitions when it starts, which it does without where it
   * may not. Definitions have no namespace: only a ClusterRole can allow it.
   */
  readonly comparesCrds?: boolean
  /** It applies the CRDs of its operators (`install: true`). */
  readonly installsCrds?: boolean
}

/**
 * The rights operators need, and no others: what they declared is what they use. Rules are sorted, so that a
 * generated manifest changes only when an operator does.
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

/** What rights are about: all objects of a resource, or those of certain names. */
interface Target {
  readonly group: string
  readonly resource: string
  readonly names?: readonly string[]
}

type Allow = (target: Target, verbs: readonly string[]) => void

function allowDefinitions(names: readonly string[], options: RbacOptions, allow: Allow): void {
  const { comparesCrds = false, installsCrds = false } = options
  const all = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }
  // What does not exist yet has no name that a rule could go by.
  if (installsCrds) allow(all, ['create'])
  if (installsCrds) allow({ ...all, names }, ['patch'])
  if (installsCrds || comparesCrds) allow({ ...all, names }, ['get'])
}

/** Reading through a cache. */
const watching = ['list', 'watch']

/** Making, correcting and removing; now and then one is read that the cache does not show yet. */
const owning = [...watching, 'get', 'create', 'patch', 'update', 'delete']

/** Whether a watch shows some objects only: what leaves it is looked up, to tell whether it is gone. */
function isNarrow({ labelSelector, fieldSelector }: WatchDeclaration): boolean {
  return labelSelector !== undefined || fieldSelector !== undefined
}

/** Whether handlers note on the object how far they are, or hold it with a finalizer. */
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
 * Whether objects of the served kind are patched. Those of a resource of one's own always may be: an operator that needed
 * a finalizer once must be able to take it off when it needs none any more, or deletions would hang. Kinds of others are
 * left alone unless there is a reason: to patch Nodes is a power that nobody should have for a case like this.
 */
function patchesOwner(declaration: OperatorDeclaration): boolean {
  return (
    declaration.definition !== undefined || needsFinalizer(declaration) || isRemembered(declaration)
  )
}

/**
 * Whether the status of the served kind is written. That of a resource of one's own tells of failures; that of others is
 * written by what states it, and by functions that may call `ctx.updateStatus`.
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
  // Owner references that block the owner's deletion need this where a cluster enforces it.
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
