/** The state of one evaluation. */
import type { CelResult } from '../values/cel-value.ts'

/** Ends an evaluation that has become too expensive. */
export class CostLimitExceeded extends Error {}

/** Ends an evaluation where cel-go has an internal error. */
export class InternalFailure extends Error {}

/** The values of variables, as an evaluation finds them. */
export type Bindings = Readonly<Record<string, CelResult>>

/** The variables and the cost of one evaluation. */
export class Frame {
  readonly bindings: Bindings
  /** The variables of loops. The compiler gives each of them a slot. */
  readonly slots: (CelResult | undefined)[]
  cost = 0
  private readonly costLimit: number

  constructor(bindings: Bindings, slotCount: number, costLimit: number) {
    this.bindings = bindings
    this.slots = new Array<CelResult | undefined>(slotCount)
    this.costLimit = costLimit
  }

  /** Counts cost, and ends the evaluation if it is too much. */
  spend(cost: number): void {
    this.cost += cost
    if (this.cost > this.costLimit) throw new CostLimitExceeded()
  }
}

/** Evaluates a part of an expression. */
export type Evaluate = (frame: Frame) => CelResult
