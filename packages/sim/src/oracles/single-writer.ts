import type { Verdict } from '../report/finding.ts'
import { writeText } from '../world/recording.ts'
import type { StepRun } from '../world/step-run.ts'
import { type Expectation, firstOf } from './expectation.ts'

/** O16: a replica that is no longer the leader changes nothing. */
export function judgeSingleWriter({ writes }: StepRun, { plan }: Expectation): Verdict[] {
  if (!plan.faults.some(({ type }) => type === 'pause')) return []
  const takeover = writes.find(({ process, change }) => process > 1 && change !== undefined)
  if (takeover === undefined) return []
  const late = writes.filter(
    ({ process, change }) =>
      process === 1 && change !== undefined && change.revision > (takeover.change?.revision ?? 0),
  )
  if (late.length === 0) return []
  return [
    {
      oracle: 'O16',
      problem: 'a replica writes, although another one is the leader',
      details: firstOf(late.map(writeText)),
    },
  ]
}
