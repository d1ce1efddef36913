import type { Key } from '../cache/index.ts'

/** How many runs of a key may follow each other at once: a rollout of a large workload causes that many. */
const burst = 100

/** Then it is run this often. */
const runMs = 1_000

/** How many keys are remembered before those at rest are forgotten. */
const keysMax = 1_000

/**
 * Slows down a key that is run again and again without a pause: two programs that undo each other's work would
 * otherwise keep a processor and an API server busy for ever.
 */
export class RunBrake {
  /** When a key will be at rest: every run moves it by a second, as time itself does. */
  readonly #restMs = new Map<Key, number>()

  /** How long the next run of a key has to wait; 0 for all but those that race. */
  delayMs(key: Key, nowMs: number): number {
    const restMs = Math.max(this.#restMs.get(key) ?? 0, nowMs) + runMs
    if (this.#restMs.size >= keysMax) this.#forget(nowMs)
    this.#restMs.set(key, restMs)
    return Math.max(0, restMs - nowMs - burst * runMs)
  }

  #forget(nowMs: number): void {
    for (const [key, restMs] of this.#restMs) if (restMs <= nowMs) this.#restMs.delete(key)
  }
}
