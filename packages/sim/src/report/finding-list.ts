import type { Plan } from '../plans/plan.ts'
import type { Reference } from '../reference.ts'
import type { Step } from '../workload/step.ts'
import type { Workload } from '../workload/workload-data.ts'
import type { StepRun } from '../world/step-run.ts'
import type { Finding, Verdict } from './finding.ts'
import { storyOf } from './story.ts'

/** The run in which a rule was broken, if it is not that of the workload without faults. */
interface FoundIn {
  readonly steps: readonly Step[]
  readonly run: StepRun | undefined
}

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
    const story = storyOf({ verdict, plan, steps: names, run })
    const workload = this.#workload
    this.all.push({ oracle, problem, details, plan, steps: names, story, workload })
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
