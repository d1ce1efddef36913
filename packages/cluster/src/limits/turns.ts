import type { Timers } from 'setpoint/host'

/** Work on fewer bytes than this ends before another request notices. */
const largeAbove = 128 * 1024

/** Lets other requests run between the steps of one that works on much data. */
export class Turns {
  readonly #timers: Pick<Timers, 'sleep'>
  #bytes = 0
  /** The bytes that a loop has worked on since other requests ran. */
  #sinceTurn = 0

  constructor(timers: Pick<Timers, 'sleep'>) {
    this.#timers = timers
  }

  /** Counts data that the next steps of the request work on. */
  count(bytes: number): void {
    this.#bytes += bytes
  }

  /**
   * Ends a step. The objects that the request read can be outdated after it: writes are stored only
   * if the revision that they expect is still the current one.
   */
  async next(): Promise<void> {
    if (this.#bytes > largeAbove) await this.#timers.sleep(0)
  }

  /**
   * Counts data that a loop has worked on since other requests ran, and lets them run when it is
   * much.
   */
  worked(bytes: number): Promise<void> | undefined {
    this.#sinceTurn += bytes
    if (this.#sinceTurn <= largeAbove) return undefined
    this.#sinceTurn = 0
    return this.#timers.sleep(0)
  }
}
