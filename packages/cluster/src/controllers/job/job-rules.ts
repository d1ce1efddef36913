import type { Frozen } from 'setpoint'
import { conditionOf, type Job } from 'setpoint/kinds'
import { isTerminating } from '../../object/index.ts'
import type { PodObject } from '../pods/pod-state.ts'

export type JobObject = Frozen<Job>

/** Keeps a pod until its Job's status has counted it. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking'

/** Whether every pod of the Job has its own completion index. */
export function isIndexed({ spec }: JobObject): boolean {
  return spec.completionMode === 'Indexed'
}

/** Whether every index has its own limit of failures. */
export function hasLimitPerIndex({ spec }: JobObject): boolean {
  return spec.backoffLimitPerIndex !== undefined
}

/** Whether a terminating pod is counted as failed and replaced only after it has finished. */
export function onlyReplacesFailed({ spec }: JobObject): boolean {
  return spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined
}

/** Whether the Job is complete or failed. It never changes after that. */
export function isFinished(job: JobObject): boolean {
  return ['Complete', 'Failed'].some((type) => conditionOf(job, type)?.status === 'True')
}

/** Whether another controller manages the Job. */
export function isManagedElsewhere({ spec: { managedBy } }: JobObject): boolean {
  return managedBy !== undefined && managedBy !== 'kubernetes.io/job-controller'
}

/** Whether the pod still has the tracking finalizer. */
export function isTracked({ metadata }: PodObject): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) === true
}

/** Whether the pod counts as failed for its Job. */
export function hasFailed(pod: PodObject, job: JobObject): boolean {
  const phase = pod.status?.phase
  if (phase === 'Failed') return true
  if (onlyReplacesFailed(job)) return false
  // A pod whose node is gone never reaches a phase: the deletion is all that can be observed.
  return isTerminating(pod) && phase !== 'Succeeded'
}
