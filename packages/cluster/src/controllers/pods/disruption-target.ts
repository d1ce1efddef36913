import { formatTime, transitionTime } from '../../object/index.ts'
import type { PodObject } from './pod-state.ts'

type PodCondition = NonNullable<NonNullable<PodObject['status']>['conditions']>[number]

/** A strategic merge patch that appends a pod condition, or replaces it in place. */
export function conditionPatch({ status }: PodObject, condition: PodCondition): object {
  const types = (status?.conditions ?? []).map(({ type }) => type)
  const order = types.includes(condition.type) ? types : [...types, condition.type]
  return {
    '$setElementOrder/conditions': order.map((type) => ({ type })),
    conditions: [condition],
  }
}

/**
 * The DisruptionTarget condition for a pod that is about to be deleted; `undefined` if the pod has
 * it already.
 */
export function disruptionTarget(
  { metadata, status }: PodObject,
  { reason, message }: { readonly reason: string; readonly message: string },
  nowMs: number,
): PodCondition | undefined {
  const { generation: observedGeneration } = metadata
  const existing = status?.conditions?.find(({ type }) => type === 'DisruptionTarget')
  if (existing?.status === 'True' && existing.reason === reason && existing.message === message)
    return undefined
  return {
    type: 'DisruptionTarget',
    status: 'True',
    reason,
    message,
    ...(observedGeneration !== undefined && { observedGeneration }),
    lastTransitionTime: transitionTime(existing, 'True', formatTime(nowMs)),
  }
}
