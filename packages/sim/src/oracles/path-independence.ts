import type { Verdict } from '../report/finding.ts'
import type { Difference } from '../state/state-difference.ts'
import { differencesOf, differenceTexts, type Expectation, isLargerVolume } from './expectation.ts'
import type { StepRun } from '../world/step-run.ts'
import { objectsOf, readiness, saysProblem } from '../state/subject-status.ts'

interface PathExpectation extends Pick<Expectation, 'unstable' | 'subject' | 'retained'> {
  /** Whether the object may say that it is not ready, because the program refuses a change. */
  readonly mayRefuse: boolean
  readonly how: string
}

/** O13: the state after a change follows from the spec, and not from the way to it. */
export function judgePath(
  run: StepRun,
  reference: StepRun,
  { mayRefuse, how, ...expected }: PathExpectation,
): Verdict[] {
  const { subject } = expected
  const verdicts: Verdict[] = []
  // A program that cannot do a change, and says so, leaves the state as it is.
  const isHonest = [...objectsOf(run.end.cluster, subject).values()].some(saysProblem)
  const differences = differencesOf(reference.state, run.state, expected).filter(
    (one) =>
      !one.object.startsWith(`${subject} `) &&
      one.field?.startsWith('status') !== true &&
      !isDefaultedPolicy(one) &&
      !isLargerVolume(one),
  )
  const isExpectedReady = readiness(reference, subject)
  const lost = [...readiness(run, subject)].filter(
    ([name, isReady]) => !isReady && isExpectedReady.get(name) === true && !mayRefuse,
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

/**
 * Kubernetes derives the policy from the tag of the image when a container is new, and keeps it when
 * the image changes: the way matters there, whatever the program does.
 */
function isDefaultedPolicy({ field = '' }: Difference): boolean {
  return field.endsWith('.imagePullPolicy')
}

/**
 * Whether an object that is not ready after a step refuses a change, honestly: it was ready until a
 * change that only leads back to values which worked, or until this very step. If another change
 * broke it, it has to recover.
 */
export function mayRefuseAt(runs: readonly StepRun[], index: number, subject: string): boolean {
  const isReady = (run: StepRun | undefined): boolean =>
    run === undefined || [...readiness(run, subject).values()].every((ready) => ready)
  let first = index
  while (!isReady(runs[first - 1])) first -= 1
  const [step] = runs[first]?.steps ?? []
  return first === index || (step?.do === 'set' && step.isBack === true)
}
