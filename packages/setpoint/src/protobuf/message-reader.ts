import { SetpointError } from '../errors/index.ts'

/** Messages up to this size are converted to text once; see `string`. */
const wholeTextMax = 4096

/** Strings up to this size are cut from that text. */
const cutStringMax = 64

/**
 * Reads the protobuf wire format. It never reads beyond the given end: longer lengths and all other
 * invalid bytes are errors.
 */
export class MessageReader {
  readonly bytes: Buffer
  at: number
  readonly #start: number
  readonly #end: number
  /** All bytes as characters; created when the first string is read. */
  #text: string | undefined

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes
    this.at = start
    this.#start = start
    this.#end = end
  }

  /** A number of at most 32 bits, for field tags and lengths; higher bits are cut off. */
  varint32(end: number): number {
    const { bytes } = this
    let at = this.at
    let byte = bytes[at++] ?? 0
    let value = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) {
      if (at >= end || shift > 63) throw malformed('a number does not end')
      byte = bytes[at++] ?? 0
      if (shift < 32) value |= (byte & 0x7f) << shift
    }
    if (at > end) throw malformed('a number does not end')
    this.at = at
    return value >>> 0
  }

  /** A signed 64-bit number, as JSON.parse would give it: rounded beyond 2^53. */
  integer(end: number): number {
    const { bytes } = this
    const first = bytes[this.at] ?? 0
    if (first < 0x80 && this.at < end) {
      this.at += 1
      return first
    }
    let low = 0
    let high = 0
    for (let shift = 0; ; shift += 7) {
      if (this.at >= end || shift > 63) throw malformed('a number does not end')
      const byte = bytes[this.at++] ?? 0
      const seven = byte & 0x7f
      if (shift < 28) low |= seven << shift
      else if (shift === 28) {
        low |= seven << 28
        high = seven >>> 4
      } else high |= seven << (shift - 32)
      if (byte < 0x80) return (high | 0) * 0x1_0000_0000 + (low >>> 0)
    }
  }

  double(end: number): number {
    const { at } = this
    if (at + 8 > end) throw malformed('a number does not end')
    this.at = at + 8
    return this.bytes.readDoubleLE(at)
  }

  /** The end of the length-delimited bytes that start here. */
  limit(end: number): number {
    const length = this.varint32(end)
    const limit = this.at + length
    if (limit > end) throw malformed(`a field of ${length} bytes is longer than its message`)
    return limit
  }

  /**
   * The string up to the limit. A call into the engine costs as much as sixty characters: short
   * strings are cut from one text of all bytes. Such a piece keeps the whole text in memory, so
   * this is done for small objects only.
   */
  string(limit: number): string {
    const { at, bytes } = this
    this.at = limit
    if (limit === at) return ''
    if (limit - at > cutStringMax || this.#end - this.#start > wholeTextMax) {
      return bytes.toString('utf8', at, limit)
    }
    for (let index = at; index < limit; index += 1) {
      if ((bytes[index] ?? 0) >= 0x80) return bytes.toString('utf8', at, limit)
    }
    this.#text ??= bytes.toString('latin1', this.#start, this.#end)
    return this.#text.substring(at - this.#start, limit - this.#start)
  }

  /** Skips the value of an unknown field, as servers do with fields of other releases. */
  skip(wire: number, end: number): void {
    if (wire === 0) this.integer(end)
    else if (wire === 1) this.at += 8
    else if (wire === 2) this.at = this.limit(end)
    else if (wire === 5) this.at += 4
    else throw malformed(`a value has the unknown wire type ${wire}`)
    if (this.at > end) throw malformed('a value does not end')
  }
}

/** The error for malformed bytes. */
export function malformed(why: string, cause?: unknown): SetpointError {
  return new SetpointError('NETWORK_PROTOCOL_ERROR', `a server sent malformed protobuf: ${why}`, {
    cause,
  })
}
