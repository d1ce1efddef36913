import { isTerminating } from '../is-terminating.ts'
import { conditionOf } from './condition-of.ts'
import { type ExactKind, withHelpers } from '../define-kind.ts'
import { Job as PlainJob, type Job as JobObject } from '../generated/batch-v1.ts'
import type { Observed } from './observed.ts'
import { beingDeleted, isSet, notCreated, plural, sentence, type Readiness } from './readiness.ts'

/** Runs pods until enough of them have succeeded. */
export type Job = JobObject

const helpers = {
  /** Whether the Job has succeeded and all its pods have ended. */
  isComplete(job: Observed<JobObject> | undefined): boolean {
    return isTrue(job, 'Complete')
  },
  /** Whether the Job has failed; `progress` has the reason. */
  isFailed(job: Observed<JobObject> | undefined): boolean {
    return isTrue(job, 'Failed')
  },
  /** The state of the Job: `1 of 3 completions, 2 pods active`. */
  progress,
}

/** The type of the value `Job`. */
export interface JobKind extends ExactKind<JobObject>, Readonly<typeof helpers> {}

/**
 * The kind of Jobs, with `isComplete`, `isFailed` and `progress`. A Job ends in one of these two
 * states and stays in it, even when it is deleted afterwards.
 */
export const Job: JobKind = /* @__PURE__ */ withHelpers(PlainJob, helpers)

/**
 * Whether the Job is complete, and its progress. Separate from the kind, for code that handles
 * objects of many kinds without bundling them.
 */
export function jobCompletion(job: Observed<JobObject> | undefined): Readiness {
  return { isDone: isTrue(job, 'Complete'), words: progress(job) }
}

function progress(job: Observed<JobObject> | undefined): string {
  if (job === undefined) return notCreated
  if (isTrue(job, 'Complete')) return `complete: ${counts(job)}`
  if (isTrue(job, 'Failed')) return sentence('failed', ...whyOf(job, 'Failed'))
  if (isTerminating(job)) return beingDeleted
  // Both announce the end while the last pods are still terminating.
  if (isTrue(job, 'FailureTarget')) return sentence('failing', ...whyOf(job, 'FailureTarget'))
  if (isTrue(job, 'SuccessCriteriaMet')) return 'succeeded, waiting for the remaining pods to end'
  if (isTrue(job, 'Suspended') || job.spec?.suspend === true) return `suspended: ${counts(job)}`
  return isSet(job.status?.startTime) ? counts(job) : 'waiting to be started'
}

function counts(job: Observed<JobObject>): string {
  const { succeeded = 0, active = 0, failed = 0 } = job.status ?? {}
  // Without `completions` the pods themselves decide when the work is done.
  const completions = job.spec?.completions
  const finished = isSet(completions)
    ? `${succeeded} of ${plural(completions, 'completion')}`
    : `${plural(succeeded, 'pod')} succeeded`
  return [
    finished,
    ...(active > 0 ? [`${plural(active, 'pod')} active`] : []),
    ...(failed > 0 ? [`${plural(failed, 'pod')} failed`] : []),
  ].join(', ')
}

function isTrue(job: Observed<JobObject> | undefined, type: string): boolean {
  return conditionOf(job, type)?.status === 'True'
}

function whyOf(job: Observed<JobObject>, type: string): (string | undefined)[] {
  const condition = conditionOf(job, type)
  return [condition?.reason, condition?.message]
}
