import {
  type Host,
  type HttpBody,
  type HttpRequest,
  type HttpResponse,
  readBytes,
  type SeededRandom,
} from 'setpoint/host'
import { SetpointError } from 'setpoint'

/** A request of a process, for the check of the final state. */
export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly atMs: number
}

/** The faults of requests, with their weights. */
const requestFaults = [
  'refused',
  'lost',
  'response-lost',
  'response-cut',
  'held',
  'response-held',
  'slow',
  'response-slow',
  'conflict',
  'too-many',
  'too-many-without-delay',
  'failed',
  'failed-later',
  'unavailable',
  'gateway',
  'gateway-later',
] as const

const watchFaults = [
  'refused',
  'held',
  'slow',
  'too-many',
  'failed',
  'unavailable',
  'expired',
  'cut-in-event',
  'ended-in-event',
  'ended',
  'stalled',
] as const

type Fault = (typeof requestFaults)[number] | (typeof watchFaults)[number]

/** The error responses, by fault. */
const errorResponses: Partial<
  Record<Fault, readonly [status: number, reason: string, after?: string]>
> = {
  conflict: [409, 'Conflict'],
  'too-many': [429, 'TooManyRequests', '2'],
  'too-many-without-delay': [429, 'TooManyRequests'],
  failed: [500, 'InternalError'],
  'failed-later': [500, 'InternalError'],
  unavailable: [503, 'ServiceUnavailable', '1'],
  gateway: [504, 'Timeout'],
  'gateway-later': [504, 'Timeout'],
  expired: [410, 'Expired'],
}

const bodyBytesMax = 100_000_000
const utf8 = new TextEncoder()

/** A promise that never resolves. */
async function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined)
}

/**
 * The host of a process that can be killed at any moment, and whose network has faults. The timers
 * of a killed process do not run, and its responses never arrive.
 */
export class ChaosHost {
  readonly host: Host
  readonly sent: SentRequest[] = []
  /** The percentage of requests with a fault. */
  faultPercent = 0
  /** Whether no request reaches the server: connections are refused, or requests are lost. */
  partition: 'none' | 'refusing' | 'silent' = 'none'
  /** Called with every request before it is sent. */
  onSend: (request: SentRequest) => void = () => undefined
  readonly #base: Host
  readonly #random: SeededRandom
  readonly #killed = new AbortController()
  #killIn: { count: number; after: boolean } | undefined

  readonly name: string

  constructor(name: string, base: Host, random: SeededRandom) {
    this.name = name
    this.#base = base
    this.#random = random
    this.host = {
      ...base,
      log: () => undefined,
      setTimer: (ms, run) => base.setTimer(ms, () => (this.isAlive ? run() : undefined)),
      sleep: async (ms, signal) => this.#unlessKilled(base.sleep(ms, signal)),
      request: async (request) => this.#request(request),
    }
  }

  get isAlive(): boolean {
    return !this.#killed.signal.aborted
  }

  kill(): void {
    this.#killed.abort()
  }

  /**
   * Kills the process around one of its next writes: before it, or after it but before its
   * response.
   */
  killAtWrite(count: number, after: boolean): void {
    this.#killIn = { count, after }
  }

  cancelKill(): void {
    this.#killIn = undefined
  }

