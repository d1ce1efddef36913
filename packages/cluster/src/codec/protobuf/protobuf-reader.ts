/** Bytes that are not valid protobuf; the message is Go's. */
export class ProtobufError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ProtobufError'
  }
}

const text = new TextDecoder()

/** The wire types that Kubernetes' messages use. */
const wireType = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const

/** Reads the fields of one protobuf message in order. */
export class ProtobufReader {
  readonly #bytes: Uint8Array
  #at = 0
  /** The field number and wire type of the current field. */
  field = 0
  wire = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Moves to the next field; false at the end. The field must then be read or skipped. */
  next(): boolean {
    if (this.#at >= this.#bytes.length) return false
    const key = Number(this.#rawVarint())
    this.field = Math.floor(key / 8)
    this.wire = key % 8
    if (this.field <= 0) {
      throw new ProtobufError(`proto: Unknown: illegal tag ${this.field} (wire type ${this.wire})`)
    }
    return true
  }

  /** A signed integer; a bigint only where a number would lose digits. */
  integer(): number | bigint {
    this.#expect(wireType.varint)
    const raw = this.#rawVarint()
    if (typeof raw === 'number') return raw
    const value = BigInt.asIntN(64, raw)
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value
  }

  double(): number {
    this.#expect(wireType.fixed64)
    const bytes = this.#take(8)
    return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true)
  }

  bytes(): Uint8Array {
    this.#expect(wireType.bytes)
    return this.#take(Number(this.#rawVarint()))
  }

  string(): string {
    return text.decode(this.bytes())
  }

  skip(): void {
    if (this.wire === wireType.varint) this.#rawVarint()
    else if (this.wire === wireType.fixed64) this.#take(8)
    else if (this.wire === wireType.bytes) this.bytes()
    else if (this.wire === wireType.fixed32) this.#take(4)
    else throw new ProtobufError(`proto: illegal wireType ${this.wire}`)
  }

  #expect(wire: number): void {
    if (this.wire === wire) return
    throw new ProtobufError(`proto: wrong wireType = ${this.wire} for field ${this.field}`)
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new ProtobufError('unexpected EOF')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  /** Small values as numbers; from the eighth byte on as unsigned bigint. */
  #rawVarint(): number | bigint {
    let value = 0
    let factor = 1
    for (let count = 0; count < 7; count++) {
      const byte = this.#byte()
      value += (byte & 127) * factor
      if (byte < 128) return value
      factor *= 128
    }
    let big = BigInt(value)
    for (let shift = 49n; shift < 70n; shift += 7n) {
      const byte = this.#byte()
      big |= BigInt(byte & 127) << shift
      if (byte < 128) return big
    }
    throw new ProtobufError('proto: integer overflow')
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++]
    if (byte === undefined) throw new ProtobufError('unexpected EOF')
    return byte
  }
}
