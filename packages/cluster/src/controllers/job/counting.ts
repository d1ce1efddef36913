import { isTerminating } from '../../object/index.ts'
import { validIndexOf } from './completion-index.ts'
import { hasFailed, isIndexed, isTracked, type JobObject } from './job-rules.ts'
import type { PodObject } from '../pods/pod-state.ts'
import type { JobTally } from './job-tally.ts'
import type { JobOutcome } from './job-outcome.ts'
import { applyFailurePolicy } from './pods/pod-failure-policy.ts'

/** The uids of finished pods that are listed in the status and not counted yet. */
export interface Uncounted {
  readonly succeeded: readonly string[]
  readonly failed: readonly string[]
}

/** The pods that one reconcile counts. */
interface Counting {
  /** Pods whose finalizer is removed. */
  readonly release: readonly PodObject[]
  /** The uncounted pods in the status before the finalizers are removed. */
  readonly uncounted: Uncounted
  /** Whether more pods are left for the next reconcile. */
  readonly isCutShort: boolean
}

/** The maximum number of uids in the status. */
const uncountedMax = 500

interface Ends {
  readonly job: JobObject
  readonly pods: readonly PodObject[]
  readonly tally: JobTally
  readonly outcome: JobOutcome | undefined
}

/**
 * Finds the finished pods. They are counted in three steps, so that a pod is counted exactly once
 * even if the process ends between two of them: first the uids are listed in the status, then the
 * finalizers are removed, then the uids move from the list into the counts.
 */
export function countingOf(ends: Ends): Counting {
  const { job, pods, outcome } = ends
  const present = job.status?.uncountedTerminatedPods ?? {}
  const succeeded = [...(present.succeeded ?? [])]
  const failed = [...(present.failed ?? [])]
  const release: PodObject[] = []
  let indexes = 0
  for (const pod of pods) {
    if (!isTracked(pod) || !isReleased(pod, ends)) continue
    release.push(pod)
    const { uid } = pod.metadata
    if (pod.status?.phase === 'Succeeded' && !failed.includes(uid)) {
      // The index itself is recorded in the status, where it cannot count twice.
      if (isIndexed(job)) indexes++
      else if (!succeeded.includes(uid)) succeeded.push(uid)
    } else if (hasFailed(pod, job) || outcome?.type === 'Failed') {
      if (!failed.includes(uid) && isCountedFailure(pod, job)) failed.push(uid)
    }
    if (indexes + succeeded.length + failed.length >= uncountedMax) {
      return { release, uncounted: { succeeded, failed }, isCutShort: true }
    }
  }
  return { release, uncounted: { succeeded, failed }, isCutShort: false }
}

/** Whether the pod's finalizer can be removed. */
function isReleased(pod: PodObject, { job, tally, outcome }: Ends): boolean {
  const isEnding = outcome !== undefined || isTerminating(job)
  if (isEnding || pod.status?.phase === 'Succeeded') return true
  if (!hasFailed(pod, job)) return false
  const index = validIndexOf(pod, job)
  const waiting = index === undefined ? undefined : tally.awaitingReplacement.get(index)
  return waiting?.metadata.uid !== pod.metadata.uid
}

function isCountedFailure(pod: PodObject, job: JobObject): boolean {
  if (isIndexed(job) && validIndexOf(pod, job) === undefined) return false
  return applyFailurePolicy(job.spec.podFailurePolicy, pod).isCounted
}
