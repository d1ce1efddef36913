import type { Host, Timer } from 'setpoint/host'

const firstRetryMs = 1000
const lastRetryMs = 60_000

/**
 * The keys to reconcile, as the work queue of client-go keeps them: a key is in it once, and a key
 * that is added while it is processed comes again afterwards.
 */
export class WorkQueue {
  readonly #host: Host
  readonly #waiting = new Set<string>()
  readonly #processing = new Set<string>()
  readonly #again = new Set<string>()
  readonly #delayed = new Map<string, { readonly dueMs: number; readonly timer: Timer }>()
  readonly #failures = new Map<string, number>()
  #wake: (() => void) | undefined

  constructor(host: Host) {
    this.#host = host
  }

  add(key: string): void {
    if (this.#processing.has(key)) this.#again.add(key)
    else this.#waiting.add(key)
    this.#wake?.()
  }

  /** Adds a key later. Of several times for one key the earliest counts. */
  addAfter(key: string, delayMs: number): void {
    const dueMs = this.#host.monotonicMs() + delayMs
    const waiting = this.#delayed.get(key)
    if (waiting !== undefined && waiting.dueMs <= dueMs) return
    waiting?.timer.cancel()
    const timer = this.#host.setTimer(delayMs, () => {
      this.#delayed.delete(key)
      this.add(key)
    })
    this.#delayed.set(key, { dueMs, timer })
  }

  /** Adds a key that failed, later with each failure in a row. */
  retry(key: string): void {
    const failures = this.#failures.get(key) ?? 0
    this.#failures.set(key, failures + 1)
    this.addAfter(key, Math.min(firstRetryMs * 2 ** failures, lastRetryMs))
  }

  /** The key succeeded: its next failure is the first one. */
  forget(key: string): void {
    this.#failures.delete(key)
  }

  /** The next key; `done` must follow. */
  async take(): Promise<string> {
    for (;;) {
      const [key] = this.#waiting
      if (key !== undefined) {
        this.#waiting.delete(key)
        this.#processing.add(key)
        return key
      }
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  done(key: string): void {
    this.#processing.delete(key)
    if (this.#again.delete(key)) this.add(key)
  }
}
