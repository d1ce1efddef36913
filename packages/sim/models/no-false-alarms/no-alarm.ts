import type { AnyResourceDefinition } from 'setpoint'
import type { Program, Sample } from '../../src/index.ts'
import type { Declarations } from '../model.ts'

/** A correct operator that does something which may look wrong: it must cause no finding. */
export interface NoAlarm {
  readonly id: string
  /** What is unusual about it. */
  readonly summary: string
  readonly resource: AnyResourceDefinition
  readonly sample: Sample
  readonly program: Program
  readonly options?: Declarations
  /** What its author declares beyond `options`, in plain words. */
  readonly declares?: Readonly<Record<string, string>>
}
