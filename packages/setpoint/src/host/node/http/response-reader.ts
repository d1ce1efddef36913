import { headerName, isHeaderValue } from '../../http/header-rules.ts'
import { mayHaveBody } from '../../http/message.ts'

/** The beginning of an answer. */
export interface ResponseHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** Where the parts of an answer go, in their order. */
export interface ResponseSink {
  head(head: ResponseHead): void
  /** The chunk lies in a place that is used again: it has to be copied. */
  body(chunk: Uint8Array): void
  /** Everything has been told; the connection can be used again if `keepsAlive`. */
  end(keepsAlive: boolean): void
}

/** What is no HTTP, in words. */
export class NotHttpError extends Error {
  readonly code = 'HPE_INVALID'
}

/** How long a head may be; API servers need less than one. */
const headBytesMax = 64 * 1024

const protocol = Buffer.from('HTTP/1.')
const emptyLine = Buffer.from('\r\n\r\n')

const statusLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/

type State =
  'head' | 'fixed' | 'chunk size' | 'chunk' | 'chunk end' | 'trailers' | 'until close' | 'done'

/**
 * Reads one HTTP/1.1 answer from the bytes of a connection, however they are cut. It is strict: what can be read in two
 * ways (two lengths, folded lines, unknown framings) is refused, because the rest would be the next answer.
 */
export class ResponseReader {
  readonly #method: string
  readonly #sink: ResponseSink
  #state: State = 'head'
  /** What came of a line, or of the head, that is not complete. */
  #rest: Buffer | undefined
  /** What the body, or the chunk, still lacks. */
  #left = 0
  #keepsAlive = true

  constructor(method: string, sink: ResponseSink) {
    this.#method = method
    this.#sink = sink
  }

  /** Takes what came; throws `NotHttpError` at the first thing that is wrong. */
  push(chunk: Buffer): void {
    let bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk])
    this.#rest = undefined
    while (bytes.length > 0) {
      if (this.#state === 'done') throw new NotHttpError('there is more than the answer')
      const taken = this.#step(bytes)
      if (taken === -1) {
        // The part of a buffer would keep all of it alive.
        this.#rest = Buffer.from(bytes)
        return
      }
      bytes = bytes.subarray(taken)
    }
  }

  /** The connection is at its end. Returns whether the answer was, too. */
  close(): boolean {
    if (this.#state === 'until close') this.#finish()
    return this.#state === 'done'
  }

  /** How many bytes were used; -1 when more are needed first. */
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
      if (bytes[at] !== protocol[at]) throw new NotHttpError('the answer is no HTTP/1.1')
    }
    const end = bytes.indexOf(emptyLine)
    if (end === -1 || end > headBytesMax) {
      if (bytes.length > headBytesMax) throw new NotHttpError('the head of the answer is too long')
      return -1
    }
    const text = bytes.toString('latin1', 0, end)
    const firstEnd = text.indexOf('\r\n')
    const [, minor, code = ''] =
      statusLine.exec(firstEnd === -1 ? text : text.slice(0, firstEnd)) ?? []
    if (minor === undefined) throw new NotHttpError('the answer has no status')
    const status = Number(code)
    const headers = firstEnd === -1 ? {} : headersOf(text, firstEnd + 2)
    if (status === 101) throw new NotHttpError('the answer changes the protocol')
    // What comes before the answer proper says nothing to us.
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
      if (length !== undefined) throw new NotHttpError('the answer has two lengths')
      if (encoding.toLowerCase() !== 'chunked') throw new NotHttpError('the encoding is unknown')
      this.#state = 'chunk size'
    } else if (length !== undefined) {
      if (!/^\d{1,15}$/.test(length))
        throw new NotHttpError('the length of the answer is no number')
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
    if (size === '') throw new NotHttpError('a chunk of the answer has no length')
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

  /** Headers after the body; nobody here needs one. */
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
      throw new NotHttpError('the answer has a header that is none')
    }
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined
    // The same length twice is a length.
    if (before === undefined) headers[name] = value
    else if (name !== 'content-length' || before !== value) headers[name] = `${before}, ${value}`
    at = end + 2
  }
  return headers
}

/** A part of a text, without the blanks around it. */
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
