import type { Verdict } from '../report/finding.ts'
import type { Difference } from '../state/state-difference.ts'
import type { StepRun } from '../world/step-run.ts'
import { stepsOf } from '../plans/plan.ts'
import { differencesOf, differenceTexts, type Expectation, isLargerVolume } from './expectation.ts'
import { objectsOf, readiness, saysReady } from './subject-status.ts'

/** O2, O17: the state after the faults is the one without them. */
export function judgeEndState(run: StepRun, expected: Expectation): Verdict[] {
  const { reference } = expected
  // What the API server refuses leaves the state before it, which differs if a step was not seen.
  if (reference.calm.lastRefusals.length > 0 || isRefusalUnseen(run, expected)) return []
  const differences = differencesOf(reference.state, run.state, expected).filter(
    // It grew only for a step that the program did not see.
    (one) => stepsOf(expected.plan) === 1 || !isLargerVolume(reversed(one)),
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
 * Whether the program refuses the last step without faults, and did not have to with them, because
 * it did not see the step before: a volume that did not grow has not to shrink again.
 */
function isRefusalUnseen(run: StepRun, { reference, plan, subject }: Expectation): boolean {
  if (stepsOf(plan) === 1) return false
  const isReady = readiness(run, subject)
  return [...objectsOf(reference.end.cluster, subject)].some(
    ([key, object]) => saysReady(object) === false && isReady.get(key) === true,
  )
}

function reversed(one: Difference): Difference {
  return { ...one, expected: one.actual, actual: one.expected }
}
