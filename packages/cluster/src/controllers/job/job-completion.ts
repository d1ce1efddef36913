import { conditionOf } from 'setpoint/kinds'
import { hasFailed, type JobObject } from './job-rules.ts'
import { failedByLimit } from './backoff-limit.ts'
import { jobFailure, interimConditions, type JobState, type JobOutcome } from './job-outcome.ts'
import type { JobTally } from './job-tally.ts'
import { applyFailurePolicy } from './pods/pod-failure-policy.ts'
import { metSuccessRule } from './success-policy.ts'

/**
 * Decides whether the Job has to end: first by an earlier interim condition, then by failures, then
 * by the success policy. The number of completions is checked after the pods were managed.
 */
export function outcomeOf(state: JobState): JobOutcome | undefined {
  const { job, tally } = state
  return (
    interimOutcome(job, 'Complete') ??
    interimOutcome(job, 'Failed') ??
    failedByPolicy(state) ??
    failedByLimit(state) ??
    failedByIndexes(job, tally) ??
    succeededByPolicy(job, tally)
  )
}

function interimOutcome(job: JobObject, type: JobOutcome['type']): JobOutcome | undefined {
  const condition = conditionOf(job, interimConditions[type])
  if (condition?.status !== 'True') return undefined
  return { type, reason: condition.reason ?? '', message: condition.message ?? '' }
}

function failedByPolicy({ job, pods }: JobState): JobOutcome | undefined {
  const { podFailurePolicy } = job.spec
  if (podFailurePolicy === undefined) return undefined
  for (const pod of pods) {
    const { message } = hasFailed(pod, job) ? applyFailurePolicy(podFailurePolicy, pod) : {}
    if (message !== undefined) return jobFailure('PodFailurePolicy', message)
  }
  return undefined
}

function failedByIndexes({ spec }: JobObject, tally: JobTally): JobOutcome | undefined {
  const { failedIndexes, completed } = tally
  const { maxFailedIndexes, completions = 0 } = spec
  if (failedIndexes === undefined) return undefined
  if (maxFailedIndexes !== undefined && failedIndexes.size > maxFailedIndexes) {
    const message = 'Job has exceeded the specified maximal number of failed indexes'
    return jobFailure('MaxFailedIndexesExceeded', message)
  }
  const areSettled = failedIndexes.size + completed.size >= completions
  return failedIndexes.size > 0 && areSettled
    ? jobFailure('FailedIndexes', 'Job has failed indexes')
    : undefined
}

function succeededByPolicy(job: JobObject, { completed }: JobTally): JobOutcome | undefined {
  const message = metSuccessRule(job, completed)
  return message === undefined ? undefined : { type: 'Complete', reason: 'SuccessPolicy', message }
}
