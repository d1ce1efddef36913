import { headline, isSetpointError, SetpointError } from '../errors/index.ts'
import {
  type Host,
  type HttpBody,
  type HttpHeaders,
  type HttpResponse,
  readText,
} from '../host/index.ts'
import { inRequestSpan } from '../trace/index.ts'
import { ApiError, statusOf } from './api-error.ts'
import type { Connection } from './connection.ts'
import { Deadline } from './deadline.ts'
import { type RateLimit, TokenBucket } from './rate-limit.ts'
import { WarningSink } from './warnings.ts'

/** One call of the API, before credentials, deadlines and retries. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path below the server's address. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The call in words, for errors: `update of Deployment default/web`. */
  readonly what: string
  readonly signal?: AbortSignal | undefined
  /** How long the whole call may take, retries included; `Infinity` for streams. */
  readonly deadlineMs?: number | undefined
}

/** An answer that arrives bit by bit. Dispose it when done: it listens to the caller's signal. */
export interface ApiStream extends Disposable {
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
  readonly #onRequest: TransportOptions['onRequest']

  constructor(host: Host, connection: Connection, options: TransportOptions = {}) {
    this.#host = host
    this.#connection = connection
    this.#bucket =
      options.rateLimit === undefined ? undefined : new TokenBucket(host, options.rateLimit)
    this.#warnings = new WarningSink(options.onWarning ?? (() => undefined))
    this.#userAgent = options.userAgent ?? 'setpoint'
    this.#hostName = hostNameOf(connection.server)
    this.#onRequest = options.onRequest
  }

  /** Whether the server is in this process. */
  get isLocal(): boolean {
    return this.#connection.isLocal === true
  }

  /** Sends a call and reads its answer whole. */
  async text(call: ApiCall): Promise<string> {
    using deadline = new Deadline(this.#host, call.deadlineMs ?? deadlineMsDefault, call.signal)
    try {
      const response = await this.#answered(call, deadline)
      return await readText(response.body, answerBytesMax)
    } catch (error) {
      throw failureOf(call, error, deadline)
    }
  }

  /** Sends a call whose answer is a stream. The deadline holds until its head is here. */
  async stream(call: ApiCall): Promise<ApiStream> {
    const deadline = new Deadline(this.#host, call.deadlineMs ?? deadlineMsDefault, call.signal)
    const end = (): void => deadline[Symbol.dispose]()
    try {
      const { headers, body } = await this.#answered(call, deadline)
      deadline.stop()
      return { headers, body, [Symbol.dispose]: end }
    } catch (error) {
      end()
      throw failureOf(call, error, deadline)
    }
  }

  /** The answer of success, after as many tries as the server asked for. */
  async #answered(call: ApiCall, deadline: Deadline): Promise<HttpResponse> {
    let hasNewCredentials = false
    for (let attempt = 0; ; attempt += 1) {
      await this.#bucket?.take(deadline.signal)
      const response = await this.#sent(call, deadline)
      this.#warnings.take(response.headers['warning'])
      if (response.status < 300) return response
      const status = statusOf(response.status, await readText(response.body, answerBytesMax))
      const error = new ApiError(call.what, status)
      if (response.status === 401 && !hasNewCredentials) {
        hasNewCredentials = true
        this.#connection.credentials.refused()
        continue
      }
      const waitMs = retryAfterMs(response)
      if (waitMs === undefined || attempt >= retriesMax || waitMs > retryAfterMsMax) throw error
      if (waitMs > deadline.leftMs) throw error
      await this.#host.sleep(waitMs, deadline.signal)
    }
  }

  async #sent(call: ApiCall, deadline: Deadline): Promise<HttpResponse> {
    const { headers, tls } = await this.#connection.credentials.current()
    const request = {
      method: call.method,
      url: this.#connection.server.replace(/\/$/, '') + call.path + queryText(call.query),
      headers: {
        accept: 'application/json',
        'user-agent': this.#userAgent,
        ...call.headers,
        ...headers,
      },
      body: call.body,
      tls,
      proxy: this.#connection.proxy,
      signal: deadline.signal,
    }
    const { method, path, query } = call
    const isWatch = query?.['watch'] !== undefined && query['watch'] !== false
    return inRequestSpan({ method, path, isWatch, server: this.#hostName }, async () =>
      this.#observed(method, this.#host.request(request)),
    )
  }

  async #observed(method: string, answer: Promise<HttpResponse>): Promise<HttpResponse> {
    const startMs = this.#host.monotonicMs()
    let code: number | undefined
    try {
      const response = await answer
      code = response.status
      return response
    } finally {
      const durationMs = this.#host.monotonicMs() - startMs
      this.#onRequest?.({ method, host: this.#hostName, code, durationMs })
    }
  }
}

/** The host and port of an address as they are written: `URL` would drop the usual ports. */
function hostNameOf(address: string): string {
  return /^[a-z]+:\/\/([^/?#]*)/i.exec(address)?.[1] ?? address
}

function queryText(query: ApiCall['query']): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** What a server asks for with 429, or with 5xx when it knows that it did nothing. */
function retryAfterMs({ status, headers }: HttpResponse): number | undefined {
  const header = headers['retry-after']
  if (header === undefined || (status !== 429 && status < 500)) return undefined
  const seconds = Number(header)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}

/** Says what is known about a call that got no answer. */
function failureOf(call: ApiCall, error: unknown, deadline: Deadline): unknown {
  const isLost =
    isSetpointError(error, 'NETWORK_CONNECTION_LOST') ||
    isSetpointError(error, 'NETWORK_PROTOCOL_ERROR')
  const isAborted = isSetpointError(error, 'ABORTED')
  if (call.method !== 'GET' && (isLost || isAborted)) {
    const why = deadline.isOver ? `no answer within ${deadline.ms} ms` : headline(error)
    return new SetpointError('WRITE_OUTCOME_UNKNOWN', `${call.what} may have happened: ${why}`, {
      hint: 'read the object before repeating the write',
      cause: error,
    })
  }
  if (!isAborted || !deadline.isOver) return error
  return new SetpointError('DEADLINE_EXCEEDED', `${call.what} took longer than ${deadline.ms} ms`, {
    hint: 'the server may be overloaded or unreachable; ask for less, or allow more time',
    cause: error,
  })
}
