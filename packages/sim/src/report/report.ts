import type { Bypass } from '../bypass/bypass.ts'
import type { Stop } from '../trial-limit.ts'
import type { Finding } from './finding.ts'

/** What a simulation tried. */
export interface Coverage {
  /** Actions of users, and how many of them the API server refused. */
  readonly steps: number
  readonly refusedSteps: number
  /** The fields of the spec that were changed, and how many there are. */
  readonly fields: number
  readonly specFields: number
  /** How many different states of the cluster the runs ended in. */
  readonly states: number
  /** The writes of the program in the run without faults that changed something. */
  readonly writes: number
  /** How many crashes after a write were tried. */
  readonly crashedWrites: number
  /** How many runs each type of fault has, and how many of them were tried. */
  readonly faults: Readonly<Record<string, { readonly plans: number; readonly tried: number }>>
  readonly plans: number
  readonly triedPlans: number
  /** Why fewer than `plans` were tried. */
  readonly stop?: Stop
}

/** The result of a simulation. */
export interface Report {
  readonly findings: readonly Finding[]
  readonly coverage: Coverage
  /**
   * Places of the author's code that use the clock, randomness, timers or the network of the real
   * process. They were answered in virtual time as far as possible.
   */
  readonly bypasses: readonly Bypass[]
  /** Parts of the program that the simulation left out. */
  readonly notes: readonly string[]
  /** The seed that repeats it. */
  readonly seed: number
}
