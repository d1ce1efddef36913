import type { Timer } from 'setpoint/host'
import { inScope, type ProcessScope } from './process-scope.ts'

/** The longest delay of Node's timers; longer ones count as 1 ms there, so here too. */
const delayMsMax = 2 ** 31 - 1

/** What a timer does, and when. */
interface TimerOptions {
  readonly delayMs: unknown
  readonly run: () => unknown
  readonly isRepeated?: boolean
}

/** A timer in virtual time, with the methods of Node's timers. It ends with its process. */
export class SimulatedTimer implements Disposable {
  readonly #scope: ProcessScope
  readonly #options: TimerOptions
  #timer: Timer

  constructor(scope: ProcessScope, options: TimerOptions) {
    this.#scope = scope
    this.#options = options
    this.#timer = this.#start()
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return true
  }

  refresh(): this {
    this.#timer.cancel()
    this.#timer = this.#start()
    return this
  }

  close(): this {
    this.#timer.cancel()
    return this
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #start(): Timer {
    const { run, isRepeated } = this.#options
    const delayMs = Number(this.#options.delayMs)
    const waitMs = delayMs >= 1 && delayMs <= delayMsMax ? delayMs : 1
    return this.#scope.host.setTimer(waitMs, () => {
      if (isRepeated === true) this.#timer = this.#start()
      inScope(this.#scope, () => {
        try {
          run()
        } catch (error) {
          this.#scope.uncaught(error)
        }
      })
    })
  }
}
