import type { Plan } from '../plans/plan.ts'

/** The rules by which runs are judged; docs/reference/simulation.md explains them. */
export type OracleId = 'O2' | 'O3' | 'O5' | 'O7' | 'O10' | 'O12' | 'O13' | 'O15'

/** A rule that a run broke. */
export interface Verdict {
  readonly oracle: OracleId
  /** What is wrong, in one sentence. */
  readonly problem: string
  readonly details: readonly string[]
}

/** A broken rule, and the plan that repeats it. */
export interface Finding extends Verdict {
  readonly plan: Plan
  /** The names of the steps, from the one in which the faults happen. */
  readonly steps: readonly string[]
  /** What happened, for people. */
  readonly story: string
}
