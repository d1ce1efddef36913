import { isSetpointError } from 'setpoint'
import {
  CutConnection,
  type HttpHandler,
  type LogSink,
  type ServerRequest,
  type ServerResponse,
} from 'setpoint/host'
import type { AuditedRequest, AuditLog } from '../audit/index.ts'
import type { Authenticator, UserInfo } from '../auth/index.ts'
import {
  AnswersInFlight,
  BodiesInFlight,
  SharedTurns,
  tooManyRequests,
  Turns,
} from '../limits/index.ts'
import { ApiError, badRequest, internalError, requestTooLarge } from '../status/index.ts'
import type { ObservedRequest } from './metrics/server-metrics.ts'
import { checkAccess } from './access.ts'
import { faultedRequest } from './cached-revision.ts'
import type { RemoteApiService } from './aggregation/api-services.ts'
import { proxyRequest } from './aggregation/proxy-request.ts'
import { impersonated } from './impersonation.ts'
import type { ApiRequest, ApiServer } from './api-request.ts'
import { auditedAuthorizer, beginAudit, endAudit } from './begin-audit.ts'
import { negotiate, negotiateError, type OutputMedia } from './http/negotiate.ts'
import { endsWithVerb, parseRequest, type RequestInfo } from './http/request-info.ts'
import { incompletePath, respond, statusAnswer, timeoutResponse } from './http/respond.ts'
import { WarningList } from './http/warnings.ts'
import { BodyTimeoutError, readBody } from './read-body.ts'
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
  readonly audit?: AuditLog | undefined
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

