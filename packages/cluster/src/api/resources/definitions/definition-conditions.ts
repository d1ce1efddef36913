import type { JsonObject } from 'setpoint/schema'

/** One condition in the status of a definition. */
export interface Condition {
  type: string
  status: 'True' | 'False'
  lastTransitionTime: string
  reason: string
  message: string
  observedGeneration?: number
}

/** The conditions of a definition; an empty list when there are none yet. */
export function conditionsOf(definition: JsonObject): Condition[] {
  const status = definition['status'] as { conditions?: Condition[] } | undefined
  return status?.conditions ?? []
}

/** Sets a condition; its time moves only when its status does. */
export function setCondition(
  definition: JsonObject,
  now: string,
  condition: Omit<Condition, 'lastTransitionTime'>,
): void {
  const status = (definition['status'] ??= {}) as { conditions?: Condition[] }
  const conditions = conditionsOf(definition)
  const old = conditions.find(({ type }) => type === condition.type)
  const { type, reason, message } = condition
  const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : now
  const next: Condition = { type, status: condition.status, lastTransitionTime, reason, message }
  status.conditions =
    old === undefined
      ? [...conditions, next]
      : conditions.map((existing) => (existing === old ? next : existing))
}
