import type { Plan } from '../plans/plan.ts'
import type { Reference } from '../reference.ts'
import type { Step } from '../workload/step.ts'
import type { Workload } from '../workload/workload-data.ts'
import type { StepRun } from '../world/step-run.ts'
import { type ShorterTrial, shrunk } from '../shrink.ts'
import type { Finding, Verdict } from './finding.ts'
import { storyOf } from './story.ts'

/** The run in which a rule was broken, if it is not that of the workload without faults. */
interface FoundIn {
  readonly steps: readonly Step[]
  readonly run: StepRun | undefined
}

/** How many findings get a shorter workload: it takes some runs for each. */
const shrunkMax = 5

/** The findings of a simulation, each problem once: with the plan that showed it first. */
export class FindingList {
  readonly all: Finding[] = []
  readonly #reference: Reference
  readonly #workload: Workload
  readonly #known = new Set<string>()

  constructor(reference: Reference, workload: Workload) {
    this.#reference = reference
    this.#workload = workload
  }

  add(verdict: Verdict, plan: Plan, found?: FoundIn): void {
    const identity = identityOf(verdict, plan)
    if (this.#known.has(identity)) return
    this.#known.add(identity)
    const { steps, runs } = this.#reference
    const done = found?.steps ?? steps.slice(plan.step, plan.step + 1)
    const names = done.map(({ name }) => name)
    const run = found === undefined ? runs[plan.step] : found.run
    const { oracle, problem, details } = verdict
    const earlier = steps.slice(0, plan.step).map(({ name }) => name)
    const story = storyOf({ verdict, plan, steps: names, earlier, run })
    const workload = this.#workload
    this.all.push({ oracle, problem, details, plan, steps: names, story, workload })
  }

  /** Replaces the first finding of each rule by one with a shorter workload and fewer faults. */
  async shrink(
    retry: (finding: Finding, trial: ShorterTrial) => Promise<Finding | undefined>,
  ): Promise<void> {
    const firsts = this.all.filter(
      (one, index) => this.all.findIndex(({ oracle }) => oracle === one.oracle) === index,
    )
    for (const finding of firsts.slice(0, shrunkMax)) {
      const shorter = await shrunk(finding, async (trial) => retry(finding, trial))
      this.all[this.all.indexOf(finding)] = shorter
    }
  }
}

/** What makes two findings the same problem: the rule, its first detail and the kind of fault. */
export function identityOf(
  { oracle, details }: Pick<Verdict, 'oracle' | 'details'>,
  { compare, faults }: Plan,
): string {
  const cause = compare ?? faults.map(({ type }) => type).join(' ')
  return `${oracle} ${details[0] ?? ''} ${cause}`
}
