import { type ErrorCode, SetpointError } from '../../errors/index.ts'
import type { ServerRequest } from './http.ts'
import type { RequestUrl } from './request-url.ts'

/** The failures of a request without a response. */
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
    'the server may have processed the request; check before repeating a write',
  NETWORK_PROTOCOL_ERROR: 'check that the address is that of an HTTP server, and http: or https:',
  NETWORK_TIMEOUT: 'the server may have processed the request; check before repeating a write',
  NETWORK_TLS_FAILED:
    'check http: or https:, the authority (tls.ca), the client certificate and tls.serverName',
}

/** Describes a request without the query and the credentials of its URL. */
export function describeRequest(method: string, url: RequestUrl | undefined): string {
  if (url === undefined) return `${method} of an invalid URL`
  const { server, path } = url
  return `${method} ${server.protocol}//${server.host}${path}`
}

/** A request whose response took too long. */
export function timeoutError(what: string, timeoutMs: number): SetpointError {
  return networkError('NETWORK_TIMEOUT', what, {
    why: `no response within ${Math.round(timeoutMs)} ms`,
  })
}

/** A request without a response; both hosts use the same text. */
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

/** The error for the reader of a request body whose client disconnected. */
export function requestBodyLost(request: Pick<ServerRequest, 'method' | 'path'>): SetpointError {
  return networkError('NETWORK_CONNECTION_LOST', `reading the body of ${describeCall(request)}`, {
    why: 'the client disconnected before the end',
  })
}

/**
 * The log line for a handler, or a response body, that threw: the client must not see the details.
 */
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

/** An error with its stack. */
export function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** An error with the first line of its stack: the rest varies from run to run. */
export function repeatableErrorText(error: unknown): string {
  return errorText(error).split('\n    at ').slice(0, 2).join('\n    at ')
}

function describeCall(request: Pick<ServerRequest, 'method' | 'path'>): string {
  return `${request.method} ${request.path.replace(/\?.*/s, '')}`
}
