import type { JsonObject } from 'setpoint/schema'
import { transitionTime, upsertCondition } from '../../object/index.ts'

/** A condition of a pod without its times. */
interface PodCondition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly reason?: string
  readonly message?: string
}

interface StoredCondition extends PodCondition {
  readonly lastProbeTime: null
  readonly lastTransitionTime: string | null
}

/** Sets a condition of a pod, in place; lastTransitionTime changes only with the status. */
export function setPodCondition(pod: JsonObject, condition: PodCondition, now: string): void {
  const podStatus = (pod['status'] ??= {}) as { conditions?: StoredCondition[] }
  const conditions = podStatus.conditions ?? []
  const { type, status, reason, message } = condition
  const old = conditions.find((existing) => existing.type === type)
  podStatus.conditions = upsertCondition(conditions, {
    type,
    status,
    lastProbeTime: null,
    lastTransitionTime: transitionTime(old, status, now),
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  })
}
