import type { Kind } from '../kinds/kind.ts'
import { isElsewhere } from './is-elsewhere.ts'
import type {
  AnyOperator,
  ChildDeclaration,
  OperatorDeclaration,
  WatchDeclaration,
} from './operator-declaration.ts'

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

/**
 * The rights operators need, and no others: what they declared is what they use. Rules are sorted, so that a
 * generated manifest changes only when an operator does.
 */
export function rbacFor(
  operators: readonly AnyOperator[],
  options: { readonly hasElection?: boolean; readonly installsCrds?: boolean } = {},
): PolicyRule[] {
  const verbs = new Map<string, Set<string>>()
  const allow = (group: string, resource: string, allowed: readonly string[]): void => {
    const name = `${group} ${resource}`
    const known = verbs.get(name) ?? new Set()
    for (const verb of allowed) known.add(verb)
    verbs.set(name, known)
  }
  for (const { declaration } of operators) allowOperator(declaration, allow)
  if (options.hasElection === true) {
    allow('coordination.k8s.io', 'leases', ['get', 'create', 'update'])
  }
  if (options.installsCrds === true) {
    allow('apiextensions.k8s.io', 'customresourcedefinitions', ['get', 'create', 'patch'])
  }
  return [...verbs]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, allowed]) => {
      const [group = '', resource = ''] = name.split(' ')
      return { apiGroups: [group], resources: [resource], verbs: [...allowed].sort() }
    })
}

type Allow = (group: string, resource: string, verbs: readonly string[]) => void

/** Reading through a cache. */
const watching = ['list', 'watch']

/** Making, correcting and removing; now and then one is read that the cache does not show yet. */
const owning = [...watching, 'get', 'create', 'patch', 'update', 'delete']

/** Whether something has to be cleaned up before an object goes. */
function needsFinalizer({ kind, children, cleanUps }: OperatorDeclaration): boolean {
  const isLeft = (child: ChildDeclaration): boolean =>
    child.deletion !== 'retain' && (child.deletion !== undefined || isElsewhere(child, kind))
  return cleanUps.length > 0 || children.some(isLeft)
}

/** Whether a watch shows some objects only: what leaves it is looked up, to tell whether it is gone. */
function isNarrow({ labelSelector, fieldSelector }: WatchDeclaration): boolean {
  return labelSelector !== undefined || fieldSelector !== undefined
}

/** Whether handlers note on the object how far they are, or hold it with a finalizer. */
function isRemembered({ handlers }: OperatorDeclaration): boolean {
  return handlers.some(({ on }) => on === 'create' || on === 'update' || on === 'daemon')
}

function allowOperator(declaration: OperatorDeclaration, allow: Allow): void {
  const { kind: resource, children, owns, writes, watches } = declaration
  const on = (kind: Kind, verbs: readonly string[], subresource = ''): void =>
    allow(kind.group, `${kind.plural}${subresource}`, verbs)
  on(resource, [...watching, 'get'])
  if (needsFinalizer(declaration) || isRemembered(declaration)) on(resource, ['patch'])
  // Owner references that block the owner's deletion need this where a cluster enforces it.
  if (children.length + owns.length > 0) on(resource, ['update'], '/finalizers')
  if (resource.subresources.includes('status')) on(resource, ['patch', 'update'], '/status')
  for (const { kind } of children) on(kind, owning)
  for (const kind of owns) on(kind, owning)
  for (const kind of writes) on(kind, owning)
  for (const watch of watches) on(watch.kind, isNarrow(watch) ? [...watching, 'get'] : watching)
  const { namespaces } = declaration.options
  if (namespaces !== undefined && 'labelSelector' in namespaces) allow('', 'namespaces', watching)
  allow('', 'events', ['create', 'patch'])
}
