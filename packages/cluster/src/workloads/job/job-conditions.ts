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
  const condition = { ...update, lastProbeTime: time, lastTransitionTime: time }
  if (present === undefined) return status === 'False' ? conditions : [...conditions, condition]
  const isSame =
    present.status === status && present.reason === reason && present.message === message
  return isSame ? conditions : conditions.map((each) => (each === present ? condition : each))
}
