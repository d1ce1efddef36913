import type { Frozen } from 'setpoint'
import type { Namespace } from 'setpoint/kinds'
import { formatTime, transitionTime } from '../../object/index.ts'

type NamespaceCondition = NonNullable<
  NonNullable<Frozen<Namespace>['status']>['conditions']
>[number]

/** The remaining objects of a terminating namespace. */
export interface RemainingContent {
  /** How many objects are left, by `plural.group`. */
  readonly resources: ReadonlyMap<string, number>
  /** How many objects have a finalizer, by finalizer. */
  readonly finalizers: ReadonlyMap<string, number>
  readonly failures: readonly string[]
  /** The versions whose resources are unknown. */
  readonly unknown: readonly string[]
}

/** The reason and message of each condition without problems. */
const successTexts = {
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

/** The conditions of a terminating namespace. lastTransitionTime changes only with the status. */
export function namespaceConditions(
  known: readonly NamespaceCondition[],
  remaining: RemainingContent,
  nowMs: number,
): NamespaceCondition[] {
  const problems = problemsOf(remaining)
  return Object.entries(successTexts).map(([type, [successReason, successMessage]]) => {
    const problem = problems.get(type)
    const [reason, message] = problem ?? [successReason, successMessage]
    const status = problem === undefined ? 'False' : 'True'
    const before = known.find((condition) => condition.type === type)
    const lastTransitionTime = transitionTime(before, status, formatTime(nowMs))
    return { type, status, lastTransitionTime, reason, message }
  })
}

function problemsOf({
  resources,
  finalizers,
  failures,
  unknown,
}: RemainingContent): Map<string, [string, string]> {
  const problems = new Map<string, [string, string]>()
  if (unknown.length > 0) {
    const details = unknown.map((version) => `${version}: stale GroupVersion discovery: ${version}`)
    const message = `Discovery failed for some groups, ${unknown.length} failing: unable to retrieve the complete list of server APIs: ${details.sort().join(', ')}`
    problems.set('NamespaceDeletionDiscoveryFailure', ['DiscoveryFailed', message])
  }
  if (failures.length > 0) {
    const details = [...failures].sort().join(', ')
    const message = `Failed to delete all resource types, ${failures.length} remaining: ${details}`
    problems.set('NamespaceDeletionContentFailure', ['ContentDeletionFailed', message])
  }
  if (resources.size > 0) {
    const details = [...resources].map(([name, count]) => `${name} has ${count} resource instances`)
    const message = `Some resources are remaining: ${details.sort().join(', ')}`
    problems.set('NamespaceContentRemaining', ['SomeResourcesRemain', message])
  }
  if (finalizers.size > 0) {
    const details = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`)
    const message = `Some content in the namespace has finalizers remaining: ${details.sort().join(', ')}`
    problems.set('NamespaceFinalizersRemaining', ['SomeFinalizersRemain', message])
  }
  return problems
}
