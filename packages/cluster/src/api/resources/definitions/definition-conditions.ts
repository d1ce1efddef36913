import type { JsonObject } from 'setpoint/schema'
import { transitionTime, upsertCondition } from '../../../object/index.ts'

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

/** Sets a condition; lastTransitionTime changes only with the status. */
export function setCondition(
  definition: JsonObject,
  now: string,
  condition: Omit<Condition, 'lastTransitionTime'>,
): void {
  const reported = (definition['status'] ??= {}) as { conditions?: Condition[] }
  const conditions = conditionsOf(definition)
  const { type, status, reason, message } = condition
  const old = conditions.find((existing) => existing.type === type)
  const lastTransitionTime = transitionTime(old, status, now)
  const next: Condition = { type, status, lastTransitionTime, reason, message }
  reported.conditions = upsertCondition(conditions, next)
}
