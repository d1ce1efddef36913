import { headerName, isHeaderValue } from '../../http/header-rules.ts'
import { mayHaveBody } from '../../http/message.ts'

/** The head of a response. */
export interface ResponseHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** The receiver of the parts of a response, in order. */
export interface ResponseSink {
  head(head: ResponseHead): void
  /** The chunk is in a buffer that is reused: it has to be copied. */
  body(chunk: Uint8Array): void
  /** The response is complete; the connection can be reused if `keepsAlive`. */
  end(keepsAlive: boolean): void
}

/** The error for bytes that are not HTTP. */
export class NotHttpError extends Error {
  readonly code = 'HPE_INVALID'
}

/** The longest head; API servers need less than 1 KiB. */
const headBytesMax = 64 * 1024

const protocol = Buffer.from('HTTP/1.')
const emptyLine = Buffer.from('\r\n\r\n')

const statusLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/

type State =
  'head' | 'fixed' | 'chunk size' | 'chunk' | 'chunk end' | 'trailers' | 'until close' | 'done'

/**
 * Parses one HTTP/1.1 response from the bytes of a connection in any chunks. It is strict:
 * ambiguous responses (two lengths, folded lines, unknown framings) are refused, because the rest
 * would be read as the next response.
 */
export class ResponseReader {
  readonly #method: string
  readonly #sink: ResponseSink
  #state: State = 'head'
  /** The bytes of an incomplete line or head. */
  #rest: Buffer | undefined
  /** The missing bytes of the body or chunk. */
  #left = 0
  #keepsAlive = true

  constructor(method: string, sink: ResponseSink) {
    this.#method = method
    this.#sink = sink
  }

