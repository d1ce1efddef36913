import type { Frozen } from 'setpoint'
import type { Pod } from 'setpoint/kinds'

/** A pod as controllers read it. */
export type PodObject = Frozen<Pod>

/** Whether a pod has come to its end and will not run again. */
export function isFinished({ status }: PodObject): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

/** Whether a pod counts for its owner: it is neither at its end nor on its way there. */
export function isActive(pod: PodObject): boolean {
  return !isFinished(pod) && pod.metadata.deletionTimestamp === undefined
}

/** Whether a pod is on its way out, and still there. */
export function isTerminating(pod: PodObject): boolean {
  return !isFinished(pod) && pod.metadata.deletionTimestamp !== undefined
}

/** Whether a pod takes requests. */
export function isReady(pod: PodObject): boolean {
  return readyCondition(pod)?.status === 'True'
}

/** When a pod became ready, or unready, for the last time. */
export function readyChangedMs(pod: PodObject): number | undefined {
  const time = readyCondition(pod)?.lastTransitionTime
  return typeof time === 'string' ? Date.parse(time) : undefined
}

/** Since when a pod has been ready, as epoch milliseconds; `undefined` when it is not. */
export function readySinceMs(pod: PodObject): number | undefined {
  const condition = readyCondition(pod)
  if (condition?.status !== 'True') return undefined
  return Date.parse(condition.lastTransitionTime ?? '')
}

/** Whether a pod has been ready for as long as its owner wants before it counts as available. */
export function isAvailable(pod: PodObject, minReadySeconds: number, nowMs: number): boolean {
  if (!isReady(pod)) return false
  return minReadySeconds === 0 || availableAtMs(pod, minReadySeconds) <= nowMs
}

/** How long it takes until the next of these pods becomes available without anything happening to it. */
export function nextAvailableMs(
  pods: readonly PodObject[],
  minReadySeconds: number,
  nowMs: number,
): number | undefined {
  const waits = pods
    .map((pod) => availableAtMs(pod, minReadySeconds) - nowMs)
    .filter((waitMs) => waitMs > 0 && waitMs < Infinity)
  return waits.length === 0 ? undefined : Math.min(...waits)
}

function availableAtMs(pod: PodObject, minReadySeconds: number): number {
  return (readySinceMs(pod) ?? Infinity) + minReadySeconds * 1000
}

function readyCondition({
  status,
}: PodObject): NonNullable<NonNullable<PodObject['status']>['conditions']>[number] | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready')
}
