/** Handles pooled connections that the server closed before it received anything of the request. */
import type { HttpResponse } from '../../http/http.ts'
import { FREE_SOCKETS_MAX } from '../../limits.ts'
import { networkError } from '../../http/network-error.ts'
import { abortedError } from '../../on-abort.ts'
import type { SendableRequest } from '../../http/sendable-request.ts'

/** The outcome of an attempt on such a connection. */
export const STALE = Symbol('stale connection')

/**
 * Sends a request on one connection after the other until one is not stale. Every stale connection
 * leaves the pool, so this ends with a new one.
 */
export async function sentOnLive(
  { what, signal }: SendableRequest,
  send: () => Promise<HttpResponse | typeof STALE>,
): Promise<HttpResponse> {
  for (let attempt = 0; ; attempt += 1) {
    if (signal?.aborted === true) throw abortedError(what, signal)
    const response = await send()
    if (response !== STALE) return response
    if (attempt >= FREE_SOCKETS_MAX) {
      throw networkError('NETWORK_CONNECTION_LOST', what, {
        why: `the server closed ${attempt + 1} connections in a row before a response`,
      })
    }
  }
}

/** Whether a request on a closed connection can be sent again: it cannot have had an effect. */
export function isSafeToRepeat({ method, body }: SendableRequest, error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return (
    (code === 'ECONNRESET' || code === 'EPIPE') &&
    (method === 'GET' || method === 'HEAD') &&
    body === undefined
  )
}
