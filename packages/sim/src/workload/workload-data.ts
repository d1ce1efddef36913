import type { Sample, Step } from './step.ts'

/** What the author declares about the program, as far as it is data. */
export interface DeclaredData {
  readonly retained?: readonly string[]
  readonly recreated?: readonly string[]
  readonly heartbeats?: readonly string[]
  readonly inert?: readonly string[]
}

/** A whole workload as data: with a plan, it is everything that repeats a finding. */
export interface Workload {
  /** Determines all chance. */
  readonly seed: number
  /** The simulated resource. */
  readonly resource: { readonly group: string; readonly plural: string }
  /** The object of the workload, then those that exist before it. */
  readonly samples: readonly Sample[]
  /** Everything that users do, including the steps before that of a plan. */
  readonly steps: readonly Step[]
  readonly declared: DeclaredData
}
