import {
  type Host,
  type HttpBody,
  type HttpBodyIterator,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  onAbort,
  readBytes,
} from '../../host/index.ts'
import { abortedError } from '../../host/on-abort.ts'
import { inRequestSpan, isInSpan } from '../../trace/index.ts'
import type { ApiAnswer, ApiCall } from './api-call.ts'
import { ApiError, type ApiStatus, statusOf } from './api-error.ts'
import {
  answerOf,
  rateLimited,
  deadlineMsOf,
  isWrite,
  objectIn,
  overdue,
  refusalOf,
} from './call-outcome.ts'
import type { Connection, Credential } from '../connection/connection.ts'
import { kubeconfigOf } from '../connection/kubeconfig-of.ts'
import { type RateLimit, TokenBucket } from './rate-limit.ts'
import { isProtobuf } from './representation.ts'
import { statusOfProtobuf } from './status-of-protobuf.ts'
import { WarningSink } from './warnings.ts'

/** A response that arrives as a stream. */
export interface ApiStream {
  readonly headers: HttpHeaders
  readonly body: HttpBody
}

/** One HTTP request; a call has several when the server asked to retry. */
export interface RequestReport {
  readonly method: string
  /** The server with its port, as written in its address. */
  readonly host: string
  /** The HTTP status; `undefined` when there was no response. */
  readonly code: number | undefined
  /** The time until the head of the response. */
  readonly durationMs: number
}

/** The options of a transport; each has a default. */
export interface TransportOptions {
  readonly rateLimit?: RateLimit | undefined
  readonly userAgent?: string | undefined
  /** Called once for each different warning of the server. */
  readonly onWarning?: ((text: string) => void) | undefined
  /** Called after every request that was answered or failed. It must not throw. */
  readonly onRequest?: ((report: RequestReport) => void) | undefined
}

/** How often a call is repeated because the server asked for it. */
const retriesMax = 10

/** The longest accepted Retry-After; beyond it the refusal is thrown. */
const retryAfterMsMax = 60_000

const utf8 = new TextDecoder()

/** The largest response that is read completely. */
const answerBytesMax = 512 * 1024 * 1024

/** The largest refusal that is read; beyond it only its HTTP status is reported. */
const refusalBytesMax = 1024 * 1024

/**
 * Sends calls to one cluster: adds credentials, waits when the server asks for it, enforces
 * deadlines, and turns failures into errors that say whether a write may have happened.
 */
export class Transport {
  readonly #host: Host
  readonly #connection: Connection
  readonly #options: TransportOptions
  #bucket: TokenBucket | undefined
  #warnings: WarningSink
  #checkWrite: ((what: string) => void) | undefined
  readonly #userAgent: string
  readonly #hostName: string
  /** The address, to which paths are appended. */
  readonly #address: string

  constructor(host: Host, connection: Connection, options: TransportOptions = {}) {
    this.#host = host
    this.#connection = connection
    this.#options = options
    this.#bucket =
      options.rateLimit === undefined ? undefined : new TokenBucket(host, options.rateLimit)
    this.#warnings = new WarningSink(options.onWarning ?? (() => undefined))
    this.#userAgent = options.userAgent ?? 'setpoint'
    this.#hostName = hostNameOf(connection.server)
    this.#address = connection.server.replace(/\/$/, '')
  }

