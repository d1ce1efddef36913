import type { HttpRequestHeaders, ServerRequest, ServerResponse } from 'setpoint/host'
import type { UserInfo } from '../../auth/index.ts'
import { OutboundError, type ServiceProxy } from '../../outbound/index.ts'
import type { RequestInfo } from '../http/request-info.ts'
import { textResponse } from '../http/respond.ts'
import type { RemoteApiService } from './api-services.ts'
import { forwardedPath } from './forwarded-path.ts'
import { isRemoteUserHeader, remoteUserHeaders } from './remote-user.ts'

/** A request to an aggregated API, after authorization. */
interface ProxiedRequest {
  readonly incoming: ServerRequest
  readonly info: RequestInfo
  readonly user: UserInfo
  readonly auditId: string
}

/** Documents about the version must arrive quickly: clients read them before anything else. */
const discoveryTimeoutMs = 5_000

/**
 * Passes a request on to the server of an aggregated API, with the user in headers. Bodies are
 * streamed unchanged in both directions.
 */
export async function proxyRequest(
  proxy: ServiceProxy,
  service: RemoteApiService,
  request: ProxiedRequest,
): Promise<ServerResponse> {
  if (!service.isAvailable) return unavailable
  const { incoming, info } = request
  const { target } = service
  let origin: string
  try {
    origin = proxy.origin(target)
  } catch (error) {
    if (error instanceof OutboundError) return unavailable
    throw error
  }
  const isUpgrade = /upgrade/i.test(incoming.headers['connection'] ?? '')
  const isDiscovery = !info.isResource && segmentCount(info.path) === 3
  try {
    if (isUpgrade && !proxy.isInProcess(target)) return noUpgrade
    const { status, headers, body } = await proxy.send(target, {
      method: incoming.method,
      path: forwardedPath(incoming.path),
      headers: forwardedHeaders(request, { host: hostOf(origin), isUpgrade }),
      ...(hasBody(incoming, isUpgrade) ? { body: incoming.body } : {}),
      signal: incoming.signal,
      ...(isDiscovery ? { timeoutMs: discoveryTimeoutMs } : {}),
    })
    if (isUpgrade && status !== 101 && status < 400) {
      return textResponse(503, `invalid upgrade response: status code ${status}\n`)
    }
    if (status >= 300 && status <= 399 && headers['location'] !== undefined) return redirected
    return { status, headers: returnedHeaders(headers, request.auditId, isUpgrade), body }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return textResponse(503, `error trying to reach service: ${error.message}\n`)
  }
}

const unavailable = textResponse(503, 'service unavailable\n')

const noUpgrade = textResponse(
  501,
  'the embedded server upgrades connections only to servers in simulated pods, not over the network\n',
)

const redirected: ServerResponse = {
  status: 502,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'the backend attempted to redirect this request, which is not permitted',
}

function segmentCount(path: string): number {
  return path.split('/').filter((segment) => segment !== '').length
}

function hostOf(origin: string): string {
  return origin.replace(/^https?:\/\//, '')
}

function hasBody({ headers }: ServerRequest, isUpgrade: boolean): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers
  return isUpgrade || coding !== undefined || length !== '0'
}

/** Headers that are about one connection. */
const hopHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function forwardedHeaders(
  { incoming, user, auditId }: ProxiedRequest,
  { host, isUpgrade }: { readonly host: string; readonly isUpgrade: boolean },
): HttpRequestHeaders {
  const named = new Set(
    (incoming.headers['connection'] ?? '').split(',').map((name) => name.trim().toLowerCase()),
  )
  const kept = Object.entries(incoming.headers).filter(
    ([name]) =>
      !hopHeaders.has(name) &&
      !named.has(name) &&
      !isRemoteUserHeader(name) &&
      !name.startsWith('impersonate-') &&
      name !== 'authorization' &&
      name !== 'host',
  )
  const before = incoming.headers['x-forwarded-for']
  const { address } = incoming.peer
  const path = forwardedPath(incoming.path).split('?')[0] ?? ''
  return {
    ...Object.fromEntries(kept),
    host,
    'audit-id': auditId,
    'x-forwarded-for': before === undefined ? address : `${before}, ${address}`,
    'x-forwarded-host': host,
    'x-forwarded-proto': 'https',
    'x-forwarded-uri': path,
    ...remoteUserHeaders(user),
    ...(isUpgrade ? { connection: 'Upgrade', upgrade: incoming.headers['upgrade'] ?? '' } : {}),
  }
}

/** The server adds its own headers to those of the response, as a real one does. */
function returnedHeaders(
  headers: Readonly<Record<string, string>>,
  auditId: string,
  isUpgrade: boolean,
): HttpRequestHeaders {
  const kept = Object.entries(headers).filter(
    ([name]) =>
      (!hopHeaders.has(name) || (isUpgrade && (name === 'upgrade' || name === 'connection'))) &&
      !/^access-control-allow-(credentials|headers|methods|origin)$/.test(name),
  )
  const own = { 'audit-id': auditId, 'cache-control': 'no-cache, private' }
  const all: Record<string, string | string[]> = { ...own, ...Object.fromEntries(kept) }
  for (const [name, value] of Object.entries(own)) {
    const theirs = headers[name]
    if (theirs !== undefined) all[name] = [value, theirs]
  }
  return all
}
