import { headline, isSetpointError, SetpointError } from '../errors/index.ts'
import {
  type Host,
  type HttpBody,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  readBytes,
} from '../host/index.ts'
import { inRequestSpan, isInSpan } from '../trace/index.ts'
import { ApiError, type ApiStatus, statusOf } from './api-error.ts'
import type { Connection, Credential } from './connection.ts'
import { type RateLimit, TokenBucket } from './rate-limit.ts'
import { isProtobuf } from './representation.ts'
import { statusOfProtobuf } from './status-of-protobuf.ts'
import { WarningSink } from './warnings.ts'

/** One call of the API, before credentials, deadlines and retries. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path below the server's address. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** The call in words, for errors: `update of Deployment default/web`. */
  readonly what: string
  readonly signal?: AbortSignal | undefined
  /** How long the whole call may take, retries included; `Infinity` for streams. */
  readonly deadlineMs?: number | undefined
}

/** An answer that arrives bit by bit. */
export interface ApiStream {
  readonly headers: HttpHeaders
  readonly body: HttpBody
}

/** One request as it went over the network; a call has several when the server asked to wait. */
export interface RequestReport {
  readonly method: string
  /** The server with its port, as in its address. */
  readonly host: string
  /** The HTTP status; `undefined` when there was no answer. */
  readonly code: number | undefined
  /** Until the head of the answer. */
  readonly durationMs: number
}

/** How a transport behaves; everything has a default. */
export interface TransportOptions {
  readonly rateLimit?: RateLimit | undefined
  readonly userAgent?: string | undefined
  /** Takes each warning of the server once. */
  readonly onWarning?: ((text: string) => void) | undefined
  /** Told of every request that was answered or failed. It must not throw. */
  readonly onRequest?: ((report: RequestReport) => void) | undefined
}

/** Time for a call when the caller does not say. */
const deadlineMsDefault = 30_000

/** How often a call is repeated because the server asked for it. */
const retriesMax = 10

/** The longest wait a server can ask for; beyond it the refusal is passed on. */
const retryAfterMsMax = 60_000

const utf8 = new TextDecoder()

/** The largest answer that is read as a whole. */
const answerBytesMax = 512 * 1024 * 1024

/**
 * Sends calls to one cluster: adds credentials, waits when the server says so, holds deadlines, and turns
 * failures into errors that say whether a write may have happened.
 */
export class Transport {
  readonly #host: Host
  readonly #connection: Connection
  readonly #bucket: TokenBucket | undefined
  readonly #warnings: WarningSink
  readonly #userAgent: string
  readonly #hostName: string
  /** The address that paths follow. */
  readonly #address: string
  readonly #onRequest: TransportOptions['onRequest']

  constructor(host: Host, connection: Connection, options: TransportOptions = {}) {
    this.#host = host
    this.#connection = connection
    this.#bucket =
      options.rateLimit === undefined ? undefined : new TokenBucket(host, options.rateLimit)
    this.#warnings = new WarningSink(options.onWarning ?? (() => undefined))
    this.#userAgent = options.userAgent ?? 'setpoint'
    this.#hostName = hostNameOf(connection.server)
    this.#address = connection.server.replace(/\/$/, '')
    this.#onRequest = options.onRequest
  }

  /** Whether the server is in this process. */
  get isLocal(): boolean {
    return this.#connection.isLocal === true
  }

  /** Sends a call and reads its answer whole. */
  async text(call: ApiCall): Promise<string> {
    return utf8.decode((await this.bytes(call)).bytes)
  }

  /** The same, for answers that need not be text. */
  async bytes(call: ApiCall): Promise<{ headers: HttpHeaders; bytes: Uint8Array }> {
    try {
      const { headers, body } = await this.#answered(call, 'end')
      return { headers, bytes: await readBytes(body, answerBytesMax) }
    } catch (error) {
      throw failureOf(call, error)
    }
  }

  /** Sends a call whose answer is a stream. The deadline holds until its head is here. */
  async stream(call: ApiCall): Promise<ApiStream> {
    try {
      const { headers, body } = await this.#answered(call, 'head')
      return { headers, body }
    } catch (error) {
      throw failureOf(call, error)
    }
  }

