import type { SimMessage } from '../sim/index.ts'
import { startWorker, type Worker } from '../system/index.ts'

/** The hidden command that simulates the operators in another process. */
const simCommandName = 'simulate-for-dev'

/** How many lines of output are kept to explain why a process ended. */
const outputMax = 5

/**
 * Simulates the operators after each save, in another process: neither the operators nor the
 * screen wait for it. The next save kills a simulation of older sources.
 */
export class Simulations implements Disposable {
  readonly #file: string
  readonly #onMessage: (message: SimMessage) => void
  #current: Worker<never, SimMessage> | undefined

  constructor(file: string, onMessage: (message: SimMessage) => void) {
    this.#file = file
    this.#onMessage = onMessage
  }

  /** Simulates the present sources. */
  start(): void {
    this.stop()
    const output: string[] = []
    let isReported = false
    const report = (message: SimMessage): void => {
      if (this.#current !== worker || isReported) return
      isReported = true
      this.stop()
      this.#onMessage(message)
    }
    const worker = startWorker<never, SimMessage>([simCommandName, this.#file], {
      onMessage: report,
      onLine: (line) => void (output.length < outputMax && output.push(line)),
    })
    this.#current = worker
    void worker.ended.then(() =>
      report({ is: 'not-simulated', why: output.join(' ') || 'its process ended' }),
    )
  }

  /** Kills a running simulation; its sources are old. */
  stop(): void {
    this.#current?.kill()
    this.#current = undefined
  }

  [Symbol.dispose](): void {
    this.stop()
  }
}