/** When a client should repeat a request that got no seat. */
const retryAfterSeconds = 1

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
    if (endsWithVerb(incoming.path)) return incompletePath(incoming.path)
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
  #audit: AuditedRequest | undefined
  #auditId: string | undefined
  #isPanic = false
  /** The server of an aggregated API has the connection. */
  #isHandedOver = false
  #flow: Readonly<Record<string, string>> | undefined
  #releaseSeat: (() => void) | undefined
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
    const response = await this.#answer().finally(() => {
      end?.()
      this.#releaseSeat?.()
    })
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
      if (error instanceof CutConnection) throw error
      if (this.user === undefined) this.#beginAudit(undefined)
      this.#media = negotiateError({ headers: this.#incoming.headers, query: this.info.query })
      response = await this.#respond(this.#failure(error))
    }
    const warning = this.#warnings.headers()
    const audit = this.#audit
    const audited = audit === undefined ? response : endAudit(audit, response, this.#auditEnd())
    if (this.#isHandedOver) return audited
    return {
      ...audited,
      headers: {
        'audit-id': this.#ownAuditId(),
        'cache-control': 'no-cache, private',
        // The filters of a real server for impersonation and authorization add it to refusals.
        ...(this.#isAccessDecided ? {} : { 'x-content-type-options': 'nosniff' }),
        ...this.#flow,
        ...response.headers,
        ...(warning.length === 0 ? {} : { warning }),
      },
    }
  }

  #ownAuditId(): string {
    const given = this.#incoming.headers['audit-id'] ?? ''
    return given === '' ? (this.#auditId ??= this.#options.server.host.uuid()) : given
  }

  #auditEnd(): Parameters<typeof endAudit>[2] {
    return { info: this.info, isRefused: this.user === undefined, isPanic: this.#isPanic }
  }

  #beginAudit(user: UserInfo | undefined): void {
    const { audit, server } = this.#options
    if (audit === undefined) return
    const known = { auditId: this.#ownAuditId(), user, receivedMs: server.host.now() }
    this.#audit = beginAudit(audit, { incoming: this.#incoming, info: this.info }, known)
    if (user !== undefined) this.#audit?.stage('RequestReceived')
  }

  async #respond(outcome: Outcome): Promise<ServerResponse> {
    if ('response' in outcome) return outcome.response
    this.#audit?.answered(outcome.answer.text)
    this.#size = outcome.answer.text.length
    return respond(outcome.answer, {
      media: this.#media,
      acceptEncoding: this.#incoming.headers['accept-encoding'] ?? '',
      inFlight: this.#inFlight.answers,
      turns: this.#turns,
    })
  }

  /** Authenticates the request. */
  async #authenticatedUser(): Promise<UserInfo> {
    const { server, authenticator } = this.#options
    const { headers, peer } = this.#incoming
    if (/^bearer {2}/i.test(headers['authorization'] ?? '')) this.#warnings.add(spacedToken)
    const { certificate } = peer
    const authenticated = await authenticator.authenticate({ headers, certificate })
    this.user = authenticated
    this.#beginAudit(authenticated)
    this.#isAccessDecided = false
    const user = impersonated(server.authorizer, authenticated, { headers, info: this.info })
    this.user = user
    if (user !== authenticated) this.#audit?.impersonated(user)
    return user
  }

  /**
   * Waits for a seat of the priority level; `false` if there are too many requests. Clients in this
   * process have no limit. A watch needs a seat only until it begins, so it needs none here.
   */
  #takeSeat(user: UserInfo): boolean | Promise<boolean> {
    if (this.#options.isLocal === true) return true
    const flow = this.#options.server.flows.of(user, this.info)
    this.#flow = flow?.headers
    const { level } = flow ?? {}
    if (level === undefined || this.info.verb === 'watch') return true
    const taken = level.take(user.name)
    if (taken === false) return false
    if (taken === true) {
      this.#releaseSeat = () => level.release()
      return true
    }
    return taken.then((hasSeat) => {
      if (hasSeat) this.#releaseSeat = () => level.release()
      return hasSeat
    })
  }

  #authorize(user: UserInfo): void {
    const audit = this.#audit
    const { authorizer } = this.#options.server
    const asked = audit === undefined ? authorizer : auditedAuthorizer(authorizer, audit)
    checkAccess(asked, user, this.info)
    this.#isAccessDecided = true
  }

  async #outcome(): Promise<Outcome> {
    const { server } = this.#options
    const incoming = this.#incoming
    const { headers, body } = incoming
    checkTimeout(this.info)
    const user = await this.#authenticatedUser()
    const seat = this.#takeSeat(user)
    if (!(typeof seat === 'boolean' ? seat : await seat)) {
      return { response: tooManyRequests(retryAfterSeconds) }
    }
    this.#authorize(user)
    const audit = this.#audit
    const service = server.aggregation.find(this.info)
    if (service !== undefined) return this.#proxied(service, user)
    const fault = this.info.isResource
      ? server.faults.of(() => faultedRequest(this.info, user))
      : undefined
    const signal = (): AbortSignal => incoming.signal
    const request = (media: OutputMedia): ApiRequest => ({
      server,
      info: this.info,
      headers,
      body,
      // Read lazily: creating an AbortSignal costs as much as answering a get.
      get signal() {
        return incoming.signal
      },
      user,
      isLocal: this.#options.isLocal ?? false,
      fault,
      warnings: this.#warnings,
      media,
      audit,
      turns: this.#turns,
      bodies: this.#inFlight.bodies,
      events: this.#inFlight.events,
    })
    if (probes.has(this.info.path)) this.#observed = { info: this.info, contentType: '' }
    if (!this.info.isResource) return serverPath(request(plainMedia))
    if (fault !== undefined) {
      // A delayed request is executed even if its client is gone by then.
      if (fault.isDelayed) await readBody(request(plainMedia))
      const early = await fault.before(signal)
      if (early !== undefined) return 'error' in early ? this.#failure(early.error) : early
    }
    const resource = findResource({ server, info: this.info })
    if (resource === undefined) return unknownPath
    checkRoute({ info: this.info, headers }, resource)
    if (resource.deprecationWarning !== undefined) audit?.annotate('k8s.io/deprecated', 'true')
    warnOfDeprecation({ info: this.info, headers, warnings: this.#warnings }, resource)
    this.#observed = { info: this.info, contentType: headers['content-type'] ?? '' }
    const offer = {
      hasProtobuf: !resource.isCustom,
      allowsTransform: true,
      isRouted: !resource.isCustom,
      isCollection: this.info.name === '' && this.info.method === 'GET',
    }
    this.#media = negotiate({ headers, query: this.info.query }, offer)
    const outcome = await route(request(this.#media), resource)
    if (fault !== undefined) await fault.after(signal)
    return outcome
  }

  /** The servers of aggregated APIs use the audit id of this one. */
  async #proxied(service: RemoteApiService, user: UserInfo): Promise<Outcome> {
    const { aggregation } = this.#options.server
    const request = { incoming: this.#incoming, info: this.info, user, auditId: this.#ownAuditId() }
    const { response, isHandedOver } = await proxyRequest(aggregation, service, request)
    this.#isHandedOver = isHandedOver
    return { response }
  }

  #failure(error: unknown): Outcome {
    if (error instanceof BodyTimeoutError) return { response: timeoutResponse() }
    if (error instanceof ApiError) return { answer: statusAnswer(error.status) }
    // The client left before its body was complete, so that it does not read the answer either.
    if (isLostBody(error)) return { answer: statusAnswer(badRequest(error.message).status) }
    const limit = engineLimit(error)
    if (limit !== undefined) return { answer: statusAnswer(requestTooLarge(limit).status) }
    this.#isPanic = true
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