  /** The answer of success, after as many tries as the server asked for. */
  async #answered(call: ApiCall, timeoutOf: 'head' | 'end'): Promise<HttpResponse> {
    const endMs = this.#host.monotonicMs() + deadlineMsOf(call)
    let hasNewCredentials = false
    for (let attempt = 0; ; attempt += 1) {
      if (this.#bucket !== undefined) await this.#turn(this.#bucket, call, endMs)
      const credential = await this.#connection.credentials.current()
      const leftMs = endMs - this.#host.monotonicMs()
      const request = this.#request(call, credential, { timeoutMs: leftMs, timeoutOf })
      const response = await this.#sent(call, request)
      this.#warnings.take(response.headers['warning'])
      if (response.status < 300) return response
      const error = new ApiError(call.what, await refusalOf(response))
      if (response.status === 401 && !hasNewCredentials) {
        hasNewCredentials = true
        this.#connection.credentials.refused()
        continue
      }
      const waitMs = retryAfterMs(response)
      if (waitMs === undefined || attempt >= retriesMax || waitMs > retryAfterMsMax) throw error
      if (waitMs > endMs - this.#host.monotonicMs()) throw error
      await this.#host.sleep(waitMs, call.signal)
    }
  }

  /** Waits for its turn, but not beyond the deadline. */
  async #turn(bucket: TokenBucket, call: ApiCall, endMs: number): Promise<void> {
    const leftMs = endMs - this.#host.monotonicMs()
    const waitMs = bucket.reserve()
    if (waitMs > 0) await this.#host.sleep(Math.min(waitMs, leftMs), call.signal)
    if (waitMs > leftMs) throw overdue(call)
  }

  #request(
    { method, path, query, headers, body, signal }: ApiCall,
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
      timeoutMs: timeout.timeoutMs,
      timeoutOf: timeout.timeoutOf,
    }
  }

  #sent(call: ApiCall, request: HttpRequest): Promise<HttpResponse> {
    if (!isInSpan()) return this.#observed(request)
    const { method, path, query } = call
    const isWatch = query?.['watch'] !== undefined && query['watch'] !== false
    const traced = { method, path, isWatch, server: this.#hostName }
    return inRequestSpan(traced, () => this.#observed(request))
  }

  async #observed(request: HttpRequest): Promise<HttpResponse> {
    const startMs = this.#host.monotonicMs()
    let code: number | undefined
    try {
      const response = await this.#host.request(request)
      code = response.status
      return response
    } finally {
      const durationMs = this.#host.monotonicMs() - startMs
      this.#onRequest?.({ method: request.method, host: this.#hostName, code, durationMs })
    }
  }
}

function deadlineMsOf({ deadlineMs = deadlineMsDefault }: ApiCall): number {
  return deadlineMs
}

/** The host and port of an address as they are written: `URL` would drop the usual ports. */
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

/** Why a server refused; it says so in the encoding that was asked for. */
async function refusalOf({ status, headers, body }: HttpResponse): Promise<ApiStatus> {
  const bytes = await readBytes(body, answerBytesMax)
  return isProtobuf(headers)
    ? statusOfProtobuf(status, bytes)
    : statusOf(status, utf8.decode(bytes))
}

/** What a server asks for with 429, or with 5xx when it knows that it did nothing. */
function retryAfterMs({ status, headers }: HttpResponse): number | undefined {
  const header = headers['retry-after']
  if (header === undefined || (status !== 429 && status < 500)) return undefined
  const seconds = Number(header)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}

/** Says what is known about a call that got no answer. */
function failureOf(call: ApiCall, error: unknown): unknown {
  const isOverdue = isSetpointError(error, 'NETWORK_TIMEOUT')
  const isLost =
    isSetpointError(error, 'NETWORK_CONNECTION_LOST') ||
    isSetpointError(error, 'NETWORK_PROTOCOL_ERROR') ||
    isSetpointError(error, 'ABORTED')
  if (call.method !== 'GET' && (isLost || isOverdue)) {
    const why = isOverdue ? `no answer within ${deadlineMsOf(call)} ms` : headline(error)
    return new SetpointError('WRITE_OUTCOME_UNKNOWN', `${call.what} may have happened: ${why}`, {
      hint: 'read the object before repeating the write',
      cause: error,
    })
  }
  return isOverdue ? overdue(call, error) : error
}

function overdue(call: ApiCall, cause?: unknown): SetpointError {
  const text = `${call.what} took longer than ${deadlineMsOf(call)} ms`
  return new SetpointError('DEADLINE_EXCEEDED', text, {
    hint: 'the server may be overloaded or unreachable; ask for less, or allow more time',
    cause,
  })
}
