import { judgeStaleWrites } from './counterfactual.ts'
import type { Declarations } from './oracles/expectation.ts'
import { judgeRun } from './oracles/judge-run.ts'
import { makesStale, noFaults, type Plan, stepsOf } from './plans/plan.ts'
import { type Reference, stateBefore } from './reference.ts'
import type { FindingList } from './report/finding-list.ts'
import type { CanonicalState } from './state/canonical-state.ts'
import { stateDifferences } from './state/state-difference.ts'
import { stateText } from './state/state-text.ts'
import { type RunContext, runSteps, type StepRun } from './world/step-run.ts'

interface RunnerOptions {
  readonly context: RunContext
  readonly reference: Reference
  readonly declared: Declarations
  readonly findings: FindingList
}

/** The steps of a run, with the faults in them. */
interface JudgedSteps {
  readonly begin: number
  readonly end: number
  readonly plan: Plan
  readonly skipsSteps: boolean
  readonly ownBefore: CanonicalState
}

/** How many steps are judged after the faults: some differences have consequences only later. */
const laterStepsMax = 2

/** Tries plans, and adds what they find. */
export class PlanRunner {
  /** The states in which runs ended, as texts. */
  readonly states: Set<string>
  readonly #options: RunnerOptions

  constructor(options: RunnerOptions) {
    this.#options = options
    this.states = new Set(options.reference.runs.map(({ state }) => stateText(state)))
  }

  /** Runs the steps of a plan with its faults, and as many later steps as are needed to judge it. */
  async try(plan: Plan): Promise<void> {
    const { context, reference, findings } = this.#options
    const { steps, checkpoints } = reference
    let [begin, current] = [plan.step, plan]
    let end = plan.step + stepsOf(plan) - 1
    const last = Math.min(end + laterStepsMax, steps.length - 1)
    const skipsSteps = stepsOf(plan) > 1
    let from = checkpoints[begin]
    let ownBefore = stateBefore(reference, begin)
    while (from !== undefined && end <= last) {
      const run = await runSteps(context, from, {
        steps: steps.slice(begin, end + 1),
        plan: current,
      })
      this.states.add(stateText(run.state))
      const verdicts = await this.#judge(run, {
        begin,
        end,
        plan: current,
        skipsSteps,
        ownBefore,
      })
      const done = steps.slice(plan.step, end + 1)
      for (const verdict of verdicts) findings.add(verdict, plan, { steps: done, run })
      if (verdicts.length > 0 || !this.#differs(run, end)) return
      from = run.end
      ownBefore = run.state
      end += 1
      begin = end
      current = noFaults(begin)
    }
  }

  async #judge(run: StepRun, { begin, end, plan, skipsSteps, ownBefore }: JudgedSteps) {
    const { context, reference, declared } = this.#options
    const expected = reference.runs[end]
    // The program is not to blame for a step that the API server refused only because of its time.
    if (expected === undefined) return []
    if ((expected.refusal === undefined) !== (run.refusal === undefined)) return []
    const verdicts = judgeRun(run, {
      ...declared,
      reference: mergedReference(reference, begin, end) ?? expected,
      before: stateBefore(reference, begin),
      ownBefore,
      unstable: reference.unstable,
      plan,
      skipsSteps,
    })
    return makesStale(plan) ? [...(await judgeStaleWrites(context, run)), ...verdicts] : verdicts
  }

  /** Whether the state differs from the expected one in anything, including what no rule checks. */
  #differs(run: StepRun, end: number): boolean {
    const { runs, unstable } = this.#options.reference
    const expected = runs[end]
    return (
      expected !== undefined && stateDifferences(expected.state, run.state, unstable).length > 0
    )
  }
}

/** The steps of the reference as one run: what happened in all of them, and how the last ended. */
function mergedReference({ runs }: Reference, begin: number, end: number): StepRun | undefined {
  const [last, merged] = [runs[end], runs.slice(begin, end + 1)]
  if (last === undefined || merged.length < 2) return last
  return {
    ...last,
    writes: merged.flatMap(({ writes }) => writes),
    changes: merged.flatMap(({ changes }) => changes),
    errors: merged.flatMap(({ errors }) => errors),
  }
}
