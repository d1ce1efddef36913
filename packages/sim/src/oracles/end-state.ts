import type { Verdict } from '../report/finding.ts'
import type { StepRun } from '../world/step-run.ts'
import { differencesOf, differenceTexts, type Expectation } from './expectation.ts'

/** O2, O17: the state after the faults is the one without them. */
export function judgeEndState(run: StepRun, expected: Expectation): Verdict[] {
  const { reference } = expected
  // What the API server refuses leaves the state before it, which differs if a step was not seen.
  if (reference.calm.lastRefusals.length > 0) return []
  const differences = differencesOf(reference.state, run.state, expected)
  const outside = differences.filter(({ object }) => object.startsWith('external '))
  const inside = differences.filter(({ object }) => !object.startsWith('external '))
  const verdicts: Verdict[] = []
  if (inside.length > 0) {
    verdicts.push({
      oracle: 'O2',
      problem: 'the end state differs from that of a run without faults',
      details: differenceTexts(inside),
    })
  }
  if (outside.length > 0) {
    verdicts.push({
      oracle: 'O17',
      problem: 'an external system has other resources than after a run without faults',
      details: differenceTexts(outside),
    })
  }
  return verdicts
}
