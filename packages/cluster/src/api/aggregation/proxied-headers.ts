import type { HttpHeaders, HttpRequestHeaders, ServerRequest } from 'setpoint/host'
import type { UserInfo } from '../../auth/index.ts'
import { forwardedPath } from './forwarded-path.ts'
import { isRemoteUserHeader, remoteUserHeaders } from './remote-user.ts'

/** What the headers of a forwarded request say. */
interface ForwardedFor {
  readonly incoming: ServerRequest
  readonly user: UserInfo
  readonly auditId: string
  /** The name and port of the server that it goes to. */
  readonly host: string
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

/** Whether a client asks to switch to another protocol. */
export function isUpgradeRequest({ headers }: Pick<ServerRequest, 'headers'>): boolean {
  return /upgrade/i.test(headers['connection'] ?? '')
}

/** The headers for a server that gets a request with its body. */
export function forwardedHeaders(request: ForwardedFor): HttpRequestHeaders {
  const { incoming, host } = request
  const named = new Set(
    (incoming.headers['connection'] ?? '').split(',').map((name) => name.trim().toLowerCase()),
  )
  const kept = keptHeaders(request).filter(([name]) => !hopHeaders.has(name) && !named.has(name))
  return {
    ...Object.fromEntries(kept),
    ...addedHeaders(request),
    'x-forwarded-host': host,
    'x-forwarded-proto': 'https',
    'x-forwarded-uri': forwardedPath(incoming.path).split('?')[0] ?? '',
  }
}

/** The headers with which the client asks a server to switch to another protocol. */
export function upgradeHeaders(request: ForwardedFor): HttpRequestHeaders {
  const kept = keptHeaders(request).filter(
    ([name]) => name !== 'content-length' && name !== 'transfer-encoding',
  )
  return { ...Object.fromEntries(kept), ...addedHeaders(request) }
}

function keptHeaders({ incoming }: ForwardedFor): [string, string][] {
  return Object.entries(incoming.headers).filter(
    ([name]) =>
      !isRemoteUserHeader(name) &&
      !name.startsWith('impersonate-') &&
      name !== 'authorization' &&
      name !== 'host',
  )
}

function addedHeaders({ incoming, user, auditId, host }: ForwardedFor): HttpRequestHeaders {
  const before = incoming.headers['x-forwarded-for']
  const { address } = incoming.peer
  return {
    host,
    'audit-id': auditId,
    'x-forwarded-for': before === undefined ? address : `${before}, ${address}`,
    ...remoteUserHeaders(user),
  }
}

/** The server adds its own headers to those of the response, as a real one does. */
export function returnedHeaders(headers: HttpHeaders, auditId: string): HttpRequestHeaders {
  const kept = Object.entries(headers).filter(
    ([name]) =>
      !hopHeaders.has(name) &&
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

/** The headers of a server that answers on a switched connection are passed on unchanged. */
export function switchedHeaders(headers: HttpHeaders): HttpRequestHeaders {
  const kept = Object.entries(headers).filter(
    ([name]) => name !== 'transfer-encoding' && name !== 'content-length',
  )
  return Object.fromEntries(kept)
}
