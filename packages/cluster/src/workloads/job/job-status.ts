import type { Uncounted } from './counting.ts'
import { withCondition, type JobCondition } from './job-conditions.ts'
import { isIndexed, type JobObject } from './job-rules.ts'
import type { JobTally } from './job-tally.ts'
import { announcements, type Verdict } from './job-verdict.ts'

/** The status of a Job as the cache has it. */
export type JobStatus = NonNullable<JobObject['status']>

/** How many pods there are after the writes of a run. */
export interface PodNumbers {
  readonly active: number
  readonly ready: number
  readonly terminating: number
}

/** What a run has found out and done. */
interface Progress extends PodNumbers {
  readonly tally: JobTally
  readonly uncounted: Uncounted
  readonly conditions: readonly JobCondition[]
  readonly startTime: string | undefined
}

/** The status of a Job that is not over. */
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

/** The status after the pods that nobody holds any more have moved from the note into the numbers. */
export function settled(status: JobStatus, isHeld: (uid: string) => boolean): JobStatus {
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

/** The conditions with the announcement of how the Job ends. */
export function announcedIn(
  conditions: readonly JobCondition[],
  { type, reason, message }: Verdict,
  time: string,
): readonly JobCondition[] {
  return withCondition(
    conditions,
    { type: announcements[type], status: 'True', reason, message },
    time,
  )
}

/** Whether an announced end has come: everything is counted, and no pod is left to end. */
export function isOver({ uncountedTerminatedPods, terminating = 0 }: JobStatus): boolean {
  const { succeeded = [], failed = [] } = uncountedTerminatedPods ?? {}
  return terminating === 0 && succeeded.length + failed.length === 0
}

/** The last status of a Job. */
export function finished(status: JobStatus, verdict: Verdict, time: string): JobStatus {
  const { type, reason, message } = verdict
  const stated = { type, status: 'True', reason, message }
  return {
    ...status,
    conditions: withCondition(status.conditions ?? [], stated, time),
    ...(type === 'Complete' && { completionTime: time }),
  }
}

function uncountedFields({ succeeded, failed }: Uncounted): Partial<Uncounted> {
  return {
    ...(succeeded.length > 0 && { succeeded }),
    ...(failed.length > 0 && { failed }),
  }
}
