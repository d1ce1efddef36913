import { CutConnection, onAbort, type HttpBody, type Timer, type Timers } from 'setpoint/host'
import { timeoutMsOf } from '../options/request-timeout.ts'
import { isLongRunning } from '../http/long-running.ts'
import type { RequestInfo } from '../http/request-info.ts'

/** The time in which a real server completes a request. */
const requestMsMax = 60_000

/** Ends a request to another server that takes too long, or whose client has left. */
export class RequestDeadline {
  readonly #controller = new AbortController()
  readonly #timer: Timer | undefined
  isOver = false

  constructor(
    host: Timers,
    { info, client }: { readonly info: RequestInfo; readonly client: AbortSignal },
  ) {
    onAbort(client, () => this.#controller.abort())
    if (isLongRunning(info)) return
    const timeoutMs = Math.min(timeoutMsOf(info) ?? requestMsMax, requestMsMax)
    this.#timer = host.setTimer(timeoutMs, () => {
      this.isOver = true
      this.#controller.abort()
    })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The request is complete, or has switched to another protocol. */
  cancel(): void {
    this.#timer?.cancel()
  }

  /** The body of the answer. If it is late, its client sees a broken connection. */
  async *limited(body: HttpBody): AsyncGenerator<Uint8Array> {
    try {
      yield* body
    } catch (error) {
      throw this.isOver ? new CutConnection() : error
    } finally {
      this.cancel()
    }
  }
}
