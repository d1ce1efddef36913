import { validIndexOf } from './completion-index.ts'
import { hasFailed, isIndexed, isTracked, type JobObject } from './job-rules.ts'
import type { PodObject } from '../pods/pod-state.ts'
import type { JobTally } from './job-tally.ts'
import type { Verdict } from './job-verdict.ts'
import { judgeFailure } from './pods/pod-failure-policy.ts'

/** The pods whose end was noted but not counted, by uid. */
export interface Uncounted {
  readonly succeeded: readonly string[]
  readonly failed: readonly string[]
}

/** What is to be counted in one run. */
interface Counting {
  /** Pods that are let go. */
  readonly release: readonly PodObject[]
  /** What the status says before they are let go. */
  readonly uncounted: Uncounted
  /** Whether there is more than one run may deal with. */
  readonly isCutShort: boolean
}

/** So many uids at most in a status. */
const uncountedMax = 500

/** What there is to count with. */
interface Ends {
  readonly job: JobObject
  readonly pods: readonly PodObject[]
  readonly tally: JobTally
  readonly verdict: Verdict | undefined
}

/**
 * Finds the pods that ended. They are counted in three steps, each of which can be the last one of a process without a
 * pod being counted twice or never: their uids are noted in the status, then their finalizers are removed, then
 * they move from the note into the numbers.
 */
export function countingOf(ends: Ends): Counting {
  const { job, pods, verdict } = ends
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
      // The index is noted in the status itself, where it cannot count twice.
      if (isIndexed(job)) indexes++
      else if (!succeeded.includes(uid)) succeeded.push(uid)
    } else if (hasFailed(pod, job) || verdict?.type === 'Failed') {
      if (!failed.includes(uid) && isCountedFailure(pod, job)) failed.push(uid)
    }
    if (indexes + succeeded.length + failed.length >= uncountedMax) {
      return { release, uncounted: { succeeded, failed }, isCutShort: true }
    }
  }
  return { release, uncounted: { succeeded, failed }, isCutShort: false }
}

/** Whether the Job has no more use for the pod. */
function isReleased(pod: PodObject, { job, tally, verdict }: Ends): boolean {
  const isEnding = verdict !== undefined || job.metadata.deletionTimestamp !== undefined
  if (isEnding || pod.status?.phase === 'Succeeded') return true
  if (!hasFailed(pod, job)) return false
  const index = validIndexOf(pod, job)
  const waiting = index === undefined ? undefined : tally.awaitingReplacement.get(index)
  return waiting?.metadata.uid !== pod.metadata.uid
}

function isCountedFailure(pod: PodObject, job: JobObject): boolean {
  if (isIndexed(job) && validIndexOf(pod, job) === undefined) return false
  return judgeFailure(job.spec.podFailurePolicy, pod).isCounted
}
