import { createBody, joinBytes } from '../../http/body.ts'
import type { Timer } from '../../host.ts'
import type { HttpResponse } from '../../http/http.ts'
import { WINDOW_BYTES } from '../../limits.ts'
import { networkError, timeoutError } from '../../http/network-error.ts'
import { abortedError, onAbort } from '../../on-abort.ts'
import type { SendableRequest } from '../../http/sendable-request.ts'
import { DoubleBuffer } from './double-buffer.ts'
import { setNodeTimer } from '../node-timer.ts'
import { type ConnectionPhase, requestFailure } from './request-failure.ts'
import type { ResponseHead } from './response-reader.ts'
import { isSafeToRepeat, sentOnLive, STALE } from './stale-connection.ts'
import type { ExchangeSink, Http1Connection } from './http1-connection.ts'
import type { Http1Pool } from './http1-pool.ts'

/**
 * Sends a request with a known body and without a proxy, as nearly all are. Node's own client takes
 * four times as long (decision 0014).
 */
export function http1Request(pool: Http1Pool, request: SendableRequest): Promise<HttpResponse> {
  const bytes = requestBytes(request)
  return sentOnLive(request, () => new Exchange(pool, request).run(bytes))
}

/** The bytes of the request: its headers were validated, so that no value can inject a line. */
function requestBytes({ method, target, url, headers, body }: SendableRequest): Uint8Array {
  let head = `${method} ${target} HTTP/1.1\r\n`
  if (headers['host'] === undefined) head += `host: ${url.host}\r\n`
  for (const name in headers) {
    const value = headers[name]
    if (!Array.isArray(value)) head += `${name}: ${value}\r\n`
    else for (const one of value) head += `${name}: ${one}\r\n`
  }
  head += headers['connection'] === undefined ? 'connection: keep-alive\r\n\r\n' : '\r\n'
  const payload = typeof body === 'string' ? Buffer.byteLength(body) : 0
  if (body instanceof Uint8Array) return Buffer.concat([Buffer.from(head, 'latin1'), body])
  const bytes = Buffer.allocUnsafe(head.length + payload)
  bytes.write(head, 'latin1')
  if (typeof body === 'string') bytes.write(body, head.length, 'utf8')
  return bytes
}

/** One request and its response on one connection. */
class Exchange implements ExchangeSink {
  readonly #pool: Http1Pool
  readonly #request: SendableRequest
  readonly #connection: Http1Connection
  #phase: ConnectionPhase = 'connecting'
  #resolve: (response: HttpResponse | typeof STALE) => void = () => undefined
  #reject: (error: Error) => void = () => undefined
  #stopWaiting: () => void = () => undefined
  #timeout: Timer | undefined
  #hasHead = false
  #bytesReadBefore = 0
  /** The received chunks that were not read yet. */
  readonly #chunks: Uint8Array[] = []
  /** The unread chunks for a reader that uses a chunk only until it asks for the next one. */
  readonly #doubleBuffer: DoubleBuffer | undefined
  #unreadBytes = 0
  #isEnded = false
  /** Why this side ended the exchange, or how the connection failed. */
  #failure: Error | undefined
  #wake: () => void = () => undefined

  constructor(pool: Http1Pool, request: SendableRequest) {
    this.#pool = pool
    this.#request = request
    this.#doubleBuffer = request.reusesBuffers ? new DoubleBuffer() : undefined
    try {
      this.#connection = pool.take(request.url, request.tls)
    } catch (cause) {
      // The request itself is valid: only the key material can be refused here.
      const why = cause instanceof Error ? cause.message : String(cause)
      throw networkError('NETWORK_TLS_FAILED', request.what, { why, cause })
    }
  }

