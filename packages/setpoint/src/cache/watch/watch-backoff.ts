import { type BackoffRange, exponentialBackoff, jittered } from '../../host/exponential-backoff.ts'
import type { Clock, Random, Timers } from '../../host/index.ts'

/** How the delay between attempts grows, and when it starts over. */
interface WatchBackoffOptions extends BackoffRange {
  /** After this long without a failure, the next one counts as the first. */
  readonly forgetMs: number
}

/**
 * Once to twice the delay, so that many clients that lost the same server do not return together.
 */
const jitter = { least: 1, spread: 1 }

/** The growing delay between attempts to watch. */
export class WatchBackoff {
  readonly #host: Clock & Timers & Random
  readonly #options: WatchBackoffOptions
  #failures = 0
  #failedMs = -Infinity

  constructor(host: Clock & Timers & Random, options: WatchBackoffOptions) {
    this.#host = host
    this.#options = options
  }

  /** Counts a failure, and waits as long as the number of recent failures requires. */
  async wait(signal: AbortSignal): Promise<void> {
    const nowMs = this.#host.monotonicMs()
    if (nowMs - this.#failedMs > this.#options.forgetMs) this.#failures = 0
    this.#failures += 1
    const delayMs = exponentialBackoff(this.#failures, this.#options)
    const waitMs = jittered(delayMs, jitter, this.#host)
    this.#failedMs = nowMs + waitMs
    await this.#host.sleep(waitMs, signal)
  }

  /** The next failure counts as the first. */
  reset(): void {
    this.#failures = 0
  }
}
