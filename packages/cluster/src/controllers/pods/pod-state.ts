import type { Frozen } from 'setpoint'
import type { Pod } from 'setpoint/kinds'
import { isTerminating } from '../../object/index.ts'

/** A pod as controllers read it. */
export type PodObject = Frozen<Pod>

/** Whether a pod has succeeded or failed. */
export function isFinished({ status }: PodObject): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

/** Whether a pod counts for its owner: neither finished nor terminating. */
export function isActive(pod: PodObject): boolean {
  return !isFinished(pod) && !isTerminating(pod)
}

/** Whether a pod is terminating and not finished yet. */
export function isPodTerminating(pod: PodObject): boolean {
  return !isFinished(pod) && isTerminating(pod)
}

/** Whether the pod's Ready condition is true. */
export function isReady(pod: PodObject): boolean {
  return readyCondition(pod)?.status === 'True'
}

/** The last transition time of the Ready condition. */
export function readyChangedMs(pod: PodObject): number | undefined {
  const time = readyCondition(pod)?.lastTransitionTime
  return typeof time === 'string' ? Date.parse(time) : undefined
}

/** Since when a pod has been ready, in epoch milliseconds; `undefined` if it is not ready. */
export function readySinceMs(pod: PodObject): number | undefined {
  const condition = readyCondition(pod)
  if (condition?.status !== 'True') return undefined
  return Date.parse(condition.lastTransitionTime ?? '')
}

/** Whether a pod has been ready for `minReadySeconds`. */
export function isAvailable(pod: PodObject, minReadySeconds: number, nowMs: number): boolean {
  if (!isReady(pod)) return false
  return minReadySeconds === 0 || availableAtMs(pod, minReadySeconds) <= nowMs
}

/** The time until the next of these pods becomes available, if no pod changes. */
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
