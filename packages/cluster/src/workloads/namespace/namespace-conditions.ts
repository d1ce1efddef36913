import type { Frozen } from 'setpoint'
import type { Namespace } from 'setpoint/kinds'
import { formatTime } from '../../object/index.ts'

type NamespaceCondition = NonNullable<
  NonNullable<Frozen<Namespace>['status']>['conditions']
>[number]

/** What was found when the content of a namespace was to be removed. */
export interface Remains {
  /** How many objects are left, by `plural.group`. */
  readonly resources: ReadonlyMap<string, number>
  /** How many objects are held, by finalizer. */
  readonly finalizers: ReadonlyMap<string, number>
  readonly failures: readonly string[]
}

/** What each condition says when all is well. */
const wellTexts = {
  NamespaceDeletionDiscoveryFailure: [
    'ResourcesDiscovered',
    'All resources successfully discovered',
  ],
  NamespaceDeletionGroupVersionParsingFailure: [
    'ParsedGroupVersions',
    'All legacy kube types successfully parsed',
  ],
  NamespaceDeletionContentFailure: [
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  NamespaceContentRemaining: ['ContentRemoved', 'All content successfully removed'],
  NamespaceFinalizersRemaining: [
    'ContentHasNoFinalizers',
    'All content-preserving finalizers finished',
  ],
} as const

/** The conditions of a namespace on its way out. Times change only with what is stated. */
export function namespaceConditions(
  known: readonly NamespaceCondition[],
  remains: Remains,
  nowMs: number,
): NamespaceCondition[] {
  const troubles = troublesOf(remains)
  return Object.entries(wellTexts).map(([type, [wellReason, wellMessage]]) => {
    const trouble = troubles.get(type)
    const [reason, message] = trouble ?? [wellReason, wellMessage]
    const status = trouble === undefined ? 'False' : 'True'
    const before = known.find((condition) => condition.type === type)
    const now = formatTime(nowMs)
    const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? now) : now
    return { type, status, lastTransitionTime, reason, message }
  })
}

function troublesOf({ resources, finalizers, failures }: Remains): Map<string, [string, string]> {
  const troubles = new Map<string, [string, string]>()
  if (failures.length > 0) {
    const told = [...failures].sort().join(', ')
    const message = `Failed to delete all resource types, ${failures.length} remaining: ${told}`
    troubles.set('NamespaceDeletionContentFailure', ['ContentDeletionFailed', message])
  }
  if (resources.size > 0) {
    const told = [...resources].map(([name, count]) => `${name} has ${count} resource instances`)
    const message = `Some resources are remaining: ${told.sort().join(', ')}`
    troubles.set('NamespaceContentRemaining', ['SomeResourcesRemain', message])
  }
  if (finalizers.size > 0) {
    const told = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`)
    const message = `Some content in the namespace has finalizers remaining: ${told.sort().join(', ')}`
    troubles.set('NamespaceFinalizersRemaining', ['SomeFinalizersRemain', message])
  }
  return troubles
}
