import { conditionOf } from 'setpoint/kinds'
import { hasFailed, type JobObject } from './job-rules.ts'
import type { PodObject } from '../pods/pod-state.ts'
import type { JobTally } from './job-tally.ts'
import { judgeFailure } from './pods/pod-failure-policy.ts'
import { metSuccessRule } from './success-policy.ts'

/** How a Job ends. The Job finishes after its remaining pods are gone. */
export interface Verdict {
  readonly type: 'Complete' | 'Failed'
  readonly reason: string
  readonly message: string
}

/** The interim condition of each verdict. */
export const interimConditions = {
  Complete: 'SuccessCriteriaMet',
  Failed: 'FailureTarget',
} as const

/** The verdict of a Job that has reached its completions, or of a finished work queue. */
export const completionsReached: Verdict = {
  type: 'Complete',
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
}

interface Evidence {
  readonly job: JobObject
  readonly pods: readonly PodObject[]
  readonly tally: JobTally
  /** When the Job started, in epoch milliseconds. */
  readonly startMs: number | undefined
  readonly nowMs: number
}

/**
 * Decides whether the Job has to end: first by an earlier interim condition, then by failures, then
 * by the success policy. The number of completions is checked after the pods were managed.
 */
export function verdictOf(evidence: Evidence): Verdict | undefined {
  const { job, tally } = evidence
  return (
    interimVerdict(job, 'Complete') ??
    interimVerdict(job, 'Failed') ??
    failedByPolicy(evidence) ??
    failedByLimit(evidence) ??
    failedByIndexes(job, tally) ??
    succeededByPolicy(job, tally)
  )
}

function interimVerdict(job: JobObject, type: Verdict['type']): Verdict | undefined {
  const condition = conditionOf(job, interimConditions[type])
  if (condition?.status !== 'True') return undefined
  return { type, reason: condition.reason ?? '', message: condition.message ?? '' }
}

function failedByPolicy({ job, pods }: Evidence): Verdict | undefined {
  const { podFailurePolicy } = job.spec
  if (podFailurePolicy === undefined) return undefined
  for (const pod of pods) {
    const { message } = hasFailed(pod, job) ? judgeFailure(podFailurePolicy, pod) : {}
    if (message !== undefined) return failure('PodFailurePolicy', message)
  }
  return undefined
}

function failedByLimit({ job, pods, tally, startMs, nowMs }: Evidence): Verdict | undefined {
  const { backoffLimit = 6, activeDeadlineSeconds, suspend } = job.spec
  if (tally.failed > backoffLimit || restartsReach(backoffLimit, job, pods)) {
    return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit')
  }
  const isLate =
    activeDeadlineSeconds !== undefined &&
    startMs !== undefined &&
    suspend !== true &&
    nowMs - startMs >= activeDeadlineSeconds * 1000
  return isLate
    ? failure('DeadlineExceeded', 'Job was active longer than specified deadline')
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

function failedByIndexes({ spec }: JobObject, tally: JobTally): Verdict | undefined {
  const { failedIndexes, completed } = tally
  const { maxFailedIndexes, completions = 0 } = spec
  if (failedIndexes === undefined) return undefined
  if (maxFailedIndexes !== undefined && failedIndexes.size > maxFailedIndexes) {
    const message = 'Job has exceeded the specified maximal number of failed indexes'
    return failure('MaxFailedIndexesExceeded', message)
  }
  const areSettled = failedIndexes.size + completed.size >= completions
  return failedIndexes.size > 0 && areSettled
    ? failure('FailedIndexes', 'Job has failed indexes')
    : undefined
}

function succeededByPolicy(job: JobObject, { completed }: JobTally): Verdict | undefined {
  const message = metSuccessRule(job, completed)
  return message === undefined ? undefined : { type: 'Complete', reason: 'SuccessPolicy', message }
}

function failure(reason: string, message: string): Verdict {
  return { type: 'Failed', reason, message }
}
