import type { Verdict } from './report/finding.ts'
import { judgeDeletion, judgeProcess, judgeReversal, judgeStart } from './oracles/judge.ts'
import { noFaults } from './plans/plan.ts'
import { unstableParts } from './state/state-difference.ts'
import type { Checkpoint } from './world/sim-world.ts'
import { type RunContext, runSteps, type StepRun } from './world/step-run.ts'
import type { Step } from './workload/workload.ts'

/** The run of a workload without faults, with the checkpoint before each step. */
export interface Reference {
  readonly steps: readonly Step[]
  readonly runs: readonly StepRun[]
  readonly checkpoints: readonly Checkpoint[]
  /** What runs without faults do not agree on. */
  readonly unstable: ReadonlySet<string>
}

/** Runs the workload twice with different chance, and keeps the first run. */
export async function recordReference(
  context: RunContext,
  first: Checkpoint,
  steps: readonly Step[],
): Promise<Reference> {
  const runs: StepRun[] = []
  const checkpoints: Checkpoint[] = []
  const unstable = new Set<string>()
  let from = first
  for (const [index, step] of steps.entries()) {
    const run = await runSteps(context, from, { steps: [step], plan: noFaults(index) })
    const other = { ...context, seed: context.seed + 1 }
    const again = await runSteps(other, from, { steps: [step], plan: noFaults(index) })
    for (const part of unstableParts(run.state, again.state)) unstable.add(part)
    runs.push(run)
    checkpoints.push(from)
    from = run.end
  }
  return { steps, runs, checkpoints, unstable }
}

/** A rule that the run without faults breaks at a step. */
interface PlainVerdict extends Verdict {
  readonly step: number
}

/** Judges the run without faults: what it shows is a plain bug. */
export function judgeReference(
  { steps, runs, unstable }: Reference,
  { subject, retained }: { readonly subject: string; readonly retained: readonly string[] },
): PlainVerdict[] {
  return steps.flatMap((step, index): PlainVerdict[] => {
    const run = runs[index]
    const before = runs[index - 2]
    if (run === undefined) return []
    const isReversal = step.do === 'set' && index >= 2 && isBack(step, steps[index - 1])
    const verdicts = [
      ...judgeProcess(run),
      ...judgeStart(run),
      ...(step.do === 'delete' ? judgeDeletion(run, { subject, retained }) : []),
      ...(isReversal && before !== undefined
        ? judgeReversal(before.state, run.state, { unstable, subject })
        : []),
    ]
    return verdicts.map((verdict) => ({ ...verdict, step: index }))
  })
}

/** The workload changes a field and then changes it back. */
function isBack(step: Step, previous: Step | undefined): boolean {
  return previous?.do === 'set' && step.name.endsWith(' back')
}
