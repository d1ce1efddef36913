import type { Plan } from '../plans/plan.ts'
import type { Workload } from '../workload/workload-data.ts'

/** The rules by which runs are judged; docs/reference/simulation.md explains them. */
export type OracleId =
  | 'O1'
  | 'O2'
  | 'O3'
  | 'O4'
  | 'O5'
  | 'O6'
  | 'O7'
  | 'O8'
  | 'O9'
  | 'O10'
  | 'O11'
  | 'O12'
  | 'O13'
  | 'O14'
  | 'O15'
  | 'O16'
  | 'O17'
  | 'O18'
  | 'O19'
  | 'O20'

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
  /** The whole workload, which the plan needs to be repeated. */
  readonly workload: Workload
}
