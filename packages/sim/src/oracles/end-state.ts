import type { Verdict } from '../report/finding.ts'
import type { Difference } from '../state/state-difference.ts'
import type { StepRun } from '../world/step-run.ts'
import { differencesOf, differenceTexts, type Expectation, isLargerVolume } from './expectation.ts'
import { readiness } from '../state/subject-status.ts'

/** O2, O17: the state after the faults is the one without them. */
export function judgeEndState(run: StepRun, expected: Expectation): Verdict[] {
  const { reference } = expected
  // What the API server refuses leaves the state before it, which differs if a step was not seen.
  if (reference.calm.lastRefusals.length > 0 || isRefusalUnseen(expected)) return []
  const differences = differencesOf(reference.state, run.state, expected).filter(
    (one) => !expected.skipsSteps || !isOfSkippedStep(one, expected),
  )
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

/**
 * Whether the program refuses the last step without faults, because it did the one before. With
 * them it did not see that: a volume that did not grow has not to shrink again.
 */
function isRefusalUnseen({ reference, skipsSteps, subject }: Expectation): boolean {
  return skipsSteps && [...readiness(reference, subject).values()].includes(false)
}

/** What only exists because of a step that the program did not see: larger volumes, kept objects. */
function isOfSkippedStep(one: Difference, { retained }: Expectation): boolean {
  const isKept = retained.some((bucket) => one.object.startsWith(`${bucket} `))
  // A Job is work that was done, and work for a step that was not seen is not.
  const isWork = one.object.startsWith('batch/jobs ')
  return isKept || isWork || isLargerVolume({ ...one, expected: one.actual, actual: one.expected })
}
