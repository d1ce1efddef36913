import type { Plan } from '../plans/plan.ts'
import type { Reference } from '../reference.ts'
import type { StepRun } from '../world/step-run.ts'
import type { Finding, Verdict } from './finding.ts'
import { storyOf } from './story.ts'

/** The run in which a rule was broken. */
interface FoundIn {
  /** The last step of the run. */
  readonly end: number
  readonly run: StepRun
}

/** The findings of a simulation, each problem once: with the plan that showed it first. */
export class FindingList {
  readonly all: Finding[] = []
  readonly #reference: Reference
  readonly #known = new Set<string>()

  constructor(reference: Reference) {
    this.#reference = reference
  }

  add(verdict: Verdict, plan: Plan, found?: FoundIn): void {
    const cause = plan.compare ?? plan.faults.map(({ type }) => type).join(' ')
    const identity = `${verdict.oracle} ${verdict.details[0] ?? ''} ${cause}`
    if (this.#known.has(identity)) return
    this.#known.add(identity)
    const { steps, runs } = this.#reference
    const done = steps.slice(plan.step, (found?.end ?? plan.step) + 1)
    const names = done.map(({ name }) => name)
    const run = found?.run ?? runs[plan.step]
    const { oracle, problem, details } = verdict
    const story = storyOf({ verdict, plan, steps: names, run })
    this.all.push({ oracle, problem, details, plan, steps: names, story })
  }
}
