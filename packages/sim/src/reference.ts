import { createdKeys } from './oracles/update-summary.ts'
import { noFaults } from './plans/plan.ts'
import { canonicalState, type CanonicalState } from './state/canonical-state.ts'
import { readiness } from './state/subject-status.ts'
import { type RandomNames, randomNamesOf } from './state/random-names.ts'
import { unstableParts } from './state/state-difference.ts'
import type { Step } from './workload/step.ts'
import type { Checkpoint } from './world/sim-world.ts'
import { type RunContext, runSteps, type StepRun, subjectOf } from './world/step-run.ts'

/** The run of a workload without faults, with the checkpoint before each step. */
export interface Reference {
  readonly steps: readonly Step[]
  readonly runs: readonly StepRun[]
  readonly checkpoints: readonly Checkpoint[]
  /** The state before the first step. */
  readonly begin: CanonicalState
  /** What runs without faults do not agree on. */
  readonly unstable: ReadonlySet<string>
  /** Steps whose result depends on the timing, even without faults. */
  readonly timings: readonly TimingDependence[]
  /** Names that runs without faults do not agree on. */
  readonly randomNames: RandomNames
}

/** Two runs of a step without faults, of which only one makes the object ready. */
export interface TimingDependence {
  readonly step: number
  readonly better: StepRun
  readonly worse: StepRun
}

/** How much later the second run does everything: what depends on the time differs then. */
const laterMs = 47_000

/** Runs the workload twice with different random values, and keeps the better run. */
export async function recordReference(
  context: RunContext,
  first: Checkpoint,
  steps: readonly Step[],
): Promise<Reference> {
  const begin = canonicalState(first.cluster, context)
  const runs: StepRun[] = []
  const checkpoints: Checkpoint[] = []
  const unstable = new Set<string>()
  const timings: TimingDependence[] = []
  let from = first
  let before: CanonicalState = begin
  const pairs: { before: CanonicalState; one: CanonicalState; other: CanonicalState }[] = []
  for (const [index, step] of steps.entries()) {
    const run = await runSteps(context, from, { steps: [step], plan: noFaults(index) })
    const other = { ...context, seed: context.seed + 1 }
    const later = { ...from, timeMs: from.timeMs + laterMs }
    const again = await runSteps(other, later, { steps: [step], plan: noFaults(index) })
    const [better, worse] =
      unreadyObjects(run, context) > unreadyObjects(again, context) ? [again, run] : [run, again]
    if (unreadyObjects(worse, context) > unreadyObjects(better, context)) {
      timings.push({ step: index, better, worse })
    } else {
      for (const part of unstableParts(run.state, again.state)) unstable.add(part)
      for (const part of unstableUpdates(before, run, again)) unstable.add(part)
    }
    pairs.push({ before, one: run.state, other: again.state })
    runs.push(better)
    checkpoints.push(from)
    from = better.end
    before = better.state
  }
  return {
    steps,
    runs,
    checkpoints,
    begin,
    unstable,
    timings,
    randomNames: randomNamesOf(pairs),
  }
}

/** How many objects say that they are not ready. */
function unreadyObjects(run: StepRun, context: RunContext): number {
  return [...readiness(run, subjectOf(context)).values()].filter((isReady) => !isReady).length
}

/** Creations and replacements that two runs do not agree on. */
function unstableUpdates(before: CanonicalState, run: StepRun, again: StepRun): string[] {
  const [one, other] = [createdKeys(run), createdKeys(again)]
  const buckets = [...new Set([...one.keys(), ...other.keys()])]
  const counts = buckets.filter((bucket) => one.get(bucket)?.size !== other.get(bucket)?.size)
  const replaced = [...before].filter(([name, { uid }]) => {
    const [left, right] = [run.state.get(name)?.uid, again.state.get(name)?.uid]
    return (left === uid) !== (right === uid)
  })
  return [
    ...counts.map((bucket) => `create ${bucket}`),
    ...replaced.map(([name]) => `replaced ${name}`),
  ]
}

/** The state before a step. */
export function stateBefore({ runs, begin }: Reference, step: number): CanonicalState {
  return runs[step - 1]?.state ?? begin
}
