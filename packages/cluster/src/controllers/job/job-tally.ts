import { completionIndexOf, failuresBefore, indexesOf, validIndexOf } from './completion-index.ts'
import { finishTimeOf } from './finish-time.ts'
import { IndexSet } from './index-set.ts'
import { hasFailed, hasLimitPerIndex, isIndexed, isTracked, type JobObject } from './job-rules.ts'
import { isActive, isReady, isPodTerminating, type PodObject } from '../pods/pod-state.ts'
import { applyFailurePolicy } from './pods/pod-failure-policy.ts'

/** The state of a Job by its status and its pods. */
export interface JobTally {
  readonly active: readonly PodObject[]
  readonly ready: number
  readonly terminating: number
  /** Finished pods that the status does not mention yet. */
  readonly newlySucceeded: readonly PodObject[]
  readonly newlyFailed: readonly PodObject[]
  /** The number of succeeded pods, or of succeeded indexes of an indexed Job. */
  readonly succeeded: number
  readonly failed: number
  /** The completed indexes of an indexed Job. */
  readonly completed: IndexSet
  /** The failed indexes of a Job with a backoff limit per index. */
  readonly failedIndexes: IndexSet | undefined
  /** The failed pods that are kept until a replacement carries their failure count, by index. */
  readonly awaitingReplacement: ReadonlyMap<number, PodObject>
}

export function tallyOf(job: JobObject, pods: readonly PodObject[]): JobTally {
  const { status = {}, spec } = job
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
  const active = pods.filter(isActive)
  const tracked = pods.filter(
    (pod) => isTracked(pod) && (!isIndexed(job) || validIndexOf(pod, job) !== undefined),
  )
  const newlySucceeded = tracked.filter(
    (pod) => pod.status?.phase === 'Succeeded' && !succeeded.includes(pod.metadata.uid),
  )
  const newlyFailed = tracked.filter(
    (pod) => hasFailed(pod, job) && !failed.includes(pod.metadata.uid),
  )
  const counted = newlyFailed.filter(
    (pod) => applyFailurePolicy(spec.podFailurePolicy, pod).isCounted,
  )
  const completed = completedIndexes(job, pods)
  const failedIndexes = hasLimitPerIndex(job) ? failedIndexesOf(job, tracked) : undefined
  const tally = {
    active,
    ready: active.filter(isReady).length,
    terminating: pods.filter(isPodTerminating).length,
    newlySucceeded,
    newlyFailed,
    succeeded: isIndexed(job)
      ? completed.size
      : (status.succeeded ?? 0) + newlySucceeded.length + succeeded.length,
    failed: (status.failed ?? 0) + counted.length + failed.length,
    completed,
    failedIndexes,
  }
  return { ...tally, awaitingReplacement: awaitingReplacement(job, tracked, tally) }
}

/** The indexes in the status, and those of pods that have succeeded since. */
function completedIndexes(job: JobObject, pods: readonly PodObject[]): IndexSet {
  if (!isIndexed(job)) return IndexSet.empty
  const { completions = 0 } = job.spec
  const done = pods.filter((pod) => isTracked(pod) && pod.status?.phase === 'Succeeded')
  return IndexSet.parse(job.status?.completedIndexes ?? '', completions).union(
    IndexSet.of(done.flatMap((pod) => validIndexOf(pod, job) ?? [])),
  )
}

function failedIndexesOf(job: JobObject, tracked: readonly PodObject[]): IndexSet {
  const { podFailurePolicy, backoffLimitPerIndex = 0, completions = 0 } = job.spec
  const failed = tracked.filter((pod) => {
    if (!hasFailed(pod, job)) return false
    const { action, isCounted } = applyFailurePolicy(podFailurePolicy, pod)
    if (action === 'FailIndex') return true
    return isCounted && failuresBefore(pod).counted >= backoffLimitPerIndex
  })
  return IndexSet.parse(job.status?.failedIndexes ?? '', completions).union(
    IndexSet.of(indexesOf(failed)),
  )
}

function awaitingReplacement(
  job: JobObject,
  tracked: readonly PodObject[],
  { active, completed, failedIndexes }: Pick<JobTally, 'active' | 'completed' | 'failedIndexes'>,
): Map<number, PodObject> {
  const waiting = new Map<number, PodObject>()
  if (failedIndexes === undefined) return waiting
  const handled = completed.union(failedIndexes).union(IndexSet.of(indexesOf(active)))
  for (const pod of tracked) {
    const index = completionIndexOf(pod)
    if (index === undefined || handled.has(index) || !hasFailed(pod, job)) continue
    const other = waiting.get(index)
    if (other === undefined || isLaterFailure(pod, other)) waiting.set(index, pod)
  }
  return waiting
}

function isLaterFailure(pod: PodObject, other: PodObject): boolean {
  const [one, two] = [failuresBefore(pod), failuresBefore(other)]
  const hasAsMany = one.counted + one.ignored >= two.counted + two.ignored
  return hasAsMany && finishTimeOf(pod) >= finishTimeOf(other)
}
