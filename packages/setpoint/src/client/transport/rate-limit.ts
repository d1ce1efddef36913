import type { Clock } from '../../host/index.ts'

/** A bound on requests. Off by default: the server protects itself, and says when to come back. */
export interface RateLimit {
  readonly requestsPerSecond: number
  /** How many may go at once after a pause. */
  readonly burst: number
}

/** A bucket of tokens that fills steadily; a request takes one, or waits its turn for it. */
export class TokenBucket {
  readonly #host: Clock
  readonly #limit: RateLimit
  #tokens: number
  #filledMs: number

  constructor(host: Clock, limit: RateLimit) {
    this.#host = host
    this.#limit = limit
    this.#tokens = limit.burst
    this.#filledMs = host.monotonicMs()
  }

  /**
   * Reserves a turn that comes in time; the request may go after so many milliseconds. Turns are given in the order of
   * asking. `undefined` when it would come too late, and then nobody else waits for it either.
   */
  reserve(leftMs: number): number | undefined {
    const { requestsPerSecond, burst } = this.#limit
    const nowMs = this.#host.monotonicMs()
    const gained = ((nowMs - this.#filledMs) / 1000) * requestsPerSecond
    this.#filledMs = nowMs
    this.#tokens = Math.min(burst, this.#tokens + gained)
    // Going into debt reserves a turn: whoever asks later waits longer.
    const waitMs = Math.max(0, ((1 - this.#tokens) / requestsPerSecond) * 1000)
    if (waitMs >= leftMs) return undefined
    this.#tokens -= 1
    return waitMs
  }

  /** A request does not go after all: its turn is another one's. */
  giveBack(): void {
    this.#tokens += 1
  }
}
