import { formatTime } from '../../object/index.ts'
import type { PodObject } from './pod-state.ts'

type PodCondition = NonNullable<NonNullable<PodObject['status']>['conditions']>[number]

/** A patch of the conditions of a pod that adds one at their end, or changes it where it is. */
export function conditionPatch({ status }: PodObject, condition: PodCondition): object {
  const types = (status?.conditions ?? []).map(({ type }) => type)
  const order = types.includes(condition.type) ? types : [...types, condition.type]
  return {
    '$setElementOrder/conditions': order.map((type) => ({ type })),
    conditions: [condition],
  }
}

/** The condition by which a pod says who is about to end it; `undefined` when it says so already. */
export function disruptionTarget(
  { metadata, status }: PodObject,
  { reason, message }: { readonly reason: string; readonly message: string },
  nowMs: number,
): PodCondition | undefined {
  const { generation: observedGeneration } = metadata
  const said = status?.conditions?.find(({ type }) => type === 'DisruptionTarget')
  const isTrue = said?.status === 'True'
  if (isTrue && said.reason === reason && said.message === message) return undefined
  return {
    ...{ type: 'DisruptionTarget', status: 'True', reason, message },
    ...(observedGeneration !== undefined && { observedGeneration }),
    lastTransitionTime: (isTrue ? said.lastTransitionTime : undefined) ?? formatTime(nowMs),
  }
}
