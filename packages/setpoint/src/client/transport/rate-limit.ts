import type { Clock } from '../../host/index.ts'

/** A limit of requests. Off by default: the server protects itself and says when to retry. */
export interface RateLimit {
  readonly requestsPerSecond: number
  /** How many requests may be sent together after a pause. */
  readonly burst: number
}

/** A token bucket: a request takes a token, or waits for one. */
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
   * Reserves a token and returns the delay of the request in milliseconds. Tokens are reserved in
   * the order of calls. `undefined` when the delay would be too long; then nothing is reserved.
   */
  reserve(leftMs: number): number | undefined {
    const { requestsPerSecond, burst } = this.#limit
    const nowMs = this.#host.monotonicMs()
    const gained = ((nowMs - this.#filledMs) / 1000) * requestsPerSecond
    this.#filledMs = nowMs
    this.#tokens = Math.min(burst, this.#tokens + gained)
    // A negative number of tokens is a reservation: later requests wait longer.
    const waitMs = Math.max(0, ((1 - this.#tokens) / requestsPerSecond) * 1000)
    if (waitMs >= leftMs) return undefined
    this.#tokens -= 1
    return waitMs
  }

  /** Returns the token of a request that is not sent. */
  giveBack(): void {
    this.#tokens += 1
  }
}
