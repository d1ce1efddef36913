import { isSetpointError } from '../errors/index.ts'
import type {
  Clock,
  HttpServer,
  ListenOptions,
  Network,
  ServerRequest,
  ServerResponse,
} from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import { BodyBudget, BodyRefusal, BudgetedBody, busyResponse, textResponse } from './body-budget.ts'
import { type LimitedLog, limitedLog } from './limited-log.ts'
import { BODIES_BYTES_MAX, BODY_BYTES_MAX, EXCHANGE_MS_MAX, HEAD_MS_MAX } from './server-limits.ts'

/** A request of a client that is not trusted. */
export interface BoundedRequest extends Pick<
  ServerRequest,
  'method' | 'path' | 'headers' | 'headerValues' | 'signal' | 'peer'
> {
  /**
   * Reads the body. When it is too large, or the server has no memory for it, this throws and the
   * client gets the status 413 or 503: do not catch it.
   */
  readonly text: () => Promise<string>
}

/** A bounded server. */
interface BoundedServerOptions extends Pick<ListenOptions, 'hostname' | 'port' | 'tls'> {
  readonly host: Network & Clock
  readonly log: Logger
  /** How many connections are open, and how many requests are in progress, at the same time. */
  readonly connections: number
  /** How long the TLS handshake and the head of a request may take; 5 s unless given. */
  readonly headMs?: number
  /** How long an exchange may take; 10 s unless given. */
  readonly exchangeMs?: number
  /** The largest body, and the memory for all bodies; 1 MiB and 32 MiB unless given. */
  readonly bodyBytesMax?: number
  readonly bodiesBytesMax?: number
  /** Responds to a request; `warn` logs a warning about the client, if there were few. */
  readonly handle: (request: BoundedRequest, warn: LimitedLog) => Promise<ServerResponse>
}

/** Listens with limits for everything that a client can use. */
export async function listenBounded(options: BoundedServerOptions): Promise<HttpServer> {
  const { host, hostname, port, tls, connections, log } = options
  const { headMs = HEAD_MS_MAX, exchangeMs = EXCHANGE_MS_MAX } = options
  const { bodyBytesMax = BODY_BYTES_MAX, bodiesBytesMax = BODIES_BYTES_MAX } = options
  const budget = new BodyBudget({ bodyBytesMax, totalBytes: bodiesBytesMax })
  const warn = limitedLog(host, log)
  let inProgress = 0
  const handle = async (request: ServerRequest): Promise<ServerResponse> => {
    // A handler that outlives its connection still counts.
    if (inProgress >= connections) return busyResponse
    const { method, path, headers, headerValues, signal, peer } = request
    const text = (): Promise<string> => body.text()
    const body = new BudgetedBody(budget, request.body)
    inProgress += 1
    try {
      const accepted = { method, path, headers, headerValues, signal, peer, text }
      return await options.handle(accepted, warn)
    } catch (error) {
      return failureResponse(request, error, warn)
    } finally {
      inProgress -= 1
      body.release()
    }
  }
  return host.listen({ hostname, port, tls, limits: { connections, headMs, exchangeMs }, handle })
}

function failureResponse(
  { method, path }: ServerRequest,
  error: unknown,
  warn: LimitedLog,
): ServerResponse {
  if (error instanceof BodyRefusal) return error.response
  // The client has disconnected, or took too long: no client gets the response.
  if (isSetpointError(error, 'NETWORK_CONNECTION_LOST')) return textResponse(400, 'incomplete')
  const request = `${method} ${path.replace(/\?.*/s, '').slice(0, 200)}`
  warn({ err: error, request }, 'the handler of a request failed')
  return textResponse(500, 'internal server error')
}
