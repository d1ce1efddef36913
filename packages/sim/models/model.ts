import type { AnyResourceDefinition } from 'setpoint'
import type { Program, Sample, SimulateOptions } from '../src/index.ts'

/** What the author of an operator declares to the simulator. */
export type Declarations = Partial<Omit<SimulateOptions, 'resource' | 'samples'>>

/**
 * A historical bug: a small operator that has it, and its twin with the historical fix. Neither has
 * assertions: what is wrong must be found by rules that hold for every operator.
 */
export interface Model {
  readonly id: string
  /** The tickets of the bug. */
  readonly from: string
  /** The bug in one sentence. */
  readonly summary: string
  readonly resource: AnyResourceDefinition
  readonly sample: Sample
  readonly program: Program
  readonly twin: Program
  /** The oracles of which one must fire. */
  readonly mustFire: readonly string[]
  /** What the author declares for the program and the twin: retained kinds, external systems. */
  readonly options?: Declarations
}
