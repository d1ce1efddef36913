import type { PodObject } from '../pods/pod-state.ts'
import { jobFailure, type JobState, type JobOutcome } from './job-outcome.ts'
import type { JobObject } from './job-rules.ts'

/** Whether the Job has failed by its `backoffLimit` or its `activeDeadlineSeconds`. */
export function failedByLimit({
  job,
  pods,
  tally,
  startMs,
  nowMs,
}: JobState): JobOutcome | undefined {
  const { backoffLimit = 6, activeDeadlineSeconds, suspend } = job.spec
  if (tally.failed > backoffLimit || restartsReach(backoffLimit, job, pods)) {
    return jobFailure('BackoffLimitExceeded', 'Job has reached the specified backoff limit')
  }
  const isLate =
    activeDeadlineSeconds !== undefined &&
    startMs !== undefined &&
    suspend !== true &&
    nowMs - startMs >= activeDeadlineSeconds * 1000
  return isLate
    ? jobFailure('DeadlineExceeded', 'Job was active longer than specified deadline')
    : undefined
}

/**
 * With restartPolicy OnFailure there are no failed pods to count, so container restarts are
 * counted.
 */
function restartsReach(limit: number, { spec }: JobObject, pods: readonly PodObject[]): boolean {
  if (spec.template.spec?.restartPolicy !== 'OnFailure') return false
  let restarts = 0
  for (const { status } of pods) {
    if (status?.phase !== 'Running' && status?.phase !== 'Pending') continue
    const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]
    for (const { restartCount } of statuses) restarts += restartCount
  }
  return limit === 0 ? restarts > 0 : restarts >= limit
}
