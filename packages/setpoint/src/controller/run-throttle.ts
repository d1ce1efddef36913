import type { Key } from '../cache/index.ts'

/**
 * How many reconciles of a key may follow each other without a delay: the rollout of a large
 * workload causes as many.
 */
const burst = 100

/** After the burst, a key is reconciled at this interval. */
const runMs = 1_000

/** The number of keys at which idle ones are dropped. */
const keysMax = 1_000

/**
 * Throttles a key that is reconciled without a pause: two controllers that undo each other's writes
 * would keep a CPU and an API server busy forever.
 */
export class RunThrottle {
  /**
   * A token bucket per key, as the time when it is full again: every reconcile moves it by one
   * interval.
   */
  readonly #restMs = new Map<Key, number>()

  /** The number of keys with which full ones are forgotten. */
  #forgetAbove = keysMax

  /** The delay before the next reconcile of a key; 0 within the burst. */
  delayMs(key: Key, nowMs: number): number {
    const restMs = Math.max(this.#restMs.get(key) ?? 0, nowMs) + runMs
    if (this.#restMs.size >= this.#forgetAbove) this.#forget(nowMs)
    this.#restMs.set(key, restMs)
    return Math.max(0, restMs - nowMs - burst * runMs)
  }

  #forget(nowMs: number): void {
    for (const [key, restMs] of this.#restMs) if (restMs <= nowMs) this.#restMs.delete(key)
    // Thousands of keys can be reconciled within a second: then none is full again, and reading all
    // of them before each reconcile would take longer than the reconciles.
    this.#forgetAbove = Math.max(keysMax, 2 * this.#restMs.size)
  }
}