  /** Parses received bytes; throws `NotHttpError` at the first error. */
  push(chunk: Buffer): void {
    let bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk])
    this.#rest = undefined
    while (bytes.length > 0) {
      if (this.#state === 'done') throw new NotHttpError('there are bytes after the response')
      const taken = this.#step(bytes)
      if (taken === -1) {
        // A copy, because a view would keep the whole buffer in memory.
        this.#rest = Buffer.from(bytes)
        return
      }
      bytes = bytes.subarray(taken)
    }
  }

  /** The connection has ended. Returns whether the response is complete. */
  close(): boolean {
    if (this.#state === 'until close') this.#finish()
    return this.#state === 'done'
  }

  /** The number of used bytes; -1 when more are needed first. */
  #step(bytes: Buffer): number {
    switch (this.#state) {
      case 'head':
        return this.#head(bytes)
      case 'fixed':
      case 'chunk':
        return this.#content(bytes)
      case 'chunk size':
        return this.#chunkSize(bytes)
      case 'chunk end':
        return this.#chunkEnd(bytes)
      case 'trailers':
        return this.#trailer(bytes)
      default:
        this.#sink.body(bytes)
        return bytes.length
    }
  }

  #head(bytes: Buffer): number {
    for (let at = 0; at < protocol.length && at < bytes.length; at += 1) {
      if (bytes[at] !== protocol[at]) throw new NotHttpError('the response is not HTTP/1.1')
    }
    const end = bytes.indexOf(emptyLine)
    if (end === -1 || end > headBytesMax) {
      if (bytes.length > headBytesMax)
        throw new NotHttpError('the head of the response is too long')
      return -1
    }
    const text = bytes.toString('latin1', 0, end)
    const firstEnd = text.indexOf('\r\n')
    const [, minor, code = ''] =
      statusLine.exec(firstEnd === -1 ? text : text.slice(0, firstEnd)) ?? []
    if (minor === undefined) throw new NotHttpError('the response has no status')
    const status = Number(code)
    const headers = firstEnd === -1 ? {} : headersOf(text, firstEnd + 2)
    if (status === 101) throw new NotHttpError('the response switches the protocol')
    // Informational responses are ignored.
    if (status < 200) return end + 4
    this.#keepsAlive = keepsAlive(minor, headers['connection'])
    this.#sink.head({ status, headers })
    this.#frame(status, headers)
    return end + 4
  }

  #frame(status: number, headers: ResponseHead['headers']): void {
    const length = headers['content-length']
    const encoding = headers['transfer-encoding']
    if (!mayHaveBody(this.#method, status)) this.#finish()
    else if (encoding !== undefined) {
      if (length !== undefined) throw new NotHttpError('the response has two lengths')
      if (encoding.toLowerCase() !== 'chunked') throw new NotHttpError('the encoding is unknown')
      this.#state = 'chunk size'
    } else if (length !== undefined) {
      if (!/^\d{1,15}$/.test(length))
        throw new NotHttpError('the length of the response is not a number')
      this.#left = Number(length)
      this.#state = 'fixed'
      if (this.#left === 0) this.#finish()
    } else {
      this.#keepsAlive = false
      this.#state = 'until close'
    }
  }

  #content(bytes: Buffer): number {
    const part = bytes.length > this.#left ? bytes.subarray(0, this.#left) : bytes
    this.#left -= part.length
    this.#sink.body(part)
    if (this.#left > 0) return part.length
    if (this.#state === 'chunk') this.#state = 'chunk end'
    else this.#finish()
    return part.length
  }

  #chunkSize(bytes: Buffer): number {
    const end = this.#lineEnd(bytes)
    if (end === -1) return -1
    const [, size = ''] =
      /^([0-9a-fA-F]{1,12})[\t ]*(?:;.*)?$/.exec(bytes.toString('latin1', 0, end)) ?? []
    if (size === '') throw new NotHttpError('a chunk of the response has no length')
    this.#left = Number.parseInt(size, 16)
    this.#state = this.#left === 0 ? 'trailers' : 'chunk'
    return end + 2
  }

  #chunkEnd(bytes: Buffer): number {
    if (bytes.length < 2) return -1
    if (bytes[0] !== 0x0d || bytes[1] !== 0x0a) throw new NotHttpError('a chunk has a wrong length')
    this.#state = 'chunk size'
    return 2
  }

  /** Headers after the body, which are ignored. */
  #trailer(bytes: Buffer): number {
    const end = this.#lineEnd(bytes)
    if (end === 0) this.#finish()
    return end === -1 ? -1 : end + 2
  }

  #lineEnd(bytes: Buffer): number {
    const end = bytes.indexOf('\r\n')
    if (end === -1 && bytes.length > headBytesMax) throw new NotHttpError('a line is too long')
    return end
  }

  #finish(): void {
    this.#state = 'done'
    this.#sink.end(this.#keepsAlive)
  }
}

/** The headers in the lines from here on. */
function headersOf(text: string, start: number): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let at = start; at < text.length;) {
    const lineEnd = text.indexOf('\r\n', at)
    const end = lineEnd === -1 ? text.length : lineEnd
    const colon = text.indexOf(':', at)
    const name = colon === -1 || colon > end ? undefined : headerName(text.slice(at, colon))
    const value = trimmed(text, colon + 1, end)
    if (name === undefined || !isHeaderValue(value)) {
      throw new NotHttpError('the response has an invalid header')
    }
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined
    // A repeated equal length is one length.
    if (before === undefined) headers[name] = value
    else if (name !== 'content-length' || before !== value) headers[name] = `${before}, ${value}`
    at = end + 2
  }
  return headers
}

/** A part of a text without surrounding blanks. */
function trimmed(text: string, start: number, end: number): string {
  let [first, last] = [start, end]
  while (first < last && isBlank(text.charCodeAt(first))) first += 1
  while (first < last && isBlank(text.charCodeAt(last - 1))) last -= 1
  return text.slice(first, last)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

function keepsAlive(minor: string, connection = ''): boolean {
  const words = connection.toLowerCase().split(/[\t ]*,[\t ]*/)
  return minor === '1' ? !words.includes('close') : words.includes('keep-alive')
}
