/**
 * A proxy between an operator and its API server that injects faults of networks and servers. A
 * listener (on sockets or a virtual network) accepts and breaks connections.
 */
import { readBytes, type HttpHeaders, type Network, type TlsClientSettings } from 'setpoint/host'
import {
  isWatch,
  type ProxiedRequest,
  type ProxyListener,
  type ProxyResponse,
  type HandleRequest,
} from './proxied-request.ts'

/** The server behind a proxy. */
export interface Upstream {
  readonly network: Network
  readonly url: string
  readonly tls: TlsClientSettings
}

/** A response of the proxy itself. */
interface FixedResponse {
  readonly status: number
  readonly reason: string
  readonly headers?: HttpHeaders
}

/** The fault of a watch at its next event: see the methods of `FaultProxy`. */
type WatchFault = 'stall' | 'close-in-line' | 'end-in-line' | 'reset-in-line'

interface OpenWatch {
  readonly request: ProxiedRequest
  readonly reply: ProxyResponse
  /** Whether its events are frames of protobuf, or lines of JSON. */
  readonly isProtobuf: boolean
  fault: WatchFault | undefined
}

type Matches = (request: ProxiedRequest) => boolean

type Loss = 'lost' | 'held'

interface Rule {
  readonly matches: Matches
  /**
   * Responds instead of the server, or forwards the request and loses or withholds the response.
   */
  readonly answer: FixedResponse | Loss
  /** The number of requests that it applies to. */
  left: number
}

const utf8 = new TextEncoder()
const bodyBytesMax = 100_000_000

/** One proxy, for one operator process. */
export class FaultProxy {
  readonly #upstream: Upstream
  readonly #rules: Rule[] = []
  readonly #watches = new Set<OpenWatch>()
  readonly #requests: ProxiedRequest[] = []
  #listener: ProxyListener | undefined
  /** Requests without a response, except watches. */
  #unanswered = 0

  constructor(upstream: Upstream) {
    this.#upstream = upstream
  }

  /** All requests, oldest first. */
  get requests(): readonly ProxiedRequest[] {
    return this.#requests
  }

  /** Whether a request, other than a watch, waits for its response. */
  get isBusy(): boolean {
    return this.#unanswered > 0
  }

  /** The number of open watches. */
  get watches(): number {
    return this.#watches.size
  }

  /** Listens on sockets or on a virtual network. Returns the port. */
  async listen(open: (handle: HandleRequest) => Promise<ProxyListener>): Promise<number> {
    const listener = await open((request, reply) => void this.#handle(request, reply))
    this.#listener = listener
    return listener.port
  }

  /** Breaks all watches. */
  resetWatches(): void {
    for (const { reply } of this.#watches) reply.reset()
  }

  /** Open watches get this fault at their next event. */
  injectWatchFault(fault: WatchFault): void {
    for (const watch of this.#watches) watch.fault = fault
  }

  /** Open watches get an ERROR event with 410 Gone. */
  expireWatches(): void {
    const object = { kind: 'Status', apiVersion: 'v1', status: 'Failure', ...expired }
    const line = utf8.encode(`${JSON.stringify({ type: 'ERROR', object })}\n`)
    for (const { request, reply, isProtobuf } of this.#watches) {
      request.code = 410
      reply.write(isProtobuf ? expiredFrame() : line)
      reply.end()
    }
  }

  /** The proxy responds to the next requests that match. */
  respond(matches: Matches, answer: FixedResponse, times = 1): void {
    this.#rules.push({ matches, answer, left: times })
  }

  /** The server completes the next request that matches, and its response is lost. */
  loseResponse(matches: Matches): void {
    this.#rules.push({ matches, answer: 'lost', left: 1 })
  }

  /**
   * The server completes the next request that matches, and the client gets no response. The
   * connection stays open: the client has to time out.
   */
  holdResponse(matches: Matches): void {
    this.#rules.push({ matches, answer: 'held', left: 1 })
  }

  /** Removes all rules. */
  clearRules(): void {
    this.#rules.length = 0
  }

  /** Breaks all connections and refuses new ones until `reopen`. */
  async close(): Promise<void> {
    await this.#listener?.close()
  }

  async reopen(): Promise<void> {
    await this.#listener?.reopen()
  }

  async #handle(
    { method, target, headers, body }: Parameters<HandleRequest>[0],
    reply: ProxyResponse,
  ): Promise<void> {
    const [path = '', query = ''] = target.split('?')
    const search = new URLSearchParams(query)
    const request: ProxiedRequest = {
      method,
      path,
      query: search,
      headers,
      body,
      code: undefined,
    }
    this.#requests.push(request)
    const answer = this.#ruleFor(request)?.answer
    const weight = isWatch(request) ? 0 : 1
    this.#unanswered += weight
    try {
      if (typeof answer === 'object') sendFixedResponse(request, answer, reply)
      else await this.#forward(request, target, { reply, loss: answer })
    } catch {
      // The server or the client has closed its connection: close the other one.
      reply.reset()
    } finally {
      this.#unanswered -= weight
    }
  }

  #ruleFor(request: ProxiedRequest): Rule | undefined {
    const rule = this.#rules.find(({ matches }) => matches(request))
    if (rule === undefined) return undefined
    rule.left -= 1
    if (rule.left <= 0) this.#rules.splice(this.#rules.indexOf(rule), 1)
    return rule
  }

  async #forward(
    request: ProxiedRequest,
    target: string,
    { reply, loss }: { readonly reply: ProxyResponse; readonly loss: Loss | undefined },
  ): Promise<void> {
    const { network, url, tls } = this.#upstream
    const { method, headers, body } = request
    const response = await network.request({
      method,
      url: url + target,
      headers: forwardable(headers),
      ...(body.length === 0 ? {} : { body }),
      tls,
      // The server completes a request although the client does not wait for the response.
      ...(isWatch(request) ? { signal: reply.clientClosed } : {}),
    })
    if (loss !== undefined) {
      await readBytes(response.body, bodyBytesMax)
      if (loss === 'lost') reply.reset()
      return
    }
    request.code = response.status
    reply.head(response.status, forwardable(response.headers))
    if (isWatch(request)) {
      const isProtobuf = response.headers['content-type']?.includes('protobuf') === true
      await this.#stream({ request, reply, isProtobuf, fault: undefined }, response)
    } else {
      for await (const chunk of response.body) reply.write(chunk)
      reply.end()
    }
  }

