import type { Verdict } from '../report/finding.ts'
import type { StepRun } from '../world/step-run.ts'
import { type Expectation, firstOf } from './expectation.ts'
import { readiness } from '../state/subject-status.ts'

/** O7: a program stops writing when nothing changes any more. */
export function judgeQuiescence({ calm }: StepRun): Verdict[] {
  if (calm.isQuiet) return []
  return [
    {
      oracle: 'O7',
      problem: 'the program does not stop writing, although nothing changes any more',
      details: firstOf(calm.lastWrites),
    },
  ]
}

/** O1: after the faults, the program does not keep failing at what it does without them. */
export function judgeConvergence(run: StepRun, { reference, subject }: Expectation): Verdict[] {
  const verdicts: Verdict[] = []
  const isFailing = run.calm.lastErrors.length > 0 && reference.calm.lastErrors.length === 0
  const isRefused = run.calm.lastRefusals.length > 0 && reference.calm.lastRefusals.length === 0
  if (isFailing || isRefused) {
    verdicts.push({
      oracle: 'O1',
      problem: 'the program still fails after the faults, and does not recover',
      details: firstOf([...run.calm.lastErrors.map(({ text }) => text), ...run.calm.lastRefusals]),
    })
  }
  const lost = [...readiness(reference, subject)].filter(
    ([name, isReady]) => isReady && readiness(run, subject).get(name) === false,
  )
  if (lost.length > 0) {
    verdicts.push({
      oracle: 'O1',
      problem: 'the object is not ready, although it is in a run without faults',
      details: lost.map(([name]) => name),
    })
  }
  return verdicts
}
