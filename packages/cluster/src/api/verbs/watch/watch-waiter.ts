import type { Clock, Timer, Timers } from 'setpoint/host'

/** When a watch ends, and how often it sends bookmarks. */
interface WatchTimes {
  readonly lifetimeMs: number
  readonly bookmarkEveryMs?: number
  readonly lastBookmarkMs?: number
}

/** Why a wait ended. */
type WakeReason = 'event' | 'bookmark' | 'over'

/** Waits for the first of these: an event, the time for a bookmark, the timeout, a disconnect. */
export class WatchWaiter {
  readonly #host: Clock & Timers
  readonly #times: WatchTimes
  readonly #signal: AbortSignal
  readonly #endsAtMs: number
  #nextBookmarkAtMs: number
  #hasEnded = false
  #end: Timer | undefined
  #wake: ((reason: WakeReason) => void) | undefined
  readonly #onAbort = (): void => this.#finish()

  constructor(host: Clock & Timers, signal: AbortSignal, times: WatchTimes) {
    this.#host = host
    this.#times = times
    this.#signal = signal
    const startMs = host.monotonicMs()
    this.#endsAtMs = startMs + times.lifetimeMs
    this.#nextBookmarkAtMs = this.#bookmarkAfter(startMs)
    if (times.lifetimeMs !== Infinity) {
      this.#end = host.setTimer(times.lifetimeMs, () => this.#finish())
    }
    signal.addEventListener('abort', this.#onAbort)
    if (signal.aborted) this.#hasEnded = true
  }

  /** Whether the watch has to end. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  async wait(subscribe: (wake: () => void) => () => void): Promise<WakeReason> {
    if (this.#hasEnded) return 'over'
    let unsubscribe: (() => void) | undefined
    let bookmark: Timer | undefined
    const reason = await new Promise<WakeReason>((resolve) => {
      this.#wake = resolve
      unsubscribe = subscribe(() => resolve('event'))
      if (this.#nextBookmarkAtMs !== Infinity) {
        const delayMs = this.#nextBookmarkAtMs - this.#host.monotonicMs()
        bookmark = this.#host.setTimer(delayMs, () => resolve('bookmark'))
      }
    })
    this.#wake = undefined
    unsubscribe?.()
    bookmark?.cancel()
    if (reason === 'bookmark') {
      this.#nextBookmarkAtMs = this.#bookmarkAfter(this.#host.monotonicMs())
    }
    return reason
  }

  dispose(): void {
    this.#end?.cancel()
    this.#signal.removeEventListener('abort', this.#onAbort)
  }

  /**
   * When the next bookmark is sent, `Infinity` for never. Bookmarks are sent at intervals, and once
   * shortly before the end, so that the client can resume from there.
   */
  #bookmarkAfter(nowMs: number): number {
    const { bookmarkEveryMs, lastBookmarkMs = 0 } = this.#times
    if (bookmarkEveryMs === undefined) return Infinity
    const lastMs = this.#endsAtMs - lastBookmarkMs
    const nextMs = nowMs + bookmarkEveryMs
    if (nextMs < lastMs) return nextMs
    return lastMs > nowMs ? lastMs : Infinity
  }

  #finish(): void {
    this.#hasEnded = true
    this.#wake?.('over')
  }
}
