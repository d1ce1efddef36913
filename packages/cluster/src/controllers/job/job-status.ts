import type { Uncounted } from './counting.ts'
import { withCondition, type JobCondition } from './job-conditions.ts'
import { isIndexed, type JobObject } from './job-rules.ts'
import type { JobTally } from './job-tally.ts'
import { interimConditions, type JobOutcome } from './job-outcome.ts'

export type JobStatus = NonNullable<JobObject['status']>

/** The numbers of pods after the writes of a reconcile. */
export interface PodNumbers {
  readonly active: number
  readonly ready: number
  readonly terminating: number
}

/** The results of a reconcile. */
interface Progress extends PodNumbers {
  readonly tally: JobTally
  readonly uncounted: Uncounted
  readonly conditions: readonly JobCondition[]
  readonly startTime: string | undefined
}

/** The status of an unfinished Job. */
export function statusOf(job: JobObject, progress: Progress): JobStatus {
  const { tally, uncounted, conditions, startTime, active, ready, terminating } = progress
  const { succeeded: before = 0, failed = 0 } = job.status ?? {}
  const succeeded = isIndexed(job) ? tally.completed.size : before
  const { failedIndexes } = tally
  const completedIndexes = String(tally.completed)
  return {
    ...(conditions.length > 0 && { conditions }),
    ...(startTime !== undefined && { startTime }),
    ...(active > 0 && { active }),
    ...(succeeded > 0 && { succeeded }),
    ...(failed > 0 && { failed }),
    ...(completedIndexes !== '' && { completedIndexes }),
    ...(failedIndexes && { failedIndexes: String(failedIndexes) }),
    terminating,
    uncountedTerminatedPods: uncountedFields(uncounted),
    ready,
  }
}

/** Moves pods without the finalizer from the uncounted list into the counts. */
export function countReleased(status: JobStatus, isHeld: (uid: string) => boolean): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
  const left = { succeeded: succeeded.filter(isHeld), failed: failed.filter(isHeld) }
  const succeededNow = (status.succeeded ?? 0) + succeeded.length - left.succeeded.length
  const failedNow = (status.failed ?? 0) + failed.length - left.failed.length
  return {
    ...status,
    ...(succeededNow > 0 && { succeeded: succeededNow }),
    ...(failedNow > 0 && { failed: failedNow }),
    uncountedTerminatedPods: uncountedFields(left),
  }
}

/** Adds the interim condition of an outcome. */
export function withInterimCondition(
  conditions: readonly JobCondition[],
  { type, reason, message }: JobOutcome,
  time: string,
): readonly JobCondition[] {
  return withCondition(
    conditions,
    { type: interimConditions[type], status: 'True', reason, message },
    time,
  )
}

/** Whether a Job with an outcome can finish: every pod is counted, and none is terminating. */
export function canFinish({ uncountedTerminatedPods, terminating = 0 }: JobStatus): boolean {
  const { succeeded = [], failed = [] } = uncountedTerminatedPods ?? {}
  return terminating === 0 && succeeded.length + failed.length === 0
}

/** The last status of a Job. */
export function finished(status: JobStatus, outcome: JobOutcome, time: string): JobStatus {
  const { type, reason, message } = outcome
  const update = { type, status: 'True', reason, message }
  return {
    ...status,
    conditions: withCondition(status.conditions ?? [], update, time),
    ...(type === 'Complete' && { completionTime: time }),
  }
}

function uncountedFields({ succeeded, failed }: Uncounted): Partial<Uncounted> {
  return {
    ...(succeeded.length > 0 && { succeeded }),
    ...(failed.length > 0 && { failed }),
  }
}
