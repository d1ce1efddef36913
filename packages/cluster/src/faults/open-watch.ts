import type { Timer, Timers } from 'setpoint/host'
import type { FaultedRequest } from './request-match.ts'

/** How a watch ends before its time. */
export type WatchEnd = 'closed' | 'reset' | 'expired'

/** What faults decide about the watches of a server. */
interface WatchFaults {
  readonly host: Timers
  newestVisible(request: FaultedRequest): number
  /** When a later revision becomes visible on its own; `undefined` if only a change shows it. */
  visibleInMs(request: FaultedRequest, eventMs: number): number | undefined
  isStalled(request: FaultedRequest): boolean
  readonly watches: Set<OpenWatch>
}

/** The faults of one watch. */
export class OpenWatch {
  readonly request: FaultedRequest
  readonly #faults: WatchFaults
  readonly #waiting = new Set<() => void>()
  #end: WatchEnd | undefined

  constructor(faults: WatchFaults, request: FaultedRequest) {
    this.#faults = faults
    this.request = request
  }

  /** The watch has begun. */
  begin(): void {
    this.#faults.watches.add(this)
  }

  /** How the watch has to end; `undefined` while it is open. */
  get end(): WatchEnd | undefined {
    return this.#end
  }

  /** Whether nothing arrives at the client, although the connection is open. */
  get isStalled(): boolean {
    return this.#faults.isStalled(this.request)
  }

  /** The newest revision that the watch cache shows. */
  get newestVisible(): number {
    return this.#faults.newestVisible(this.request)
  }

  /**
   * Calls `wake` when the faults change, or when an event of that time becomes visible. Returns the
   * function that cancels.
   */
  wait(wake: () => void, eventMs?: number): () => void {
    this.#waiting.add(wake)
    const delayMs =
      eventMs === undefined ? undefined : this.#faults.visibleInMs(this.request, eventMs)
    const timer: Timer | undefined =
      delayMs === undefined ? undefined : this.#faults.host.setTimer(delayMs, wake)
    return () => {
      this.#waiting.delete(wake)
      timer?.cancel()
    }
  }

  /** Ends the watch. */
  finish(end: WatchEnd): void {
    this.#end = end
    this.changed()
  }

  /** The faults have changed. */
  changed(): void {
    for (const wake of [...this.#waiting]) wake()
  }

  /** The watch is over. */
  release(): void {
    this.#faults.watches.delete(this)
  }
}
