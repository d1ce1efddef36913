import { type Duration, durationMs } from 'setpoint/host'

/** Why some runs with faults were left out. */
export type Stop = 'time' | 'plansMax'

interface LimitOptions {
  /** How much real time there is; `undefined` for no limit. */
  readonly budget: Duration | undefined
  readonly plansMax: number | undefined
  readonly clock: { monotonicMs(): number }
}

/** When a simulation tries no more faults. */
export class TrialLimit {
  readonly #options: LimitOptions
  #deadlineMs = Infinity

  constructor(options: LimitOptions) {
    this.#options = options
    this.restart()
  }

  /** The time begins now: what was done before does not count. */
  restart(): void {
    const { budget, clock } = this.#options
    if (budget !== undefined) this.#deadlineMs = clock.monotonicMs() + durationMs(budget, 'budget')
  }

  get isTimeOver(): boolean {
    return this.#options.clock.monotonicMs() > this.#deadlineMs
  }

  /** Why no other fault is tried after so many. */
  stop(tried: number): Stop | undefined {
    if (tried >= (this.#options.plansMax ?? Infinity)) return 'plansMax'
    return this.isTimeOver ? 'time' : undefined
  }
}
