const utf8 = new TextEncoder()

/** Strings up to this length are copied by code unit, which is faster than calling the encoder. */
const shortText = 48

/**
 * Writes protobuf from the end to the beginning: the length of a nested message, which precedes it,
 * is known when it is written. So the last part of a message is written first.
 */
export class ProtobufWriter {
  #bytes = new Uint8Array(4096)
  /** The start of the written bytes. */
  #start = this.#bytes.length

  /**
   * The number of written bytes; the difference of two marks is the length of the bytes between
   * them.
   */
  get mark(): number {
    return this.#bytes.length - this.#start
  }

  /** A copy of the written bytes; the writer is empty afterwards. */
  finish(): Uint8Array<ArrayBuffer> {
    const written = this.#bytes.slice(this.#start)
    // The buffer of one huge list is not kept.
    if (this.#bytes.length > keptBytesMax) this.#bytes = new Uint8Array(4096)
    this.#start = this.#bytes.length
    return written
  }

  /** The tag and length of a field of wire type 2, whose content was written since `mark`. */
  lengthAndTag(field: number, mark: number): void {
    this.varint(this.mark - mark)
    this.tag(field, 2)
  }

  tag(field: number, wire: number): void {
    this.varint(field * 8 + wire)
  }

  /** An integer from 0 to 2^53. */
  varint(value: number): void {
    const at = this.#reserve(10)
    if (value < 0x80) {
      this.#bytes[at + 9] = value
      this.#start = at + 9
      return
    }
    let size = 1
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++
    let to = at + 10 - size
    this.#start = to
    let rest = value
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#bytes[to++] = (rest % 0x80) | 0x80
    this.#bytes[to] = rest
  }

  /** A signed integer; negative ones take ten bytes. */
  integer(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0) {
      this.varint(value)
      return
    }
    const pieces: number[] = []
    let rest = BigInt.asUintN(64, BigInt(value))
    for (; rest >= 0x80n; rest >>= 7n) pieces.push(Number(rest & 0x7fn) | 0x80)
    pieces.push(Number(rest))
    this.bytes(pieces)
  }

  double(value: number): void {
    const at = this.#reserve(8)
    new DataView(this.#bytes.buffer).setFloat64(at, value, true)
    this.#start = at
  }

  bytes(bytes: ArrayLike<number>): void {
    const at = this.#reserve(bytes.length)
    this.#bytes.set(bytes, at)
    this.#start = at
  }

  text(text: string): void {
    if (text.length > shortText || !this.#plainText(text)) this.#anyText(text)
  }

  /** Writes an ASCII string; false when it is not ASCII. */
  #plainText(text: string): boolean {
    const at = this.#reserve(text.length)
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code > 0x7f) return false
      this.#bytes[at + index] = code
    }
    this.#start = at
    return true
  }

  #anyText(text: string): void {
    // Encodes into the largest space the string can need, then moves the bytes to their place.
    const room = text.length * 3
    const end = this.#start
    const at = this.#reserve(room)
    const moved = at + room - end
    const { written } = utf8.encodeInto(text, this.#bytes.subarray(at, at + room))
    this.#start = end + moved - written
    this.#bytes.copyWithin(this.#start, at, at + written)
  }

  /** Makes room before the written bytes; returns where `size` bytes would begin. */
  #reserve(size: number): number {
    if (this.#start >= size) return this.#start - size
    const written = this.#bytes.length - this.#start
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, (written + size) * 2))
    grown.set(this.#bytes.subarray(this.#start), grown.length - written)
    this.#bytes = grown
    this.#start = grown.length - written
    return this.#start - size
  }
}

const keptBytesMax = 1024 * 1024