  async #unlessKilled<T>(promise: Promise<T>): Promise<T> {
    try {
      const value = await promise
      return this.isAlive ? value : await never()
    } catch (error) {
      if (this.isAlive) throw error
      return never()
    }
  }

  async #request(request: HttpRequest): Promise<HttpResponse> {
    if (!this.isAlive) return never()
    const { pathname, searchParams } = new URL(request.url)
    const sent = { method: request.method, path: pathname, atMs: this.#base.monotonicMs() }
    this.sent.push(sent)
    this.onSend(sent)
    const isWatch = searchParams.get('watch') === 'true'
    const isLease = pathname.includes('/leases/')
    const isWrite = request.method !== 'GET' && !isLease
    const fault = this.#randomFault(isWatch, request.method !== 'GET')
    const { signal } = this.#killed
    const own = request.signal === undefined ? signal : AbortSignal.any([request.signal, signal])
    if (isWrite && this.#killIn !== undefined && --this.#killIn.count < 0) {
      if (this.#killIn.after) void this.#completed(request)
      this.kill()
      return never()
    }
    const partitioned = this.partition === 'refusing' ? 'refused' : 'held'
    const what = this.partition === 'none' ? fault : partitioned
    return this.#unlessKilled(this.#requestWithFault({ ...request, signal: own }, what, isWatch))
  }

  #randomFault(isWatch: boolean, isWrite: boolean): Fault | undefined {
    if (this.#random.below(100) >= this.faultPercent) return undefined
    const faults: readonly Fault[] = isWatch ? watchFaults : requestFaults
    const fault = faults[this.#random.below(faults.length)]
    return fault === 'conflict' && !isWrite ? undefined : fault
  }

  async #requestWithFault(
    request: HttpRequest,
    fault: Fault | undefined,
    isWatch: boolean,
  ): Promise<HttpResponse> {
    const slowMs = fault === 'slow' || fault === 'response-slow' ? this.#random.below(20_000) : 0
    switch (fault) {
      case undefined:
        return this.#stream(request, undefined)
      case 'refused':
        throw networkError('NETWORK_CONNECT_FAILED')
      case 'lost':
        throw networkError('NETWORK_CONNECTION_LOST')
      case 'response-lost':
        await this.#completed(request)
        throw networkError('NETWORK_CONNECTION_LOST')
      case 'held':
        return this.#timedOut(request)
      case 'response-held':
        await this.#completed(request)
        return this.#timedOut(request)
      case 'slow':
        await this.#base.sleep(slowMs, request.signal)
        return this.#stream(request, undefined)
      case 'response-slow': {
        const { response, bytes } = await this.#completed(request)
        await this.#base.sleep(slowMs, request.signal)
        return { ...response, body: bodyOf(bytes) }
      }
      case 'response-cut': {
        const { response, bytes } = await this.#completed(request)
        return { ...response, body: bodyOf(bytes.subarray(0, bytes.length / 2), true) }
      }
      case 'failed-later':
      case 'gateway-later':
        await this.#completed(request)
        return errorResponse(fault)
      case 'cut-in-event':
      case 'ended-in-event':
      case 'ended':
      case 'stalled':
        return this.#stream(request, fault)
      default:
        if (fault === 'expired' && !/[?&]resourceVersion=[1-9]/.test(request.url)) {
          return this.#stream(request, isWatch ? 'ended' : undefined)
        }
        return errorResponse(fault)
    }
  }

  /** The server completes the request, although the client does not wait. */
  async #completed(
    request: HttpRequest,
  ): Promise<{ readonly response: HttpResponse; readonly bytes: Uint8Array }> {
    const response = await this.#base.request({ ...request, signal: undefined })
    return { response, bytes: await readBytes(response.body, bodyBytesMax) }
  }

  /** No response until the caller times out. */
  async #timedOut({ timeoutMs = 60_000, signal }: HttpRequest): Promise<never> {
    await this.#base.sleep(timeoutMs, signal)
    throw networkError('NETWORK_TIMEOUT')
  }

  /** A response whose stream may get a fault, and which ends with the process. */
  async #stream(request: HttpRequest, fault: Fault | undefined): Promise<HttpResponse> {
    const response = await this.#base.request(request)
    // The number of chunks of a watch before its fault.
    let left = this.#random.below(12)
    const reader = response.body[Symbol.asyncIterator]()
    const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      const result = await this.#unlessKilled(reader.next())
      if (this.partition === 'silent') return waitForTimeout(this.#base, request)
      if (this.partition === 'refusing') throw networkError('NETWORK_CONNECTION_LOST')
      if (fault === undefined || result.done === true) return result
      left -= 1
      if (left >= 0) return result
      if (fault === 'stalled') return waitForTimeout(this.#base, request)
      const isHalf = fault === 'cut-in-event' || fault === 'ended-in-event'
      if (isHalf && left === -1) {
        return { done: false, value: result.value.subarray(0, result.value.length / 2) }
      }
      void reader.return()
      if (fault === 'cut-in-event') throw networkError('NETWORK_CONNECTION_LOST')
      return { done: true, value: undefined }
    }
    const iterator = { next, return: async () => reader.return() }
    return { ...response, body: { [Symbol.asyncIterator]: () => iterator } }
  }
}

/** Resolves when the reader aborts or times out. */
async function waitForTimeout(
  host: Host,
  { signal, timeoutMs, timeoutOf }: HttpRequest,
): Promise<never> {
  const readTimeoutMs = timeoutOf === 'end' ? timeoutMs : undefined
  await host.sleep(readTimeoutMs ?? Infinity, signal)
  throw networkError('NETWORK_TIMEOUT')
}

function bodyOf(bytes: Uint8Array, isCut = false): HttpBody {
  let isRead = false
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        if (isRead && isCut) throw networkError('NETWORK_CONNECTION_LOST')
        if (isRead) return { done: true, value: undefined }
        isRead = true
        return { done: false, value: bytes }
      },
      return: async () => ({ done: true, value: undefined }),
    }),
  }
}

function errorResponse(fault: Fault): HttpResponse {
  const [status, reason, after] = errorResponses[fault] ?? [500, 'InternalError']
  const text = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code: status }
  const headers = { 'content-type': 'application/json' }
  return {
    status,
    headers: after === undefined ? headers : { ...headers, 'retry-after': after },
    body: bodyOf(utf8.encode(JSON.stringify({ ...text, message: `chaos: status ${status}` }))),
  }
}

function networkError(
  code: 'NETWORK_CONNECT_FAILED' | 'NETWORK_CONNECTION_LOST' | 'NETWORK_TIMEOUT',
): SetpointError {
  return new SetpointError(code, `chaos: ${code}`, { hint: 'an injected fault of the chaos test' })
}
