import type { JsonObject } from 'setpoint/schema'

/** What is said about a pod. */
interface PodCondition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly reason?: string
  readonly message?: string
}

/** Sets a condition of a pod, in place; its time moves only when its status does. */
export function setPodCondition(pod: JsonObject, condition: PodCondition, now: string): void {
  const status = (pod['status'] ??= {}) as { conditions?: JsonObject[] }
  const conditions = status.conditions ?? []
  const old = conditions.find(({ type }) => type === condition.type)
  const isSame = old?.['status'] === condition.status
  const next: JsonObject = {
    type: condition.type,
    status: condition.status,
    lastProbeTime: null,
    lastTransitionTime: isSame ? (old['lastTransitionTime'] ?? now) : now,
    ...(condition.reason === undefined ? {} : { reason: condition.reason }),
    ...(condition.message === undefined ? {} : { message: condition.message }),
  }
  status.conditions =
    old === undefined
      ? [...conditions, next]
      : conditions.map((item) => (item === old ? next : item))
}
