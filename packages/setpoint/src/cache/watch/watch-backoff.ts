import type { Clock, Random, Timers } from '../../host/index.ts'

/** How waiting grows. */
interface BackoffOptions {
  readonly firstMs: number
  readonly maxMs: number
  /** After this long without a failure, the next one counts as the first. */
  readonly forgetMs: number
}

/**
 * Growing waits between tries, each between once and twice its base, so that many clients that lost the
 * same server do not come back at the same moment.
 */
export class Backoff {
  readonly #host: Clock & Timers & Random
  readonly #options: BackoffOptions
  #nextMs: number
  #failedMs = -Infinity

  constructor(host: Clock & Timers & Random, options: BackoffOptions) {
    this.#host = host
    this.#options = options
    this.#nextMs = options.firstMs
  }

  /** Waits as long as the number of recent failures asks for. */
  async wait(signal: AbortSignal): Promise<void> {
    const { firstMs, maxMs, forgetMs } = this.#options
    const nowMs = this.#host.monotonicMs()
    if (nowMs - this.#failedMs > forgetMs) this.#nextMs = firstMs
    const waitMs = this.#nextMs * (1 + this.#host.random())
    this.#nextMs = Math.min(this.#nextMs * 2, maxMs)
    this.#failedMs = nowMs + waitMs
    await this.#host.sleep(waitMs, signal)
  }

  /** All is well again. */
  reset(): void {
    this.#nextMs = this.#options.firstMs
  }
}
