import type { Job, Observed } from 'setpoint/kinds'
import { IndexSet } from './index-set.ts'

/** The message of the first rule of a success policy that the completed indexes meet. */
export function metSuccessRule(job: Observed<Job>, completed: IndexSet): string | undefined {
  const { successPolicy, completions = 0 } = job.spec ?? {}
  if (completed.size === 0) return undefined
  const met = (successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) {
      return succeededCount !== undefined && completed.size >= succeededCount
    }
    const required = IndexSet.parse(succeededIndexes, completions)
    const reached = completed.overlap(required)
    if (required.size === 0) return false
    return reached === required.size || (succeededCount !== undefined && reached >= succeededCount)
  })
  return met === -1 ? undefined : `Matched rules at index ${met}`
}
