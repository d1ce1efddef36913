import { isSetpointError } from 'setpoint'
import type { HttpHandler, LogSink, ServerRequest, ServerResponse } from 'setpoint/host'
import type { Authenticator, UserInfo } from '../auth/index.ts'
import { AnswersInFlight, BodiesInFlight, SharedTurns, Turns } from '../limits/index.ts'
import { ApiError, badRequest, internalError, requestTooLarge } from '../status/index.ts'
import type { ObservedRequest } from './metrics/server-metrics.ts'
import { checkAccess } from './access.ts'
import { impersonated } from './impersonation.ts'
import type { ApiRequest, ApiServer } from './api-request.ts'
import { negotiate, negotiateError, type OutputMedia } from './http/negotiate.ts'
import { parseRequest, type RequestInfo } from './http/request-info.ts'
import { respond, statusAnswer, timeoutResponse } from './http/respond.ts'
import { WarningList } from './http/warnings.ts'
import { BodyTimeoutError } from './read-body.ts'
import { checkTimeout } from './options/request-timeout.ts'
import type { Outcome } from './outcome.ts'
import { checkRoute, findResource, route, unknownPath, warnOfDeprecation } from './router.ts'
import { serverPath } from './server-paths.ts'

/** A request and the code of its answer, for the trace. */
export interface TracedRequest {
  readonly info: RequestInfo
  readonly user: UserInfo | undefined
  readonly code: number
}

/** The options of the handler. */
interface HandlerOptions {
  readonly server: ApiServer
  readonly authenticator: Authenticator
  readonly log: LogSink
  /** The clients are in this process: their watches need neither bookmarks nor a timeout. */
  readonly isLocal?: boolean
  readonly trace: (request: TracedRequest) => void
}

const spacedToken =
  'the provided Authorization header contains extra space before the bearer token, and is ignored'

const plainMedia: OutputMedia = {
  format: 'json',
  transform: undefined,
  metaVersion: 'v1',
  isPretty: false,
}

/** Go refuses an invalid request line before any handler runs. */
const unreadableRequest: ServerResponse = {
  status: 400,
  headers: { 'content-type': 'text/plain; charset=utf-8', connection: 'close' },
  body: '400 Bad Request',
}

/** What all watches send before other requests run: one write can wake thousands of them. */
const eventBytesPerTurn = 32 * 1024 * 1024

/** The HTTP handler of an API server, the same for sockets and in-process clients. */
export function apiHandler(options: HandlerOptions): HttpHandler {
  const inFlight = {
    answers: new AnswersInFlight(),
    bodies: new BodiesInFlight(),
    events: new SharedTurns(options.server.host, eventBytesPerTurn),
  }
  return async (incoming) => {
    if (/%(?![0-9a-fA-F]{2})/.test(incoming.path.split('?')[0] ?? '')) return unreadableRequest
    const handling = new Handling(options, incoming, inFlight)
    const response = await handling.run()
    options.trace({ info: handling.info, user: handling.user, code: response.status })
    return response
  }
}

/** What the requests of all clients hold. */
interface InFlight {
  readonly answers: AnswersInFlight
  readonly bodies: BodiesInFlight
  readonly events: SharedTurns
}

/** One request on its way through the filters, in the order of a real server. */
class Handling {
  readonly info: RequestInfo
  user: UserInfo | undefined
  readonly #options: HandlerOptions
  readonly #incoming: ServerRequest
  readonly #warnings = new WarningList()
  readonly #turns: Turns
  #media = plainMedia
  #isAccessDecided = true
  #flow: Readonly<Record<string, string>> | undefined
  /** Set when the request reached a handler: only these are counted. */
  #observed: ObservedRequest | undefined
  #size: number | undefined
  readonly #startMs: number

  readonly #inFlight: InFlight

  constructor(options: HandlerOptions, incoming: ServerRequest, inFlight: InFlight) {
    this.#inFlight = inFlight
    this.#options = options
    this.#incoming = incoming
    this.#turns = new Turns(options.server.host)
    this.info = parseRequest(incoming.method, incoming.path)
    this.#startMs = options.server.host.monotonicMs()
  }

