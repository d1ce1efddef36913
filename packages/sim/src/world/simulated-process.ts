import { SetpointError } from 'setpoint'
import { type Host, type HttpRequest, type HttpResponse, readText } from 'setpoint/host'
import { authorLine } from './author-line.ts'
import { requestTarget, type RequestTarget } from './request-target.ts'
import { reversedList } from './reversed-list.ts'

/** What happens to one request. */
export type RequestFault = 'crash-before' | 'crash-after' | 'crash-late' | 'lose-answer'

/** What the process wants, and how the world interferes. */
interface ProcessOptions {
  readonly host: Host
  /**
   * Called before a request to the Kubernetes API is sent, with the author's line that caused it;
   * its result decides what happens.
   */
  readonly onRequest: (target: RequestTarget, line: string | undefined) => ProcessRequest
  /** Answers requests to systems outside of the cluster; `undefined` for those to the API. */
  readonly external: (request: HttpRequest) => Promise<HttpResponse> | undefined
  /** Called after the process has ended by a fault. */
  readonly onCrash: () => void
  /** How far the wall clock of the process is ahead. */
  readonly clockAheadMs: () => number
  /** Whether lists are answered in another order than usual. */
  readonly reversesLists: () => boolean
}

/** One request, as the world sees it. */
interface ProcessRequest {
  /** Resolves before the request is sent; what happens until then comes first. */
  readonly fault: Promise<RequestFault | undefined> | RequestFault | undefined
  /** Called when it is sent, which a fault may delay. */
  readonly sent: () => void
  readonly answered: (status: number) => void
}

const bodyMax = 64 * 1024 * 1024

/** When a request of a process that crashed is executed: after the next process has started. */
const lateMs = 6000

/**
 * A process that can be ended at any moment without a chance to clean up: its timers no longer run,
 * and its answers never arrive. It can also be paused. It reaches the world only through `host`.
 */
export class SimulatedProcess {
  readonly host: Host
  readonly #options: ProcessOptions
  readonly #ended = new AbortController()
  #pause: { readonly over: Promise<void>; readonly end: () => void } | undefined

  constructor(options: ProcessOptions) {
    const { host } = options
    this.#options = options
    this.host = {
      ...host,
      now: () => host.now() + options.clockAheadMs(),
      log: () => undefined,
      setTimer: (ms, run) => host.setTimer(ms, () => void this.#whenRunning(run)),
      sleep: async (ms, signal) => this.#whileAlive(host.sleep(ms, signal)),
      // The stack is read before the first await: later it does not lead to the author's code.
      request: async (request) =>
        this.#request(request, request.method === 'GET' ? undefined : authorLine()),
    }
  }

  get isAlive(): boolean {
    return !this.#ended.signal.aborted
  }

  /** Ends the process as `kill -9` does. */
  kill(): void {
    this.#ended.abort()
  }

  /** Stops the process as SIGSTOP does: nothing happens in it until it is resumed. */
  pause(): void {
    if (this.#pause !== undefined) return
    let end = (): void => undefined
    const over = new Promise<void>((resolve) => (end = resolve))
    this.#pause = { over, end }
  }

  resume(): void {
    const pause = this.#pause
    this.#pause = undefined
    pause?.end()
  }

  #whenRunning(run: () => void): void {
    if (!this.isAlive) return
    if (this.#pause === undefined) run()
    else void this.#pause.over.then(() => this.#whenRunning(run))
  }

  async #whileAlive<T>(promise: Promise<T>): Promise<T> {
    try {
      const value = await promise
      await this.#running()
      return value
    } catch (error) {
      await this.#running()
      throw error
    }
  }

  /** Resolves while the process runs: later if it is paused, never if it has ended. */
  async #running(): Promise<void> {
    while (this.isAlive && this.#pause !== undefined) await this.#pause.over
    if (!this.isAlive) await never()
  }

  async #request(request: HttpRequest, line: string | undefined): Promise<HttpResponse> {
    await this.#running()
    const outside = this.#options.external(request)
    if (outside !== undefined) return this.#whileAlive(outside)
    const target = requestTarget(request.method, request.url)
    if (target === undefined) return this.#send(request)
    const { fault, ...events } = this.#options.onRequest(target, line)
    const decided = fault instanceof Promise ? await this.#whileAlive(fault) : fault
    if (decided !== undefined) return this.#disturb(request, decided, events)
    events.sent()
    const response = await this.#send(request)
    events.answered(response.status)
    const isReversed = target.verb === 'list' && this.#options.reversesLists()
    return isReversed ? reversedList(response) : response
  }

  async #send(request: HttpRequest): Promise<HttpResponse> {
    const { signal } = this.#ended
    const own = request.signal === undefined ? signal : AbortSignal.any([request.signal, signal])
    const response = await this.#whileAlive(this.#options.host.request({ ...request, signal: own }))
    return { ...response, body: this.#body(response) }
  }

  /** Faults around a request. The server executes it without the process's knowledge, or never. */
  async #disturb(
    request: HttpRequest,
    fault: RequestFault,
    { sent, answered }: Omit<ProcessRequest, 'fault'>,
  ): Promise<HttpResponse> {
    const { host } = this.#options
    const execute = async (): Promise<void> => {
      sent()
      const response = await host.request({ ...request, signal: undefined })
      answered(response.status)
      await readText(response.body, bodyMax)
    }
    if (fault === 'crash-late') host.setTimer(lateMs, () => void execute().catch(ignoreLost))
    if (fault === 'crash-after' || fault === 'lose-answer') await execute()
    if (fault === 'lose-answer') {
      await this.#running()
      throw new SetpointError('NETWORK_CONNECTION_LOST', 'the connection was lost', {
        hint: 'the simulator lost the answer of a write that was executed',
      })
    }
    this.crash()
    return never()
  }

  /** Ends the process by a fault. */
  crash(): void {
    if (!this.isAlive) return
    this.kill()
    this.#options.onCrash()
  }

  #body({ body }: HttpResponse): HttpResponse['body'] {
    return {
      [Symbol.asyncIterator]: () => {
        const reader = body[Symbol.asyncIterator]()
        return {
          next: async () => this.#whileAlive(reader.next()),
          return: async () => reader.return(),
        }
      },
      takeWhole: () => (this.isAlive && this.#pause === undefined ? body.takeWhole?.() : undefined),
    }
  }
}

/** The world ended before the late request was executed. */
function ignoreLost(): void {}

async function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined)
}