  /**
   * The same transport with a fence. `checkWrite` is called with a description before each write
   * connects, and again before its first byte is sent. It throws when the process must not write any more.
   */
  fenced(checkWrite: (what: string) => void): Transport {
    const fenced = new Transport(this.#host, this.#connection, this.#options)
    fenced.#bucket = this.#bucket
    fenced.#warnings = this.#warnings
    fenced.#checkWrite = checkWrite
    return fenced
  }

  /** A kubeconfig with the current credential, for another program. */
  async kubeconfig(): Promise<string> {
    return kubeconfigOf(this.#connection, await this.#connection.credentials.current())
  }

  /** Whether the server runs in this process. */
  get isLocal(): boolean {
    return this.#connection.isLocal === true
  }

  /** Milliseconds of a monotonic clock. */
  get nowMs(): number {
    return this.#host.monotonicMs()
  }

  /** Sends a call and reads its whole response as text. */
  async text(call: ApiCall): Promise<string> {
    return utf8.decode((await this.bytes(call)).bytes)
  }

  /** Sends a call and reads its response, which must be an API object. */
  async object(call: ApiCall): Promise<object> {
    return objectIn(call, await this.bytes(call))
  }

  /** Sends a call and reads its whole response as bytes. */
  async bytes(call: ApiCall): Promise<ApiAnswer> {
    const { headers, body } = await this.#sendWithRetries(call, 'end')
    return { headers, bytes: await answerOf(call, readBytes(body, answerBytesMax)) }
  }

  /** Sends a call whose response is a stream. The deadline applies until its head has arrived. */
  async stream(call: ApiCall): Promise<ApiStream> {
    return this.#sendWithRetries(call, 'head')
  }

  /** The successful response, after the retries that the server asked for. */
  async #sendWithRetries(call: ApiCall, timeoutOf: 'head' | 'end'): Promise<HttpResponse> {
    const { signal, endMs = this.nowMs + deadlineMsOf(call) } = call
    let hasNewCredentials = false
    for (let attempt = 0; ; attempt += 1) {
      if (this.#bucket !== undefined) await this.#waitForRateLimit(this.#bucket, call, endMs)
      const { credentials } = this.#connection
      // Without the timer and listener of #waitBeforeSend, which would be a large part of a call's cost.
      const credential =
        credentials.ready?.() ??
        (await this.#waitBeforeSend(call, endMs, () => credentials.current()))
      const timeoutMs = this.#leftMs(call, endMs)
      const request = this.#request(call, credential, { timeoutMs, timeoutOf })
      const response = await this.#sendFenced(call, request)
      this.#warnings.take(response.headers['warning'])
      if (response.status < 300) return response
      const error = new ApiError(call.what, await this.#statusOf(response, endMs))
      if (response.status === 401 && !hasNewCredentials) {
        hasNewCredentials = true
        credentials.refused(credential)
        continue
      }
      const refusal = refusalOf(call, error)
      const waitMs = this.#retryAfterMs(response)
      const isTooLong = waitMs > Math.min(retryAfterMsMax, endMs - this.nowMs)
      // A write that may have happened is not repeated, even if a gateway asks for it.
      if (refusal !== error || attempt >= retriesMax || isTooLong) throw refusal
      await this.#waitBeforeSend(call, endMs, () => this.#host.sleep(waitMs, signal))
    }
  }

  /** Waits for the rate limit; throws immediately when that would exceed the deadline. */
  async #waitForRateLimit(bucket: TokenBucket, call: ApiCall, endMs: number): Promise<void> {
    const waitMs = bucket.reserve(this.#leftMs(call, endMs))
    if (waitMs === undefined) throw rateLimited(call)
    if (waitMs === 0) return
    try {
      await this.#waitBeforeSend(call, endMs, () => this.#host.sleep(waitMs, call.signal))
    } catch (error) {
      bucket.giveBack()
      throw error
    }
  }

  /** Waits before a request is sent: an abort here means that nothing has happened. */
  async #waitBeforeSend<T>(call: ApiCall, endMs: number, wait: () => Promise<T>): Promise<T> {
    const leftMs = this.#leftMs(call, endMs)
    return new Promise((resolve, reject) => {
      const timer = this.#host.setTimer(leftMs, () => reject(overdue(call)))
      const stopWaiting = onAbort(call.signal, () => reject(abortedError(call.what, call.signal)))
      void wait()
        .then(resolve, reject)
        .finally(() => {
          timer.cancel()
          stopWaiting()
        })
    })
  }

  /** The remaining time of a call; throws when there is none. */
  #leftMs(call: ApiCall, endMs: number): number {
    if (call.signal?.aborted === true) throw abortedError(call.what, call.signal)
    const leftMs = endMs - this.nowMs
    if (leftMs <= 0) throw overdue(call)
    return leftMs
  }

  #request(
    { method, path, query, headers, body, signal, reusesBuffers }: ApiCall,
    credential: Credential,
    timeout: Pick<HttpRequest, 'timeoutMs' | 'timeoutOf'>,
  ): HttpRequest {
    return {
      method,
      url: this.#address + path + queryText(query),
      headers: {
        accept: 'application/json',
        'user-agent': this.#userAgent,
        ...headers,
        ...credential.headers,
      },
      body,
      signal,
      tls: credential.tls,
      proxy: this.#connection.proxy,
      reusesBuffers,
      ...timeout,
    }
  }

  /**
   * Checks the fence before connecting, and again when the connection is ready: a process can be
   * stopped for long in between. A write that the fence refuses was not sent.
   */
  async #sendFenced(call: ApiCall, request: HttpRequest): Promise<HttpResponse> {
    const checkWrite = isWrite(call) ? this.#checkWrite : undefined
    if (checkWrite === undefined) return answerOf(call, this.#sendInSpan(call, request))
    checkWrite(call.what)
    let refusal: unknown
    const beforeSend = (): void => {
      try {
        checkWrite(call.what)
      } catch (error) {
        refusal = error
        throw error
      }
    }
    const sent = this.#sendInSpan(call, { ...request, beforeSend })
    try {
      return await answerOf(call, sent)
    } catch (error) {
      throw refusal ?? error
    }
  }

  #sendInSpan(call: ApiCall, request: HttpRequest): Promise<HttpResponse> {
    if (!isInSpan()) return this.#sendAndReport(request)
    const { method, path, query } = call
    const isWatch = query?.['watch'] !== undefined && query['watch'] !== false
    const traced = { method, path, isWatch, server: this.#hostName }
    return inRequestSpan(traced, () => this.#sendAndReport(request))
  }

  async #sendAndReport(request: HttpRequest): Promise<HttpResponse> {
    const startMs = this.#host.monotonicMs()
    let code: number | undefined
    try {
      const response = await this.#host.request(request)
      code = response.status
      return response
    } finally {
      const durationMs = this.#host.monotonicMs() - startMs
      this.#options.onRequest?.({ method: request.method, host: this.#hostName, code, durationMs })
    }
  }

  /**
   * The status of a refusal, in the requested encoding. An incomplete body still counts as a
   * refusal.
   */
  async #statusOf({ status, headers, body }: HttpResponse, endMs: number): Promise<ApiStatus> {
    const location = headers['location']?.replace(/[?#].*/s, '')
    let reader: HttpBodyIterator | undefined
    const timer = this.#host.setTimer(endMs - this.nowMs, () => void reader?.return())
    const whole = {
      takeWhole: () => body.takeWhole?.(),
      [Symbol.asyncIterator]: () => (reader = body[Symbol.asyncIterator]()),
    }
    const bytes = await readBytes(whole, refusalBytesMax).catch(() => new Uint8Array())
    timer.cancel()
    if (status < 400 && location !== undefined) {
      return statusOf(status, `HTTP status ${status} redirects to ${location}`)
    }
    return isProtobuf(headers)
      ? statusOfProtobuf(status, bytes)
      : statusOf(status, utf8.decode(bytes))
  }

  /**
   * The delay that a server asks for with 429, or with 5xx when it has done nothing; `Infinity`
   * without a Retry-After.
   */
  #retryAfterMs({ status, headers }: HttpResponse): number {
    const header = headers['retry-after']
    if (header === undefined || (status !== 429 && status < 500)) return Infinity
    const seconds = Number(header)
    const waitMs = Number.isNaN(seconds) ? Date.parse(header) - this.#host.now() : seconds * 1000
    return Number.isNaN(waitMs) ? Infinity : Math.max(0, waitMs)
  }
}

/** The host and port of an address as written: `URL` would drop default ports. */
function hostNameOf(address: string): string {
  return /^[a-z]+:\/\/([^/?#]*)/i.exec(address)?.[1] ?? address
}

function queryText(query: ApiCall['query']): string {
  let text = ''
  for (const name in query) {
    const value = query[name]
    if (value === undefined || value === '') continue
    text += `${text === '' ? '?' : '&'}${name}=${encodeURIComponent(value)}`
  }
  return text
}
