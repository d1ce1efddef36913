import { headerName, isHeaderValue } from './header-rules.ts'
import type { HttpHeaders, HttpPayload, HttpRequest, ServerResponse } from './http.ts'
import { invalidCallError } from '../invalid-call-error.ts'

const padded = /^[\t ]|[\t ]$/
const paddings = /^[\t ]+|[\t ]+$/g

/** Validated headers. Node requires mutable lists. */
export type SentHeaders = Record<string, string | string[]>

/**
 * The headers to send: lower case, trimmed, with the length or the framing of the payload. The
 * framing is always explicit (Node omits it for a DELETE with a body) and always set here: a wrong
 * length would turn the rest of the body into the next request.
 */
export function framedHeaders(
  { headers, body }: Pick<HttpRequest, 'headers' | 'body'>,
  carriesBody = true,
): SentHeaders {
  const framed = sentHeaders(headers)
  if ('transfer-encoding' in framed) {
    throw invalidCallError(
      'the header transfer-encoding is set',
      'omit it: the host frames the body, chunked when it is a stream',
    )
  }
  const lengthBytes = body === undefined && !carriesBody ? undefined : payloadLength(body)
  const declared = framed['content-length']
  if (declared !== undefined) checkDeclaredLength(String(declared), lengthBytes)
  else if (isStream(body)) {
    if (carriesBody) framed['transfer-encoding'] = 'chunked'
  } else if (body !== undefined) framed['content-length'] = String(lengthBytes)
  return framed
}

/** The length of the body according to the headers; a stream must match it. */
export function declaredLength(headers: SentHeaders): number | undefined {
  const declared = headers['content-length']
  return declared === undefined ? undefined : Number(declared)
}

/** Whether a payload is a stream, and not known from the start. */
export function isStream(payload: HttpPayload | undefined): payload is AsyncIterable<Uint8Array> {
  return payload !== undefined && typeof payload !== 'string' && !(payload instanceof Uint8Array)
}

/** The status after which a connection carries another protocol. */
export const switchingProtocols = 101

/** Whether the headers of a request ask for another protocol. */
export function asksForUpgrade(headers: HttpRequest['headers']): boolean {
  if (headers?.['upgrade'] === undefined) return false
  return /(^|[,\s])upgrade($|[,\s])/i.test(String(headers['connection'] ?? ''))
}

/** Whether HTTP allows a body in this response. */
export function mayHaveBody(method: string, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304
}

/** The response for a handler that threw, without details. */
export const internalServerError: ServerResponse = {
  status: 500,
  headers: { 'content-type': 'text/plain' },
  body: 'internal server error\n',
}

/** Refuses a payload that would fail later, in the middle of a message. */
export function checkPayload(payload: unknown): void {
  if (payload === undefined || typeof payload === 'string' || payload instanceof Uint8Array) return
  if (typeof payload === 'object' && payload !== null && Symbol.asyncIterator in payload) return
  throw invalidCallError(
    `a body of type ${payload === null ? 'null' : typeof payload} cannot be sent`,
    'pass a string, a Uint8Array or an async iterable of Uint8Array, or omit it',
  )
}

/**
 * Refuses a response that cannot be sent: an invalid body, or a status that is neither final nor a
 * protocol switch.
 */
export function checkResponse({ status, body }: ServerResponse): void {
  checkPayload(body)
  if (status === switchingProtocols && isStream(body)) return
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw invalidCallError(
      `a handler responded with status ${status}`,
      'respond with a status from 200 to 599',
    )
  }
}

/** Refuses invalid headers; a newline could inject a second request. */
function sentHeaders(headers: HttpRequest['headers']): SentHeaders {
  const sent: SentHeaders = {}
  if (headers === undefined) return sent
  for (const name of Object.keys(headers)) {
    const value: unknown = headers[name]
    const lower = headerName(name)
    if (lower === undefined) {
      throw invalidCallError(
        `a header has the name ${JSON.stringify(name)}`,
        'use letters, digits and hyphens in the names of headers',
      )
    }
    sent[lower] = Array.isArray(value)
      ? value.map((one) => sentValue(name, one))
      : sentValue(name, value)
  }
  return sent
}

/** The value may be a secret: it is not part of the message. */
function sentValue(name: string, value: unknown): string {
  if (typeof value !== 'string' || !isHeaderValue(value)) {
    throw invalidCallError(
      `the value of the header ${name} cannot be sent`,
      'pass a string of one line, without characters above U+00FF',
    )
  }
  return padded.test(value) ? value.replace(paddings, '') : value
}

/** Headers as the receiver sees them: repeated ones are joined. */
export function receivedHeaders(
  sent: Readonly<Record<string, string | string[] | undefined>>,
): HttpHeaders {
  const received: Record<string, string> = {}
  for (const name in sent) {
    const value = sent[name]
    if (value !== undefined) received[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return received
}

/** `undefined` for a stream, whose length is known only at its end. */
function payloadLength(payload: HttpPayload | undefined): number | undefined {
  if (isStream(payload)) return undefined
  return payload === undefined ? 0 : Buffer.byteLength(payload)
}

function checkDeclaredLength(declared: string, lengthBytes: number | undefined): void {
  const isLength = /^\d{1,15}$/.test(declared)
  if (isLength && (lengthBytes === undefined || Number(declared) === lengthBytes)) return
  throw invalidCallError(
    lengthBytes === undefined
      ? `the header content-length is ${JSON.stringify(declared)}`
      : `the header content-length is ${JSON.stringify(declared)} for a body of ${lengthBytes} bytes`,
    'omit the header: the host knows the length of the body',
  )
}
