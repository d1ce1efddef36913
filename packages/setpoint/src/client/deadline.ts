import { type Clock, onAbort, type Timer, type Timers } from '../host/index.ts'

/** A caller's signal and a time limit as one signal. Dispose it, or the caller's signal keeps it alive. */
export class Deadline implements Disposable {
  readonly ms: number
  readonly #host: Clock & Timers
  readonly #controller = new AbortController()
  readonly #startMs: number
  readonly #timer: Timer | undefined
  #isOver = false
  readonly #stopListening: () => void

  constructor(host: Clock & Timers, ms: number, caller: AbortSignal | undefined) {
    this.ms = ms
    this.#host = host
    this.#startMs = host.monotonicMs()
    const forward = (): void => this.#controller.abort(caller?.reason)
    if (caller?.aborted === true) forward()
    this.#stopListening = onAbort(caller, forward)
    this.#timer =
      ms === Infinity
        ? undefined
        : host.setTimer(ms, () => {
            this.#isOver = true
            this.#controller.abort(new Error(`the deadline of ${ms} ms is over`))
          })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whether it was the time limit that ended the work. */
  get isOver(): boolean {
    return this.#isOver
  }

  get leftMs(): number {
    return this.ms - (this.#host.monotonicMs() - this.#startMs)
  }

  /** Ends the time limit; the caller's signal still counts. */
  stop(): void {
    this.#timer?.cancel()
  }

  [Symbol.dispose](): void {
    this.stop()
    this.#stopListening()
  }
}
