import type { HttpHandler, HttpHeaders, ServerRequest, ServerResponse } from '../http.ts'
import {
  checkAnswer,
  framedHeaders,
  internalServerError,
  lowerCaseHeaders,
  mayHaveBody,
} from '../message.ts'
import { handlerFailureLine, repeatableErrorText, requestBodyLost } from '../network-error.ts'
import { discardBody, type Pump } from '../pump-body.ts'
import { Inbox } from './inbox.ts'
import type { Outbox } from './wire.ts'

/** How a call answers. A call without a line back is a repetition: its answer reaches nobody. */
export interface LineBack {
  head(status: number, headers: HttpHeaders): void
  readonly outbox: Outbox
  reset(): void
}

/** What a call is about and whom it reports to. */
export interface VirtualCallOptions {
  readonly request: Pick<ServerRequest, 'method' | 'path' | 'peer'> & { headers: HttpHeaders }
  readonly handle: HttpHandler
  readonly log: (line: string) => void
  readonly lineBack: LineBack | undefined
  /** The handler read this much of the request's body. */
  taken(sizeBytes: number): void
  finished(call: VirtualCall): void
}

/** One request that a virtual server received, until its answer is out or its client is gone. */
export class VirtualCall {
  readonly inbox: Inbox
  readonly #options: VirtualCallOptions
  readonly #controller = new AbortController()
  #pump: Pump | undefined
  #over = false

  constructor(options: VirtualCallOptions) {
    this.#options = options
    this.inbox = new Inbox({
      taken: (sizeBytes) => options.taken(sizeBytes),
      cancelled: () => undefined,
      drained: () => undefined,
    })
  }

  async run(): Promise<void> {
    const { method, path, headers, peer } = this.#options.request
    const request: ServerRequest = {
      method,
      path,
      headers: lowerCaseHeaders(headers),
      body: this.inbox.body,
      signal: this.#controller.signal,
      peer,
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

  /** The client is gone, or the server does not wait for the handler any more. */
  abandon(): void {
    if (this.#over) return
    this.#over = true
    this.#pump?.stop()
    this.inbox.fail(requestBodyLost(this.#options.request))
    this.#options.finished(this)
    this.#controller.abort()
  }

  /** The server closes: the client is told by a reset. */
  cut(): void {
    if (!this.#over) this.#options.lineBack?.reset()
    this.abandon()
  }

  #answer({ status, headers, body }: ServerResponse): void {
    const { lineBack, request } = this.#options
    const isStream = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)
    const wanted = mayHaveBody(request.method, status)
    if (isStream && (this.#over || !wanted || lineBack === undefined)) discardBody(body)
    if (this.#over) return
    if (lineBack === undefined) {
      this.#finish()
      return
    }
    const framed = framedHeaders(headers, body)
    if (!wanted) delete framed['transfer-encoding']
    lineBack.head(status, framed)
    this.#pump = lineBack.outbox.send(wanted ? body : undefined, {
      end: () => this.#finish(),
      fail: (error) => {
        this.#options.log(handlerFailureLine(request, repeatableErrorText(error)))
        this.cut()
      },
    })
  }

  #finish(): void {
    this.#over = true
    this.inbox.discard()
    this.#options.finished(this)
  }
}