  run(bytes: Uint8Array): Promise<HttpResponse | typeof STALE> {
    const { signal, what, method, timeoutMs } = this.#request
    this.#stopWaiting = onAbort(signal, () => {
      if (signal !== undefined) this.#fail(abortedError(what, signal))
    })
    if (timeoutMs !== Infinity) {
      this.#timeout = setNodeTimer(timeoutMs, () => this.#fail(timeoutError(what, timeoutMs)))
    }
    const connection = this.#connection
    this.#bytesReadBefore = connection.socket.bytesRead
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      connection.begin(method, this)
      const isConnecting = connection.socket.connecting
      const waits = isConnecting && this.#request.beforeSend !== undefined
      if (isConnecting) this.#watchConnecting(() => waits && this.#write(bytes))
      else this.#phase = 'established'
      if (!waits) this.#write(bytes)
    })
  }

  #write(bytes: Uint8Array): void {
    try {
      this.#request.beforeSend?.()
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)))
      return
    }
    this.#connection.socket.write(bytes)
  }

  head(head: ResponseHead): void {
    this.#hasHead = true
    if (this.#request.timeoutOf === 'head') this.#timeout?.cancel()
    const body = createBody({
      next: () => this.#next(),
      cancel: () => this.#cancel(),
      takeWhole: () => this.#takeWhole(),
    })
    this.#resolve({ status: head.status, headers: head.headers, body })
  }

  body(chunk: Uint8Array): void {
    if (this.#doubleBuffer !== undefined) this.#doubleBuffer.add(chunk)
    else this.#chunks.push(Buffer.from(chunk))
    this.#unreadBytes += chunk.length
    if (this.#unreadBytes > WINDOW_BYTES) this.#connection.socket.pause()
    this.#wake()
  }

  end(keepsAlive: boolean): void {
    this.#isEnded = true
    this.#timeout?.cancel()
    if (this.#unreadBytes === 0) this.#stopWaiting()
    const connection = this.#connection
    if (connection.socket.isPaused()) connection.socket.resume()
    if (keepsAlive) this.#pool.release(connection)
    else connection.socket.destroy()
    this.#wake()
  }

  lost(error: Error | undefined): void {
    const { what } = this.#request
    const why = error ?? new HungUpError()
    if (!this.#hasHead && this.#failure === undefined && this.#isStale(why)) {
      this.#timeout?.cancel()
      this.#stopWaiting()
      this.#resolve(STALE)
      return
    }
    if (this.#hasHead && error === undefined) {
      const text = 'the connection closed before the end of the response'
      this.#fail(networkError('NETWORK_CONNECTION_LOST', what, { why: text }))
      return
    }
    this.#fail(requestFailure(what, this.#phase, why))
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#timeout?.cancel()
    this.#stopWaiting()
    // After the end of the response the connection belongs to another exchange.
    if (!this.#isEnded) this.#connection.socket.destroy()
    if (!this.#hasHead) this.#reject(this.#failure)
    this.#wake()
  }

  /**
   * Whether the server had closed the connection before this request, which can then be sent again.
   */
  #isStale(error: Error): boolean {
    const { isReused, socket } = this.#connection
    const isUnanswered = socket.bytesRead === this.#bytesReadBefore
    return isReused && isUnanswered && isSafeToRepeat(this.#request, error)
  }

  async #next(): Promise<Uint8Array | undefined> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure
      if (this.#unreadBytes > 0) {
        if (this.#isEnded) this.#stopWaiting()
        else if (this.#unreadBytes > WINDOW_BYTES) this.#connection.socket.resume()
        return this.#takeChunks()
      }
      if (this.#isEnded) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /**
   * All received chunks joined: servers send pieces so small that waiting for each costs more than
   * joining.
   */
  #takeChunks(): Uint8Array {
    this.#unreadBytes = 0
    if (this.#doubleBuffer !== undefined) return this.#doubleBuffer.take()
    const chunks = this.#chunks.splice(0)
    const [first] = chunks
    return chunks.length === 1 && first !== undefined ? first : joinBytes(chunks)
  }

  #takeWhole(): Uint8Array | undefined {
    if (!this.#isEnded || this.#failure !== undefined) return undefined
    this.#stopWaiting()
    return this.#takeChunks()
  }

  #cancel(): void {
    this.#timeout?.cancel()
    this.#stopWaiting()
    this.#chunks.length = 0
    this.#unreadBytes = 0
    if (!this.#isEnded) this.#connection.socket.destroy()
    this.#isEnded = true
    this.#wake()
  }

  #watchConnecting(onEstablished: () => void): void {
    const { connectTimeoutMs, url, what } = this.#request
    const { socket } = this.#connection
    const timeout = setNodeTimer(connectTimeoutMs, () => {
      const why = `no connection within ${connectTimeoutMs} ms`
      this.#fail(networkError('NETWORK_CONNECT_FAILED', what, { why }))
    })
    const established = (): void => {
      this.#phase = 'established'
      timeout.cancel()
      onEstablished()
    }
    socket.once('close', () => timeout.cancel())
    socket.once('connect', () => {
      this.#phase = 'handshaking'
      if (url.protocol !== 'https:') established()
    })
    socket.once('secureConnect', established)
  }
}

/** The server closed the connection in order, which Node reports as a reset. */
class HungUpError extends Error {
  readonly code = 'ECONNRESET'

  constructor() {
    super('the server closed the connection')
  }
}