  /** Runs the request and counts it. */
  async run(): Promise<ServerResponse> {
    const { metrics } = this.#options.server
    const isWatch = this.info.verb === 'watch'
    const end = isWatch ? undefined : metrics.begin(this.info, this.#startMs)
    const response = await this.#answer()
    end?.()
    const observed = this.#observed
    if (observed === undefined) return response
    const answered = (): void =>
      metrics.answered(observed, {
        code: response.status,
        startMs: this.#startMs,
        size: this.#size,
      })
    if (isWatch && isStream(response.body)) {
      const gauge = metrics.longRunning(observed)
      gauge.value += 1
      const ended = (): void => {
        gauge.value -= 1
        answered()
      }
      return { ...response, body: withEnd(response.body, ended) }
    }
    answered()
    return response
  }

  async #answer(): Promise<ServerResponse> {
    let response: ServerResponse
    try {
      response = await this.#respond(await this.#outcome())
    } catch (error) {
      this.#media = negotiateError({ headers: this.#incoming.headers, query: this.info.query })
      response = await this.#respond(this.#failure(error))
    }
    const warning = this.#warnings.headers()
    return {
      ...response,
      headers: {
        'audit-id': this.#options.server.host.uuid(),
        'cache-control': 'no-cache, private',
        // The filters of a real server for impersonation and authorization add it to refusals.
        ...(this.#isAccessDecided ? {} : { 'x-content-type-options': 'nosniff' }),
        ...this.#flow,
        ...response.headers,
        ...(warning.length === 0 ? {} : { warning }),
      },
    }
  }

  async #respond(outcome: Outcome): Promise<ServerResponse> {
    if ('response' in outcome) return outcome.response
    this.#size = outcome.answer.text.length
    return respond(outcome.answer, {
      media: this.#media,
      acceptEncoding: this.#incoming.headers['accept-encoding'] ?? '',
      inFlight: this.#inFlight.answers,
      turns: this.#turns,
    })
  }

  async #outcome(): Promise<Outcome> {
    const { server, authenticator } = this.#options
    const incoming = this.#incoming
    const { headers, body, peer } = incoming
    checkTimeout(this.info)
    if (/^bearer {2}/i.test(headers['authorization'] ?? '')) this.#warnings.add(spacedToken)
    const authenticated = await authenticator.authenticate({
      headers,
      certificate: peer.certificate,
    })
    this.user = authenticated
    this.#isAccessDecided = false
    this.user = impersonated(server.authorizer, authenticated, { headers, info: this.info })
    // Clients in this process do not read these headers.
    if (this.#options.isLocal !== true) this.#flow = server.flows.headersOf(this.user, this.info)
    checkAccess(server.authorizer, this.user, this.info)
    this.#isAccessDecided = true
    const request = (media: OutputMedia): ApiRequest => ({
      server,
      info: this.info,
      headers,
      body,
      // Read lazily: creating an AbortSignal costs as much as answering a get.
      get signal() {
        return incoming.signal
      },
      user: this.user ?? authenticated,
      isLocal: this.#options.isLocal ?? false,
      warnings: this.#warnings,
      media,
      turns: this.#turns,
      bodies: this.#inFlight.bodies,
      events: this.#inFlight.events,
    })
    if (probes.has(this.info.path)) this.#observed = { info: this.info, contentType: '' }
    if (!this.info.isResource) return serverPath(request(plainMedia))
    const resource = findResource({ server, info: this.info })
    if (resource === undefined) return unknownPath
    checkRoute({ info: this.info, headers }, resource)
    warnOfDeprecation({ info: this.info, headers, warnings: this.#warnings }, resource)
    this.#observed = { info: this.info, contentType: headers['content-type'] ?? '' }
    const offer = {
      hasProtobuf: !resource.isCustom,
      allowsTransform: true,
      isRouted: !resource.isCustom,
      isCollection: this.info.name === '' && this.info.method === 'GET',
    }
    this.#media = negotiate({ headers, query: this.info.query }, offer)
    return route(request(this.#media), resource)
  }

  #failure(error: unknown): Outcome {
    if (error instanceof BodyTimeoutError) return { response: timeoutResponse() }
    if (error instanceof ApiError) return { answer: statusAnswer(error.status) }
    // The client left before its body was complete, so that it does not read the answer either.
    if (isLostBody(error)) return { answer: statusAnswer(badRequest(error.message).status) }
    const limit = engineLimit(error)
    if (limit !== undefined) return { answer: statusAnswer(requestTooLarge(limit).status) }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#options.log.log(`unexpected error in ${this.info.method} ${this.info.path}: ${text}`)
    const message = error instanceof Error ? error.message : String(error)
    return { answer: statusAnswer(internalError(message).status) }
  }
}

/** The paths other than resources that are counted. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz'])

function isStream(body: ServerResponse['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && Symbol.asyncIterator in body
}

async function* withEnd(
  stream: AsyncIterable<Uint8Array>,
  ended: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } finally {
    ended()
  }
}

function isLostBody(error: unknown): error is Error {
  return isSetpointError(error) && error.code.startsWith('NETWORK_')
}

/** What a request exceeded when a limit of the JavaScript engine ended it; undefined for bugs. */
function engineLimit(error: unknown): string | undefined {
  if (!(error instanceof RangeError)) return undefined
  if (/call stack/.test(error.message)) return 'the objects of this request nest too deeply'
  return /string length/.test(error.message)
    ? 'the answer is longer than the embedded server can send; ask for less with `limit`'
    : undefined
}
