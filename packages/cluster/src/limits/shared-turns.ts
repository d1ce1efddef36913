import type { Timers } from 'setpoint/host'

/**
 * Lets other work run between the steps of many callers. One step of each is short, but all of them
 * together would be one long step of the thread.
 */
export class SharedTurns {
  readonly #timers: Pick<Timers, 'sleep'>
  readonly #costMax: number
  #left: number
  #next: Promise<void> | undefined

  /** `costMax` is what all callers may use in one turn of the thread. */
  constructor(timers: Pick<Timers, 'sleep'>, costMax: number) {
    this.#timers = timers
    this.#costMax = costMax
    this.#left = costMax
  }

  /** Begins a step, or returns a promise for the turn in which it can begin. */
  take(cost: number): Promise<void> | undefined {
    if (this.#left <= 0) return this.#takeLater(cost)
    this.#left -= cost
    return undefined
  }

  async #takeLater(cost: number): Promise<void> {
    while (this.#left <= 0) {
      this.#next ??= this.#refill()
      await this.#next
    }
    this.#left -= cost
  }

  async #refill(): Promise<void> {
    await this.#timers.sleep(0)
    this.#left = this.#costMax
    this.#next = undefined
  }
}
