import type { HttpResponse, ServerRequest, ServerResponse, Timers } from 'setpoint/host'
import type { UserInfo } from '../../auth/index.ts'
import { OutboundError, type ServiceProxy } from '../../outbound/index.ts'
import type { RequestInfo } from '../http/request-info.ts'
import { textResponse, timeoutResponse } from '../http/respond.ts'
import type { RemoteApiService } from './api-services.ts'
import { forwardedPath } from './forwarded-path.ts'
import {
  forwardedHeaders,
  isUpgradeRequest,
  returnedHeaders,
  switchedHeaders,
  upgradeHeaders,
} from './proxied-headers.ts'
import { RequestDeadline } from './request-deadline.ts'

/** A request to an aggregated API, after authorization. */
interface ProxiedRequest {
  readonly incoming: ServerRequest
  readonly info: RequestInfo
  readonly user: UserInfo
  readonly auditId: string
}

/** The answer to a proxied request. */
interface ProxiedAnswer {
  readonly response: ServerResponse
  /** Whether the other server has the connection: this one adds no headers. */
  readonly isHandedOver: boolean
}

interface ProxyOptions {
  readonly host: Timers
  readonly proxy: ServiceProxy
}

/** Documents about the version must arrive quickly: clients read them before anything else. */
const discoveryTimeoutMs = 5_000

/**
 * Passes a request on to the server of an aggregated API, with the user in headers. Bodies are
 * streamed unchanged in both directions, and so are connections that switch to another protocol.
 */
export async function proxyRequest(
  { host, proxy }: ProxyOptions,
  service: RemoteApiService,
  request: ProxiedRequest,
): Promise<ProxiedAnswer> {
  if (!service.isAvailable) return own(unavailable)
  const { incoming, info } = request
  let origin: string
  try {
    origin = proxy.origin(service.target)
  } catch (error) {
    if (error instanceof OutboundError) return own(unavailable)
    throw error
  }
  const deadline = new RequestDeadline(host, { info, client: incoming.signal })
  const forwarded = { ...request, host: origin.replace(/^https?:\/\//, '') }
  const isUpgrade = isUpgradeRequest(incoming)
  const isDiscovery = !info.isResource && segmentCount(info.path) === 3
  let isStreaming = false
  try {
    const response = await proxy.send(service.target, {
      method: incoming.method,
      path: forwardedPath(incoming.path),
      headers: isUpgrade ? upgradeHeaders(forwarded) : forwardedHeaders(forwarded),
      ...(isUpgrade || hasBody(incoming) ? { body: incoming.body } : {}),
      signal: deadline.signal,
      ...(isDiscovery ? { timeoutMs: discoveryTimeoutMs } : {}),
    })
    if (isUpgrade) return upgraded(response)
    const { status, headers } = response
    if (status >= 300 && status <= 399 && headers['location'] !== undefined) return own(redirected)
    isStreaming = true
    const returned = returnedHeaders(headers, request.auditId)
    return own({ status, headers: returned, body: deadline.limited(response.body) })
  } catch (error) {
    if (deadline.isOver) return own(timeoutResponse())
    if (!(error instanceof OutboundError)) throw error
    const what = isUpgrade ? 'error dialing backend' : 'error trying to reach service'
    return own(textResponse(503, `${what}: ${error.message}\n`))
  } finally {
    if (!isStreaming) deadline.cancel()
  }
}

function own(response: ServerResponse): ProxiedAnswer {
  return { response, isHandedOver: false }
}

/** A refusal reaches the client as the other server sent it. */
function upgraded({ status, headers, body }: HttpResponse): ProxiedAnswer {
  if (status !== 101 && status < 400) {
    return own(textResponse(503, `invalid upgrade response: status code ${status}\n`))
  }
  return { response: { status, headers: switchedHeaders(headers), body }, isHandedOver: true }
}

const unavailable = textResponse(503, 'service unavailable\n')

const redirected: ServerResponse = {
  status: 502,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'the backend attempted to redirect this request, which is not permitted',
}

function segmentCount(path: string): number {
  return path.split('/').filter((segment) => segment !== '').length
}

function hasBody({ headers }: ServerRequest): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers
  return coding !== undefined || length !== '0'
}
