import { headerName, isHeaderValue } from './header-rules.ts'
import type { HttpHeaders, HttpPayload, HttpRequest, ServerResponse } from './http.ts'
import { misuse } from '../misuse.ts'

const padded = /^[\t ]|[\t ]$/
const paddings = /^[\t ]+|[\t ]+$/g

/** Headers that were checked. Node wants lists that it could change. */
export type SentHeaders = Record<string, string | string[]>

/**
 * The headers as they are sent: lower case, trimmed, with the length or the framing of the payload.
 * The framing is always explicit (Node leaves it out for a DELETE with a body) and always ours: a
 * length that disagrees with the body would make the rest of the body the next request.
 */
export function framedHeaders(
  { headers, body }: Pick<HttpRequest, 'headers' | 'body'>,
  carriesBody = true,
): SentHeaders {
  const framed = sentHeaders(headers)
  if ('transfer-encoding' in framed) {
    throw misuse(
      'the header transfer-encoding was given',
      'leave it out: the host frames the body, chunked when it is a stream',
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

/** How long the headers say the body is; a stream is held to it. */
export function declaredLength(headers: SentHeaders): number | undefined {
  const declared = headers['content-length']
  return declared === undefined ? undefined : Number(declared)
}

/** Whether a payload is pulled, rather than known from the beginning. */
export function isStream(payload: HttpPayload | undefined): payload is AsyncIterable<Uint8Array> {
  return payload !== undefined && typeof payload !== 'string' && !(payload instanceof Uint8Array)
}

/** The status after which a connection carries another protocol. */
export const switchingProtocols = 101

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

/** Refuses a payload that could only fail later, in the middle of a message. */
export function checkPayload(payload: unknown): void {
  if (payload === undefined || typeof payload === 'string' || payload instanceof Uint8Array) return
  if (typeof payload === 'object' && payload !== null && Symbol.asyncIterator in payload) return
  throw misuse(
    `a body of type ${payload === null ? 'null' : typeof payload} cannot be sent`,
    'give a string, a Uint8Array or an async iterable of Uint8Array, or leave it out',
  )
}

/** Refuses an answer that cannot be sent: a bad body, or a status that is no final one and switches to nothing. */
export function checkAnswer({ status, body }: ServerResponse): void {
  checkPayload(body)
  if (status === switchingProtocols && isStream(body)) return
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw misuse(`a handler answered with status ${status}`, 'answer with a status of 200 to 599')
  }
}

/** Refuses what HTTP cannot carry in a header; a newline could smuggle in a second request. */
function sentHeaders(headers: HttpRequest['headers']): SentHeaders {
  const sent: SentHeaders = {}
  if (headers === undefined) return sent
  for (const name of Object.keys(headers)) {
    const value: unknown = headers[name]
    const lower = headerName(name)
    if (lower === undefined) {
      throw misuse(
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
    throw misuse(
      `the value of the header ${name} cannot be sent`,
      'give a string of one line, without characters above U+00FF',
    )
  }
  return padded.test(value) ? value.replace(paddings, '') : value
}

/** Headers as the other side sees them: repeated ones joined. */
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

/** `undefined` when only the end of the stream will tell. */
function payloadLength(payload: HttpPayload | undefined): number | undefined {
  if (isStream(payload)) return undefined
  return payload === undefined ? 0 : Buffer.byteLength(payload)
}

function checkDeclaredLength(declared: string, lengthBytes: number | undefined): void {
  const isLength = /^\d{1,15}$/.test(declared)
  if (isLength && (lengthBytes === undefined || Number(declared) === lengthBytes)) return
  throw misuse(
    lengthBytes === undefined
      ? `the header content-length is ${JSON.stringify(declared)}`
      : `the header content-length is ${JSON.stringify(declared)} for a body of ${lengthBytes} bytes`,
    'leave the header out: the host knows the length of what it sends',
  )
}
