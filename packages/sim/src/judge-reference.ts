import { hasLateEffect } from './late-effects.ts'
import { judgeDeletion } from './oracles/deletion.ts'
import { type Declarations, differencesOf, differenceTexts } from './oracles/expectation.ts'
import { judgeInfluence } from './oracles/field-influence.ts'
import { judgeStart } from './oracles/idempotence.ts'
import { judgePlain } from './oracles/judge-run.ts'
import { judgePath, mayRefuseAt } from './oracles/path-independence.ts'
import type { Reference, TimingDependence } from './reference.ts'
import type { Verdict } from './report/finding.ts'
import type { RunContext } from './world/step-run.ts'

/** A rule that the run without faults breaks at a step. */
export interface PlainVerdict extends Verdict {
  readonly step: number
}

/** Judges the run without faults: what it shows is a plain bug. */
export async function judgeReference(
  context: RunContext,
  reference: Reference,
  declared: Declarations,
): Promise<PlainVerdict[]> {
  const verdicts = reference.timings.map((one) => timingVerdict(one, { reference, declared }))
  for (const verdict of verdictsOf(reference, declared)) {
    const [before, run] = [verdict.step - 1, verdict.step].map((step) => reference.runs[step])
    const mayBeLate = verdict.oracle === 'O14' && before !== undefined && run !== undefined
    if (mayBeLate && (await hasLateEffect(context, before.end, run.end))) continue
    verdicts.push(verdict)
  }
  return verdicts
}

/** O2: the result must not depend on which of two concurrent events comes first. */
function timingVerdict(
  { step, better, worse }: TimingDependence,
  { reference, declared }: { readonly reference: Reference; readonly declared: Declarations },
): PlainVerdict {
  const expected = { ...declared, unstable: reference.unstable }
  return {
    oracle: 'O2',
    problem: 'two runs without faults differ in their timing, and only one makes the object ready',
    details: differenceTexts(differencesOf(better.state, worse.state, expected)),
    step,
  }
}

function verdictsOf(
  { steps, runs, unstable, begin }: Reference,
  declared: Declarations,
): PlainVerdict[] {
  return steps.flatMap((step, index): PlainVerdict[] => {
    const [run, previous, before] = [runs[index], runs[index - 1], runs[index - 2]]
    if (run === undefined) return []
    const isReversal = step.do === 'set' && step.isBack === true
    const how = 'the state differs from the one before, although the spec is the same again'
    const verdicts = [
      ...judgePlain(run, declared.subject),
      ...judgeStart(run, declared),
      ...(step.do === 'delete' ? judgeDeletion(run, declared, begin) : []),
      ...(isReversal && before !== undefined
        ? judgePath(run, before, {
            ...declared,
            unstable,
            how,
            mayRefuse: mayRefuseAt(runs, index, declared.subject),
          })
        : []),
      ...(previous === undefined ? [] : judgeInfluence(run, previous, declared)),
    ]
    return verdicts.map((verdict) => ({ ...verdict, step: index }))
  })
}
