import type { Clock, Timers } from '../host/index.ts'

/** A bound on requests. Off by default: the server protects itself, and says when to come back. */
export interface RateLimit {
  readonly requestsPerSecond: number
  /** How many may go at once after a pause. */
  readonly burst: number
}

/** A bucket of tokens that fills steadily; a request takes one, or waits its turn for it. */
export class TokenBucket {
  readonly #host: Clock & Timers
  readonly #limit: RateLimit
  #tokens: number
  #filledMs: number

  constructor(host: Clock & Timers, limit: RateLimit) {
    this.#host = host
    this.#limit = limit
    this.#tokens = limit.burst
    this.#filledMs = host.monotonicMs()
  }

  /** Resolves when the next request may go. Turns are given in the order of asking. */
  async take(signal: AbortSignal | undefined): Promise<void> {
    const { requestsPerSecond, burst } = this.#limit
    const nowMs = this.#host.monotonicMs()
    const gained = ((nowMs - this.#filledMs) / 1000) * requestsPerSecond
    this.#filledMs = nowMs
    this.#tokens = Math.min(burst, this.#tokens + gained) - 1
    if (this.#tokens >= 0) return
    // Going into debt reserves a turn: whoever asks later waits longer.
    await this.#host.sleep((-this.#tokens / requestsPerSecond) * 1000, signal)
  }
}
