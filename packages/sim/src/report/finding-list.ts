import { type Plan, planText } from '../plans/plan.ts'
import type { Step } from '../workload/workload.ts'
import type { StepRun } from '../world/step-run.ts'
import type { Finding, Verdict } from './finding.ts'

/** The findings of a simulation, each problem once: with the plan that showed it first. */
export class FindingList {
  readonly all: Finding[] = []
  /** The run without faults, by step. */
  readonly #reference: readonly StepRun[]
  readonly #known = new Set<string>()

  constructor(reference: readonly StepRun[]) {
    this.#reference = reference
  }

  add(verdict: Verdict, plan: Plan, steps: readonly Step[]): void {
    const identity = `${verdict.oracle} ${verdict.details[0] ?? ''} ${plan.faults[0]?.type ?? ''}`
    if (this.#known.has(identity)) return
    this.#known.add(identity)
    const names = steps.map(({ name }) => name)
    this.all.push({ ...verdict, plan, steps: names, story: this.#story(verdict, plan, names) })
  }

  #story({ oracle, problem, details }: Verdict, plan: Plan, steps: readonly string[]): string {
    const { writes = [] } = this.#reference[plan.step] ?? {}
    const hit = plan.faults.flatMap((fault) => {
      const write = 'write' in fault ? writes[fault.write - 1] : undefined
      return write === undefined ? [] : [`  write ${write.index}: ${write.method} ${write.path}`]
    })
    const before = plan.step === 0 ? [] : [`after ${plan.step} steps without faults`]
    return [
      `${oracle}: ${problem}`,
      ...before.map((text) => `  ${text}`),
      ...steps.map((name) => `  a user does: ${name}`),
      ...(plan.faults.length === 0 ? ['  no fault is needed'] : [`  ${planText(plan)}`]),
      ...hit,
      ...details.map((detail) => `  ${detail}`),
    ].join('\n')
  }
}