  async #stream(
    watch: OpenWatch,
    { body }: { readonly body: AsyncIterable<Uint8Array> },
  ): Promise<void> {
    const { reply } = watch
    this.#watches.add(watch)
    try {
      for await (const chunk of body) {
        if (watch.fault === 'stall') continue
        if (watch.fault !== undefined) {
          reply.write(chunk.subarray(0, Math.ceil(chunk.length / 2)))
          if (watch.fault === 'close-in-line') reply.closeEarly()
          else if (watch.fault === 'end-in-line') reply.end()
          else reply.reset()
          return
        }
        if (isExpiredEvent(chunk)) watch.request.code = 410
        reply.write(chunk)
      }
      if (watch.fault !== 'stall') reply.end()
    } finally {
      this.#watches.delete(watch)
    }
  }
}

const expired = {
  reason: 'Expired',
  message: 'too old resource version',
  code: 410,
}

/** The same in protobuf: a type, and a Status in an envelope. All lengths are below 128. */
function expiredFrame(): Uint8Array {
  const field = (number: number, content: string): string =>
    String.fromCharCode((number << 3) | 2, content.length) + content
  const status = field(3, expired.message) + field(4, expired.reason) + '\x30\x9a\x03'
  const event = field(1, 'ERROR') + field(2, field(1, `k8s\0${field(2, status)}`))
  return Buffer.from(`\0\0\0${String.fromCharCode(event.length)}${event}`, 'latin1')
}

/** For an expired revision the server sends an ERROR event, after the status 200. */
function isExpiredEvent(chunk: Uint8Array): boolean {
  const text = Buffer.from(chunk).toString('latin1')
  if (text.startsWith('{"type":"ERROR"')) return text.includes('"code":410')
  return text.slice(4, 11) === '\n\x05ERROR' && text.includes('Expired')
}

function sendFixedResponse(
  request: ProxiedRequest,
  { status, reason, headers }: FixedResponse,
  reply: ProxyResponse,
): void {
  request.code = status
  reply.head(status, { 'content-type': 'application/json', ...headers })
  const text = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code: status }
  reply.write(
    utf8.encode(JSON.stringify({ ...text, message: `the proxy responds with ${status}` })),
  )
  reply.end()
}

/** Headers of a single connection are not forwarded. */
function forwardable(headers: HttpHeaders): HttpHeaders {
  const own = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.has(name)))
}
