import * as http from 'node:http'
import * as https from 'node:https'
import type { Socket } from 'node:net'
import { createBody } from '../body.ts'
import type { HttpBody, HttpHeaders, HttpRequest, HttpResponse } from '../http.ts'
import { FREE_SOCKETS_MAX, TCP_KEEP_ALIVE_MS } from '../limits.ts'
import { declaredLength, isStream, mayHaveBody } from '../message.ts'
import { networkError } from '../network-error.ts'
import { abortedError, onAbort } from '../on-abort.ts'
import { type Pump, pumpBody } from '../pump-body.ts'
import { type SendableRequest, sendableRequest } from '../sendable-request.ts'
import type { AgentPool } from './agent-pool.ts'
import { setNodeTimer } from './node-timer.ts'
import { type ConnectionPhase, requestFailure } from './request-failure.ts'
import { endMessage, flushHead } from './send-message.ts'
import { streamBody } from './stream-body.ts'

/** A pooled connection had been closed by the server before it saw anything of the request. */
const STALE = Symbol('stale connection')

/**
 * Sends one request. A connection from the pool may be dead already; a request that is safe to
 * repeat (GET or HEAD, no body, nothing of an answer seen) then moves on to the next one. Every
 * dead connection leaves the pool, so this ends at a fresh one.
 */
export async function nodeRequest(agents: AgentPool, options: HttpRequest): Promise<HttpResponse> {
  const request = sendableRequest(options)
  const { what, url, tls, signal } = request
  const agent = agents.agentFor(url.protocol === 'https:', tls)
  for (let attempt = 0; ; attempt += 1) {
    if (signal?.aborted) throw abortedError(what, signal)
    const response = await new Attempt(request, agent).run()
    if (response !== STALE) return response
    if (attempt >= FREE_SOCKETS_MAX) {
      throw networkError('NETWORK_CONNECTION_LOST', what, {
        why: `the server closed ${attempt + 1} connections in a row before answering`,
      })
    }
  }
}

/** One request on one connection, from the first byte sent to the last one read. */
class Attempt {
  readonly #options: SendableRequest
  readonly #what: string
  readonly #request: http.ClientRequest
  readonly #secure: boolean
  #phase: ConnectionPhase = 'connecting'
  #bytesReadBefore = 0
  /** Why this side ended the request, when it was this side. */
  #reason: Error | undefined
  #pump: Pump | undefined

  constructor(options: SendableRequest, agent: http.Agent) {
    const { method, url, headers } = options
    this.#options = options
    this.#what = options.what
    this.#secure = url.protocol === 'https:'
    try {
      const send = this.#secure ? https.request : http.request
      this.#request = send(url, { method, headers, agent })
    } catch (cause) {
      // The request itself was checked: what is left to refuse is the key material.
      const why = cause instanceof Error ? cause.message : String(cause)
      throw networkError('NETWORK_TLS_FAILED', this.#what, { why, cause })
    }
  }

  run(): Promise<HttpResponse | typeof STALE> {
    const { signal } = this.#options
    const stopWaiting = onAbort(signal, () => {
      if (signal !== undefined) this.#end(abortedError(this.#what, signal))
    })
    return new Promise((resolve, reject) => {
      this.#request
        .on('socket', (socket) => this.#watchConnection(socket))
        .on('response', (message) => resolve(this.#respond(message)))
        .on('error', (error) => {
          if (this.#isStale(error)) resolve(STALE)
          else reject(this.#reason ?? requestFailure(this.#what, this.#phase, error))
        })
        .on('close', () => {
          stopWaiting()
          this.#pump?.stop()
        })
      this.#send()
    })
  }

  #end(reason: Error): void {
    this.#reason ??= reason
    this.#request.destroy()
  }

  #watchConnection(socket: Socket): void {
    this.#bytesReadBefore = socket.bytesRead
    if (this.#request.reusedSocket || !socket.connecting) {
      this.#phase = 'established'
      return
    }
    socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS)
    const timeoutMs = this.#options.connectTimeoutMs
    const timeout = setNodeTimer(timeoutMs, () => {
      const why = `no connection within ${timeoutMs} ms`
      this.#end(networkError('NETWORK_CONNECT_FAILED', this.#what, { why }))
    })
    const established = () => {
      this.#phase = 'established'
      timeout.cancel()
    }
    socket.once('close', () => timeout.cancel())
    socket.once('connect', () => {
      this.#phase = 'handshaking'
      if (!this.#secure) established()
    })
    socket.once('secureConnect', established)
  }

  #send(): void {
    const { body, headers } = this.#options
    if (!isStream(body)) {
      endMessage(this.#request, body)
      return
    }
    flushHead(this.#request)
    const sink = {
      write: (chunk: Uint8Array) =>
        this.#request.write(chunk)
          ? undefined
          : new Promise<void>((resolve) => this.#request.once('drain', resolve)),
      end: () => void this.#request.end(),
      fail: (error: Error) => this.#end(error),
    }
    this.#pump = pumpBody(body, sink, declaredLength(headers))
  }

  #isStale(error: Error): boolean {
    const { method, body } = this.#options
    const code = 'code' in error ? error.code : undefined
    return (
      this.#reason === undefined &&
      this.#request.reusedSocket &&
      (code === 'ECONNRESET' || code === 'EPIPE') &&
      (method === 'GET' || method === 'HEAD') &&
      body === undefined &&
      this.#request.socket?.bytesRead === this.#bytesReadBefore
    )
  }

  #respond(message: http.IncomingMessage): HttpResponse {
    const status = message.statusCode ?? 0
    message.once('end', () => {
      if (this.#request.writableFinished) return
      // The server has said everything and does not want the rest of the upload.
      this.#pump?.stop()
      this.#request.destroy()
    })
    return { status, headers: receivedHeaders(message), body: this.#responseBody(message, status) }
  }

  #responseBody(message: http.IncomingMessage, status: number): HttpBody {
    if (!mayHaveBody(this.#options.method, status) || message.headers['content-length'] === '0') {
      // Nobody reads what is known to be empty, yet the connection is free only after its end.
      message.resume()
      return createBody({ next: () => Promise.resolve(undefined), cancel: () => undefined })
    }
    return streamBody(message, {
      ended: () => this.#reason,
      lost: (cause) =>
        this.#reason ??
        networkError('NETWORK_CONNECTION_LOST', this.#what, {
          why: 'the connection closed before the end of the answer',
          cause,
        }),
      cancel: () => this.#request.destroy(),
    })
  }
}

/** Node joins repeated headers itself, but for `set-cookie`. */
export function receivedHeaders(message: http.IncomingMessage): HttpHeaders {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return headers
}
