import { type ErrorCode, SetpointError } from '../../errors/index.ts'
import type { ServerRequest } from './http.ts'
import type { RequestUrl } from './request-url.ts'

/** The ways in which a request can fail without an answer. */
export type NetworkFailure = Extract<
  ErrorCode,
  | 'NETWORK_CONNECT_FAILED'
  | 'NETWORK_CONNECTION_LOST'
  | 'NETWORK_PROTOCOL_ERROR'
  | 'NETWORK_TIMEOUT'
  | 'NETWORK_TLS_FAILED'
>

const hints: Record<NetworkFailure, string> = {
  NETWORK_CONNECT_FAILED: 'check the address, and that a server listens there and is reachable',
  NETWORK_CONNECTION_LOST:
    'the server may have acted on the request; look before repeating a write',
  NETWORK_PROTOCOL_ERROR: 'check that the address is that of an HTTP server, and http: or https:',
  NETWORK_TIMEOUT: 'the server may have acted on the request; look before repeating a write',
  NETWORK_TLS_FAILED:
    'check http: or https:, the authority (tls.ca), the client certificate and tls.serverName',
}

/** Says what was asked of whom, without the query and the credentials a URL may hold. */
export function describeRequest(method: string, url: RequestUrl | undefined): string {
  if (url === undefined) return `${method} of an unreadable URL`
  const { server, path } = url
  return `${method} ${server.protocol}//${server.host}${path}`
}

/** A request whose answer took too long. */
export function timeoutError(what: string, timeoutMs: number): SetpointError {
  return networkError('NETWORK_TIMEOUT', what, {
    why: `no response within ${Math.round(timeoutMs)} ms`,
  })
}

/** A request that got no answer; both hosts speak with the same words. */
export function networkError(
  code: NetworkFailure,
  what: string,
  detail: { readonly why: string; readonly hint?: string; readonly cause?: unknown },
): SetpointError {
  return new SetpointError(code, `${what} failed: ${detail.why}`, {
    hint: detail.hint ?? hints[code],
    cause: detail.cause,
  })
}

/** The error of a server's reader whose client went away in the middle of its body. */
export function requestBodyLost(request: Pick<ServerRequest, 'method' | 'path'>): SetpointError {
  return networkError('NETWORK_CONNECTION_LOST', `reading the body of ${describeCall(request)}`, {
    why: 'the client went away before the end',
  })
}

/** The log line for a handler, or its body, that threw: the client must not see the details. */
export function handlerFailureLine(
  request: Pick<ServerRequest, 'method' | 'path'>,
  error: string,
): string {
  return JSON.stringify({
    level: 'error',
    msg: `the handler of ${describeCall(request)} failed`,
    error,
  })
}

/** An error with the way to it. */
export function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** An error with the place it came from only: the rest of a stack varies from run to run. */
export function repeatableErrorText(error: unknown): string {
  return errorText(error).split('\n    at ').slice(0, 2).join('\n    at ')
}

function describeCall(request: Pick<ServerRequest, 'method' | 'path'>): string {
  return `${request.method} ${request.path.replace(/\?.*/s, '')}`
}
