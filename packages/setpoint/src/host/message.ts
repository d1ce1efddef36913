import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { HttpHeaders, HttpPayload, ServerResponse } from './http.ts'
import { misuse } from './misuse.ts'

/** Header names are case-insensitive on the wire; above the host they are always lower case. */
export function lowerCaseHeaders(headers: HttpHeaders | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

/**
 * The headers with the length or the framing of the payload. They are always explicit: Node leaves
 * both out for a DELETE with a body, and the receiver then takes the body for the next request.
 */
export function framedHeaders(
  headers: HttpHeaders | undefined,
  payload: HttpPayload | undefined,
): Record<string, string> {
  const framed = lowerCaseHeaders(headers)
  if (payload === undefined || 'content-length' in framed) return framed
  if (typeof payload === 'string' || payload instanceof Uint8Array) {
    framed['content-length'] = String(Buffer.byteLength(payload))
  } else {
    framed['transfer-encoding'] = 'chunked'
  }
  return framed
}

/** Whether HTTP lets an answer have a body at all. */
export function mayHaveBody(method: string, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304
}

/** The answer for a handler that threw: it says nothing about why. */
export const internalServerError: ServerResponse = {
  status: 500,
  headers: { 'content-type': 'text/plain' },
  body: 'internal server error\n',
}

/** Refuses what HTTP cannot carry in a header; a newline could smuggle in a second request. */
export function checkHeaders(headers: HttpHeaders | undefined): void {
  for (const [name, value] of Object.entries(headers ?? {})) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  }
}

/** Refuses an answer that cannot be sent: bad headers, or a status that is no final one. */
export function checkAnswer({ status, headers }: ServerResponse): void {
  checkHeaders(headers)
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw misuse(`a handler answered with status ${status}`, 'answer with a status of 200 to 599')
  }
}
