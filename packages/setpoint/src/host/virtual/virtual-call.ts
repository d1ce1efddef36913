import type { HttpHandler, HttpHeaders, ServerRequest, ServerResponse } from '../http/http.ts'
import { CutConnection } from '../http/cut-connection.ts'
import { LINGER_MS } from '../limits.ts'
import {
  checkResponse,
  declaredLength,
  framedHeaders,
  internalServerError,
  isStream,
  mayHaveBody,
  receivedHeaders,
} from '../http/message.ts'
import { handlerFailureLine, repeatableErrorText, requestBodyLost } from '../http/network-error.ts'
import { discardBody, type Pump } from '../http/pump-body.ts'
import { ReceiveBuffer } from './receive-buffer.ts'
import type { EventQueue } from './event-queue.ts'
import type { Scheduler } from './scheduler.ts'
import type { SendBuffer } from './virtual-connection.ts'

/** The channel of a response. A repeated request has none: its response is dropped. */
export interface ResponseChannel {
  head(status: number, headers: HttpHeaders): void
  readonly sendBuffer: SendBuffer
  reset(): void
}

/** The dependencies of a call. */
export interface VirtualCallOptions {
  readonly scheduler: Scheduler
  readonly request: Pick<ServerRequest, 'method' | 'path' | 'headers' | 'headerValues' | 'peer'>
  readonly handle: HttpHandler
  readonly log: (line: string) => void
  readonly responseChannel: ResponseChannel | undefined
  /** The handler read this much of the request's body. */
  taken(sizeBytes: number): void
  /** Called when the response is a watch, before its head is sent. */
  watching(): void
  /**
   * Called when the response is sent or the client has disconnected, and the request is complete.
   */
  finished(call: VirtualCall): void
}

/** One request of a virtual server, until its response is sent or its client has disconnected. */
export class VirtualCall {
  readonly #receiveBuffer: ReceiveBuffer
  readonly #options: VirtualCallOptions
  /** Created when a handler reads its signal: most respond before a client can disconnect. */
  #controller: AbortController | undefined
  #isAbandoned = false
  #pump: Pump | undefined
  #requestEnded = false
  #linger: EventQueue | undefined
  /** Responding, then perhaps waiting for the rest of the request, then over. */
  #state: 'answering' | 'lingering' | 'over' = 'answering'

  constructor(options: VirtualCallOptions) {
    this.#options = options
    this.#receiveBuffer = new ReceiveBuffer({
      taken: (sizeBytes) => options.taken(sizeBytes),
      cancelled: () => undefined,
      drained: () => undefined,
    })
  }

  async run(): Promise<void> {
    const { method, path, headers, headerValues, peer } = this.#options.request
    const signalOf = (): AbortSignal => this.#signal
    const request: ServerRequest = {
      method,
      path,
      headers,
      headerValues,
      peer,
      body: this.#receiveBuffer.body,
      get signal() {
        return signalOf()
      },
    }
    try {
      const answer = await this.#options.handle(request)
      checkResponse(answer)
      if (answer.isWatch === true) this.#options.watching()
      this.#answer(answer)
    } catch (error) {
      if (error instanceof CutConnection) {
        this.cut()
        return
      }
      this.#options.log(handlerFailureLine(request, repeatableErrorText(error)))
      this.#answer(internalServerError)
    }
  }

  /** A chunk of the request's body has arrived. */
  deliver(chunk: Uint8Array): void {
    this.#receiveBuffer.deliver(chunk)
  }

  /** The request is complete. */
  endRequest(): void {
    this.#requestEnded = true
    this.#receiveBuffer.end()
    if (this.#state === 'lingering') this.#leave()
  }

  /** The client has disconnected, or the server does not wait for the handler any more. */
  abandon(): void {
    const wasAnswering = this.#state === 'answering'
    this.#leave()
    if (!wasAnswering) return
    this.#pump?.stop()
    this.#receiveBuffer.fail(requestBodyLost(this.#options.request))
    this.#isAbandoned = true
    this.#controller?.abort()
  }

  /** The server closes: resets the client's connection. */
  cut(): void {
    if (this.#state !== 'over') this.#options.responseChannel?.reset()
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
    const { responseChannel, request } = this.#options
    const hasBody = mayHaveBody(request.method, status)
    const framed = framedHeaders({ headers, body }, hasBody)
    const over = this.#state === 'over'
    if (isStream(body) && (over || !hasBody || responseChannel === undefined)) discardBody(body)
    if (over) return
    if (responseChannel === undefined) {
      this.#finish()
      return
    }
    responseChannel.head(status, receivedHeaders(framed))
    const sink = {
      end: () => this.#finish(),
      fail: (error: Error) => {
        if (!(error instanceof CutConnection)) {
          this.#options.log(handlerFailureLine(request, repeatableErrorText(error)))
        }
        this.cut()
      },
    }
    this.#pump = responseChannel.sendBuffer.send(
      hasBody ? body : undefined,
      sink,
      declaredLength(framed),
    )
  }

  /** The response is sent. Waits for the rest of the request, for a limited time. */
  #finish(): void {
    this.#receiveBuffer.discard()
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
