import type { Verdict } from '../report/finding.ts'
import { isRefused, writeText } from '../world/recording.ts'
import type { StepRun } from '../world/step-run.ts'
import { firstOf } from './expectation.ts'

/** Reads per minute at a fixed point: more than this is polling without a pause. */
const readsPerMinuteMax = 600
/** Retried writes of one kind in a step. */
const conflictsMax = 20

/** O8 and O9: what a step costs the API server. */
export function judgeCost({ calm, writes }: StepRun): Verdict[] {
  const conflicts = writes.filter(({ status }) => status === 409)
  const refused = writes.filter(isRefused)
  const verdicts: Verdict[] = []
  if (conflicts.length > conflictsMax) {
    verdicts.push({
      oracle: 'O8',
      problem: `the program needs ${conflicts.length} attempts that end with a conflict`,
      details: firstOf(conflicts.map(writeText)),
    })
  } else if (refused.length > conflictsMax * 20) {
    verdicts.push({
      oracle: 'O8',
      problem: `the API server refuses ${refused.length} writes of one step`,
      details: firstOf(refused.map(writeText)),
    })
  }
  if (calm.readsPerMinute > readsPerMinuteMax) {
    verdicts.push({
      oracle: 'O9',
      problem: 'the program reads without a pause, although nothing changes',
      details: [`${Math.round(calm.readsPerMinute)} reads per minute`],
    })
  }
  return verdicts
}
