import type { Verdict } from '../report/finding.ts'
import { differenceTexts, type Expectation } from './expectation.ts'
import { stateDifferences } from '../state/state-difference.ts'
import type { StepRun } from '../world/step-run.ts'
import { objectsOf, readiness, saysProblem } from './subject-status.ts'

/** O13: the state after a change follows from the spec, and not from the way to it. */
export function judgePath(
  run: StepRun,
  reference: StepRun,
  { unstable, subject, how }: Pick<Expectation, 'unstable' | 'subject'> & { readonly how: string },
): Verdict[] {
  const verdicts: Verdict[] = []
  // A program that cannot do a change, and says so, leaves the state as it is.
  const isHonest = [...objectsOf(run.end.cluster, subject).values()].some(saysProblem)
  const differences = stateDifferences(reference.state, run.state, unstable).filter(
    ({ object, field = '' }) => !object.startsWith(`${subject} `) && !field.startsWith('status'),
  )
  const wasReady = readiness(reference, subject)
  const lost = [...readiness(run, subject)].filter(
    ([name, isReady]) => !isReady && wasReady.get(name) === true,
  )
  if (differences.length > 0 && !isHonest) {
    verdicts.push({ oracle: 'O13', problem: how, details: differenceTexts(differences) })
  }
  if (lost.length > 0 && differences.length > 0) {
    verdicts.push({
      oracle: 'O13',
      problem: `${how}, and the object is no longer ready`,
      details: differenceTexts(differences),
    })
  }
  return verdicts
}
