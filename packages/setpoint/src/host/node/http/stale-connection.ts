/** What to do about connections of a pool that the server closed before it saw anything of the request. */
import type { HttpResponse } from '../../http/http.ts'
import { FREE_SOCKETS_MAX } from '../../limits.ts'
import { networkError } from '../../http/network-error.ts'
import { abortedError } from '../../on-abort.ts'
import type { SendableRequest } from '../../http/sendable-request.ts'

/** The outcome of a try on such a connection. */
export const STALE = Symbol('stale connection')

/**
 * Sends a request on one connection after the other until one is not stale. Every dead connection leaves the pool, so
 * this ends at a fresh one.
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
        why: `the server closed ${attempt + 1} connections in a row before answering`,
      })
    }
  }
}

/** Whether a request that found its connection closed can go another way: nothing it asked for can have been done. */
export function isSafeToRepeat({ method, body }: SendableRequest, error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return (
    (code === 'ECONNRESET' || code === 'EPIPE') &&
    (method === 'GET' || method === 'HEAD') &&
    body === undefined
  )
}
