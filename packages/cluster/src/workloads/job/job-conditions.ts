import type { JobObject } from './job-rules.ts'

/** A condition of a Job as the cache has it. */
export type JobCondition = NonNullable<NonNullable<JobObject['status']>['conditions']>[number]
/** What a condition says; its times are filled in. */
type Statement = Pick<JobCondition, 'type' | 'status' | 'reason' | 'message'>

/**
 * The conditions with this one as stated, at this time. One that says the same already keeps its times; one that is not
 * there yet and is false is not added, because it always was.
 */
export function withCondition(
  conditions: readonly JobCondition[],
  stated: Statement,
  time: string,
): readonly JobCondition[] {
  const { type, status, reason, message } = stated
  const present = conditions.find((condition) => condition.type === type)
  const condition = { ...stated, lastProbeTime: time, lastTransitionTime: time }
  if (present === undefined) return status === 'False' ? conditions : [...conditions, condition]
  const isSame =
    present.status === status && present.reason === reason && present.message === message
  return isSame ? conditions : conditions.map((each) => (each === present ? condition : each))
}
