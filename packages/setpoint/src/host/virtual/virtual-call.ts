import type { HttpHandler, HttpHeaders, ServerRequest, ServerResponse } from '../http/http.ts'
import { LINGER_MS } from '../limits.ts'
import {
  checkAnswer,
  declaredLength,
  framedHeaders,
  internalServerError,
  isStream,
  mayHaveBody,
  receivedHeaders,
} from '../http/message.ts'
import { handlerFailureLine, repeatableErrorText, requestBodyLost } from '../http/network-error.ts'
import { discardBody, type Pump } from '../http/pump-body.ts'
import { Inbox } from './inbox.ts'
import type { Lane } from './lane.ts'
import type { Scheduler } from './scheduler.ts'
import type { Outbox } from './wire.ts'

/** How a call answers. A call without a line back is a repetition: its answer reaches nobody. */
export interface LineBack {
  head(status: number, headers: HttpHeaders): void
  readonly outbox: Outbox
  reset(): void
}

/** What a call is about and whom it reports to. */
export interface VirtualCallOptions {
  readonly scheduler: Scheduler
  readonly request: Pick<ServerRequest, 'method' | 'path' | 'headers' | 'peer'>
  readonly handle: HttpHandler
  readonly log: (line: string) => void
  readonly lineBack: LineBack | undefined
  /** The handler read this much of the request's body. */
  taken(sizeBytes: number): void
  /** The answer is out or the client is gone, and nothing of the request is still to come. */
  finished(call: VirtualCall): void
}

/** One request that a virtual server received, until its answer is out or its client is gone. */
export class VirtualCall {
  readonly #inbox: Inbox
  readonly #options: VirtualCallOptions
  /** Made when a handler asks for its signal: most answer before anybody could go away. */
  #controller: AbortController | undefined
  #isAbandoned = false
  #pump: Pump | undefined
  #requestEnded = false
  #linger: Lane | undefined
  /** Answering, then perhaps waiting for the rest of the request, then over. */
  #state: 'answering' | 'lingering' | 'over' = 'answering'

  constructor(options: VirtualCallOptions) {
    this.#options = options
    this.#inbox = new Inbox({
      taken: (sizeBytes) => options.taken(sizeBytes),
      cancelled: () => undefined,
      drained: () => undefined,
    })
  }

  async run(): Promise<void> {
    const { method, path, headers, peer } = this.#options.request
    const signalOf = (): AbortSignal => this.#signal
    const request: ServerRequest = {
      method,
      path,
      headers,
      peer,
      body: this.#inbox.body,
      get signal() {
        return signalOf()
      },
    }
    try {
      const answer = await this.#options.handle(request)
      checkAnswer(answer)
      this.#answer(answer)
    } catch (error) {
      this.#options.log(handlerFailureLine(request, repeatableErrorText(error)))
      this.#answer(internalServerError)
    }
  }

  /** A chunk of the request's body is here. */
  deliver(chunk: Uint8Array): void {
    this.#inbox.deliver(chunk)
  }

  /** The request is here as a whole. */
  endRequest(): void {
    this.#requestEnded = true
    this.#inbox.end()
    if (this.#state === 'lingering') this.#leave()
  }

  /** The client is gone, or the server does not wait for the handler any more. */
  abandon(): void {
    const wasAnswering = this.#state === 'answering'
    this.#leave()
    if (!wasAnswering) return
    this.#pump?.stop()
    this.#inbox.fail(requestBodyLost(this.#options.request))
    this.#isAbandoned = true
    this.#controller?.abort()
  }

  /** The server closes: the client is told by a reset. */
  cut(): void {
    if (this.#state !== 'over') this.#options.lineBack?.reset()
    this.abandon()
  }

  get #signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#isAbandoned) this.#controller.abort()
    }
    return this.#controller.signal
  }

  #answer({ status, headers, body }: ServerResponse): void {
    const { lineBack, request } = this.#options
    const wanted = mayHaveBody(request.method, status)
    const framed = framedHeaders({ headers, body }, wanted)
    const over = this.#state === 'over'
    if (isStream(body) && (over || !wanted || lineBack === undefined)) discardBody(body)
    if (over) return
    if (lineBack === undefined) {
      this.#finish()
      return
    }
    lineBack.head(status, receivedHeaders(framed))
    const sink = {
      end: () => this.#finish(),
      fail: (error: Error) => {
        this.#options.log(handlerFailureLine(request, repeatableErrorText(error)))
        this.cut()
      },
    }
    this.#pump = lineBack.outbox.send(wanted ? body : undefined, sink, declaredLength(framed))
  }

  /** The answer is out. The rest of the request is waited for, but not for ever. */
  #finish(): void {
    this.#inbox.discard()
    if (this.#requestEnded) {
      this.#leave()
      return
    }
    const { scheduler, request } = this.#options
    const label = `upload after the answer to ${request.method} ${request.path}`
    this.#state = 'lingering'
    this.#linger = scheduler.after(LINGER_MS, { kind: 'timer', label, run: () => this.cut() })
  }

  #leave(): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#linger?.silence()
    this.#options.finished(this)
  }
}
