import type { Frozen } from 'setpoint'
import { conditionOf, type Job } from 'setpoint/kinds'
import type { PodObject } from '../pods/pod-state.ts'

/** A Job as the cache has it. */
export type JobObject = Frozen<Job>

/** Holds a pod until its end has been counted in the status of its Job. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking'

/** Whether every pod of the Job works on an index of its own. */
export function isIndexed({ spec }: JobObject): boolean {
  return spec.completionMode === 'Indexed'
}

/** Whether every index has a limit of failures of its own. */
export function hasLimitPerIndex({ spec }: JobObject): boolean {
  return spec.backoffLimitPerIndex !== undefined
}

/** Whether a pod that is being deleted must have ended before it is counted as failed and replaced. */
export function onlyReplacesFailed({ spec }: JobObject): boolean {
  return spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined
}

/** Whether the Job is over: it never changes any more. */
export function isFinished(job: JobObject): boolean {
  return ['Complete', 'Failed'].some((type) => conditionOf(job, type)?.status === 'True')
}

/** Whether somebody else does the work of the controller. */
export function isManagedElsewhere({ spec: { managedBy } }: JobObject): boolean {
  return managedBy !== undefined && managedBy !== 'kubernetes.io/job-controller'
}

/** Whether the end of the pod is still to be counted. */
export function isTracked({ metadata }: PodObject): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) === true
}

/** Whether the pod has failed, as far as its Job is concerned. */
export function hasFailed({ metadata, status }: PodObject, job: JobObject): boolean {
  if (status?.phase === 'Failed') return true
  if (onlyReplacesFailed(job)) return false
  // A pod whose node is gone never gets to a phase; that it was deleted is all there will be.
  return metadata.deletionTimestamp !== undefined && status?.phase !== 'Succeeded'
}
