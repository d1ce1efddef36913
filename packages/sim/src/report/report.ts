import type { Finding } from './finding.ts'

/** What a simulation tried. */
export interface Coverage {
  /** Actions of users, and how many of them the API server refused. */
  readonly steps: number
  readonly refusedSteps: number
  /** The writes of the program in the run without faults. */
  readonly writes: number
  readonly plans: number
  /** Fewer than `plans` if the time was over. */
  readonly triedPlans: number
}

/** The result of a simulation. */
export interface Report {
  readonly findings: readonly Finding[]
  readonly coverage: Coverage
  /** Parts of the program that the simulation left out. */
  readonly notes: readonly string[]
}
