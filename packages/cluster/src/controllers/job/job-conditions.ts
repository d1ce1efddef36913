import { upsertCondition } from '../../object/index.ts'
import type { JobObject } from './job-rules.ts'

export type JobCondition = NonNullable<NonNullable<JobObject['status']>['conditions']>[number]
/** A condition without its times. */
type ConditionUpdate = Pick<JobCondition, 'type' | 'status' | 'reason' | 'message'>

/**
 * Sets a condition. A condition that is already equal keeps its times. A missing condition with the
 * status False is not added.
 */
export function withCondition(
  conditions: readonly JobCondition[],
  update: ConditionUpdate,
  time: string,
): readonly JobCondition[] {
  const { type, status, reason, message } = update
  const present = conditions.find((condition) => condition.type === type)
  if (present === undefined && status === 'False') return conditions
  const isSame =
    present?.status === status && present.reason === reason && present.message === message
  if (isSame) return conditions
  const condition = { ...update, lastProbeTime: time, lastTransitionTime: time }
  return upsertCondition(conditions, condition)
}
