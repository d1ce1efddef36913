/** Larger buffers are not kept for the next message. */
const keptBytesMax = 256 * 1024

/** Writes protobuf. It is reused: `finish` copies the bytes. */
export class MessageWriter {
  #bytes = Buffer.allocUnsafeSlow(8192)
  #at = 0

  /** The written bytes, as a copy. Empties the writer. */
  finish(): Uint8Array<ArrayBuffer> {
    const written = Uint8Array.from(this.#bytes.subarray(0, this.#at))
    if (this.#bytes.length > keptBytesMax) this.#bytes = Buffer.allocUnsafeSlow(8192)
    this.#at = 0
    return written
  }

  /** Empties the writer. */
  reset(): void {
    this.#at = 0
  }

  tag(field: number, wire: number): void {
    this.varint(field * 8 + wire)
  }

  /**
   * A 32-bit integer, or a larger one that is not negative. Negative ones are written as 64 bits,
   * as in Go.
   */
  varint(value: number): void {
    this.#reserve(10)
    const bytes = this.#bytes
    let at = this.#at
    let rest = value
    if (value < 0) {
      for (let shift = 0; shift < 63; shift += 7)
        bytes[at++] = (value >> Math.min(shift, 31)) | 0x80
      rest = 1
    }
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[at++] = (rest % 0x80) | 0x80
    bytes[at++] = rest
    this.#at = at
  }

  /** A field with a string. */
  text(field: number, text: string): void {
    this.tag(field, 2)
    const size = Buffer.byteLength(text)
    this.varint(size)
    this.#reserve(size)
    this.#at += this.#bytes.write(text, this.#at)
  }

  /** A field with bytes. */
  bytes(field: number, bytes: Uint8Array): void {
    this.tag(field, 2)
    this.varint(bytes.length)
    this.raw(bytes)
  }

  /** Bytes without a tag. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#at)
    this.#at += bytes.length
  }

  /** Starts a field with a message. Pass the result to `end`. */
  begin(field: number): number {
    this.tag(field, 2)
    this.#reserve(1)
    this.#at += 1
    return this.#at
  }

  /**
   * Ends the message that was started there. Most fit the one byte that is reserved for their
   * length.
   */
  end(start: number): void {
    const size = this.#at - start
    // Room for a longer length, and for the bytes that writing it reserves.
    this.#reserve(14)
    if (size >= 0x80) {
      const more = size < 0x4000 ? 1 : size < 0x20_0000 ? 2 : size < 0x1000_0000 ? 3 : 4
      this.#bytes.copyWithin(start + more, start, this.#at)
    }
    this.#at = start - 1
    this.varint(size)
    this.#at += size
  }

  #reserve(size: number): void {
    if (this.#at + size <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow((this.#at + size) * 2)
    this.#bytes.copy(grown, 0, 0, this.#at)
    this.#bytes = grown
  }
}
