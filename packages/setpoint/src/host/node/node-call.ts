import type { IncomingMessage, ServerResponse as NodeResponse } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { HttpHandler, PeerCertificate, ServerRequest, ServerResponse } from '../http.ts'
import { checkAnswer, framedHeaders, internalServerError, mayHaveBody } from '../message.ts'
import { errorText, handlerFailureLine, requestBodyLost } from '../network-error.ts'
import { peerCertificate } from '../peer-certificate.ts'
import { discardBody, pumpBody } from '../pump-body.ts'
import { receivedHeaders } from './node-client.ts'
import { streamBody } from './stream-body.ts'

/** What one call needs from its server. */
interface NodeCallContext {
  readonly handle: HttpHandler
  readonly log: (line: string) => void
  /** A closing server does not keep connections for further requests. */
  isClosing(): boolean
}

/** One request that a Node server received, until its answer is out or its client is gone. */
export class NodeCall {
  readonly #context: NodeCallContext
  readonly #message: IncomingMessage
  readonly #response: NodeResponse
  readonly #controller = new AbortController()

  constructor(context: NodeCallContext, message: IncomingMessage, response: NodeResponse) {
    this.#context = context
    this.#message = message
    this.#response = response
    response.on('close', () => {
      if (!response.writableFinished) this.abort()
    })
    response.on('finish', () => this.#skipRestOfRequest())
    // A broken connection is reported by 'close'; without a listener it would end the process.
    response.on('error', () => undefined)
  }

  /** Tells the handler that nobody waits for its answer any more. */
  abort(): void {
    this.#controller.abort()
  }

  async run(): Promise<void> {
    const request = this.#request()
    let answer: ServerResponse
    try {
      answer = await this.#context.handle(request)
      checkAnswer(answer)
      this.#writeHead(request.method, answer)
    } catch (error) {
      this.#context.log(handlerFailureLine(request, errorText(error)))
      answer = internalServerError
      this.#writeHead(request.method, answer)
    }
    this.#sendBody(request, answer)
  }

  #request(): ServerRequest {
    const message = this.#message
    const method = message.method ?? 'GET'
    const path = message.url ?? '/'
    const certificate = certificateOf(message)
    return {
      method,
      path,
      headers: receivedHeaders(message),
      body: streamBody(message, {
        lost: () => requestBodyLost({ method, path }),
        cancel: () => {
          // The rest is discarded while the answer is sent; then the connection closes, because an
          // endless upload must not be able to hold it.
          this.#response.shouldKeepAlive = false
          message.resume()
        },
      }),
      signal: this.#controller.signal,
      peer: {
        address: message.socket.remoteAddress ?? '',
        ...(certificate === undefined ? {} : { certificate }),
      },
    }
  }

  #writeHead(method: string, answer: ServerResponse): void {
    if (this.#context.isClosing()) this.#response.shouldKeepAlive = false
    const headers = framedHeaders(answer.headers, answer.body)
    if (!mayHaveBody(method, answer.status)) delete headers['transfer-encoding']
    this.#response.writeHead(answer.status, headers)
  }

  #sendBody(request: ServerRequest, { status, body }: ServerResponse): void {
    const response = this.#response
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
      response.end(mayHaveBody(request.method, status) ? body : undefined)
      return
    }
    if (!mayHaveBody(request.method, status) || response.destroyed) {
      discardBody(body)
      response.end()
      return
    }
    response.flushHeaders()
    const pump = pumpBody(body, {
      write: (chunk) =>
        response.write(chunk)
          ? undefined
          : new Promise((resolve) => response.once('drain', resolve)),
      end: () => response.end(),
      fail: (error) => {
        this.#context.log(handlerFailureLine(request, errorText(error)))
        response.destroy()
      },
    })
    response.on('close', () => pump.stop())
  }

  #skipRestOfRequest(): void {
    if (this.#message.readableEnded) return
    this.#message.removeAllListeners('readable')
    this.#message.resume()
  }
}

function certificateOf(message: IncomingMessage): PeerCertificate | undefined {
  if (!(message.socket instanceof TLSSocket)) return undefined
  const certificate: { raw?: Uint8Array; subject?: object } | null =
    message.socket.getPeerCertificate()
  const { raw, subject } = certificate
  if (raw === undefined || subject === undefined) return undefined
  return peerCertificate({ raw, subject }, message.socket.authorized)
}
