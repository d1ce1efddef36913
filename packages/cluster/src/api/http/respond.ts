import type { ServerResponse } from 'setpoint/host'
import { goQuote, type JsonObject } from 'setpoint/schema'
import { gzipSync } from 'node:zlib'
import { encodeJson } from '../../codec/index.ts'
import type { AnswersInFlight, Turns } from '../../limits/index.ts'
import { requestTimeout, requestTooLarge, type Status } from '../../status/index.ts'
import { convertedText } from './converted-text.ts'
import { streamedText } from './streamed-text.ts'
import { mediaTypes, type OutputMedia } from './negotiate.ts'

/** A real server compresses only larger answers. */
const gzipAboveBytes = 128 * 1024

/** The largest text that is converted to another form: a conversion needs all of it. */
export const convertedLengthMax = 32 * 1024 * 1024

/** An answer whose body is JSON text. */
export interface JsonAnswer {
  readonly code: number
  readonly text: string | StreamedJson
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A text in parts, which are made when they are sent. */
interface StreamedJson {
  readonly parts: Iterable<string>
  /** About the number of characters of all parts. */
  readonly length: number
}

/** The form that the client negotiated. */
interface ResponseForm {
  /** Counts large answers. Not for documents of the server, which are few and small. */
  readonly inFlight?: AnswersInFlight
  readonly media: Pick<OutputMedia, 'format' | 'isPretty'>
  readonly acceptEncoding: string
  readonly turns: Turns
}

/** Writes an answer in the negotiated form. JSON text is sent unchanged. */
export async function respond(answer: JsonAnswer, form: ResponseForm): Promise<ServerResponse> {
  const { format, isPretty } = form.media
  const isAsIs = format === 'json' && !isPretty
  const headers: Record<string, string> = {
    'content-type': mediaTypes[format],
    ...answer.headers,
  }
  const { text } = answer
  if (typeof text !== 'string' && isAsIs) return streamed(answer.code, text, { headers, form })
  if (!isAsIs && text.length > convertedLengthMax) throw tooLongToConvert(text.length)
  const whole = typeof text === 'string' ? text : [...text.parts].join('')
  form.turns.count(whole.length)
  const body = isAsIs ? `${whole}\n` : await convertedText(whole, form)
  if (body.length <= gzipAboveBytes) return { status: answer.code, headers, body }
  const isGzip = acceptsGzip(form.acceptEncoding)
  const plain = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const bytes = isGzip ? gzipSync(plain, { level: 1 }) : plain
  return {
    status: answer.code,
    headers: {
      ...headers,
      ...(isGzip ? gzipHeaders(headers) : {}),
      'content-length': String(bytes.length),
    },
    body: form.inFlight?.body(bytes) ?? bytes,
  }
}

function streamed(
  status: number,
  { parts }: StreamedJson,
  { headers, form }: { headers: Readonly<Record<string, string>>; form: ResponseForm },
): ServerResponse {
  const isGzip = acceptsGzip(form.acceptEncoding)
  return {
    status,
    headers: isGzip ? { ...headers, ...gzipHeaders(headers) } : headers,
    body: streamedText(withNewline(parts), { isGzip }),
  }
}

function* withNewline(parts: Iterable<string>): Generator<string> {
  yield* parts
  yield '\n'
}

function gzipHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return {
    'content-encoding': 'gzip',
    vary: [...varies(headers), 'Accept-Encoding'].join(', '),
  }
}

/** 413 for a list that is too long for a conversion. */
export function tooLongToConvert(length: number): Error {
  return requestTooLarge(
    `this list has about ${length} characters, and the embedded server converts at most ${convertedLengthMax} for one answer: use \`limit\`, or ask for JSON`,
  )
}

function varies({ vary }: Readonly<Record<string, string>>): string[] {
  return vary === undefined ? [] : [vary]
}

function acceptsGzip(header: string): boolean {
  return header.split(',').some((part) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/.test(part))
}

/** A Status as an answer, with a Retry-After header when the client may retry. */
export function statusAnswer(status: Status): JsonAnswer {
  const retryAfter = status.details?.retryAfterSeconds
  return {
    code: status.code ?? 200,
    text: encodeJson(status as unknown as JsonObject),
    ...(retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } }),
  }
}

/** The answer of a real server to an unknown path: text, not a Status. */
export function pageNotFound(): ServerResponse {
  return plainText(404, '404 page not found\n')
}

/** The answer for a path that names a verb and no resource. */
export function incompletePath(path: string): ServerResponse {
  const why = `unable to determine kind and namespace from url, ${path}`
  const text = `Internal Server Error: ${goQuote(path)}: failed to create RequestInfo: ${why}\n`
  return plainText(500, text)
}

function plainText(status: number, body: string): ServerResponse {
  const type = 'text/plain; charset=utf-8'
  return { status, headers: { 'content-type': type, 'x-content-type-options': 'nosniff' }, body }
}

/** Plain text, the form of health checks. */
export function textResponse(status: number, body: string): ServerResponse {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  }
  return { status, headers, body }
}

/**
 * The answer of a real server to a request that takes too long. It comes from a filter that does
 * not know the kind of its own answer, and sends it as text.
 */
export function timeoutResponse(): ServerResponse {
  const { kind: _kind, apiVersion: _apiVersion, ...status } = requestTimeout().status
  return {
    status: 504,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: `${JSON.stringify(status)}\n`,
  }
}
