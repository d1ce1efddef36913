import type { Span } from './stored-message.ts'

/** The place of the metadata in a message, and the ranges to cut out of it. */
interface Cut {
  readonly metadata: {
    /** The length that precedes the metadata. */
    readonly lengthStart: number
    readonly lengthEnd: number
    readonly end: number
  }
  /** Starts and ends, in order. */
  readonly cuts: readonly number[]
}

/** A message without some fields of its metadata. It is built when it is copied. */
export class CutMessage {
  readonly #bytes: Buffer
  readonly #span: Span
  readonly #cut: Cut
  readonly byteLength: number

  constructor(bytes: Buffer, span: Span, cut: Cut) {
    this.#bytes = bytes
    this.#span = span
    this.#cut = cut
    this.byteLength = span.length - this.#cutBytes()
  }

  /** Copies the message to this place. */
  copyTo(target: Buffer, start: number): void {
    const { offset, length } = this.#span
    const { cuts, metadata } = this.#cut
    let at = start
    let from = offset
    for (let index = 0; index < cuts.length; index += 2) {
      at += this.#bytes.copy(target, at, from, cuts[index])
      from = cuts[index + 1] ?? from
    }
    this.#bytes.copy(target, at, from, offset + length)
    if (cuts.length > 0) {
      const { lengthStart, lengthEnd, end } = metadata
      const size = end - lengthEnd - this.#cutBytes()
      writeVarint(target.subarray(start + lengthStart - offset, start + lengthEnd - offset), size)
    }
  }

  #cutBytes(): number {
    const { cuts } = this.#cut
    let sum = 0
    for (let index = 0; index < cuts.length; index += 2) {
      sum += (cuts[index + 1] ?? 0) - (cuts[index] ?? 0)
    }
    return sum
  }
}

/**
 * Fills all bytes with a number, although fewer would be enough: the following bytes stay in place.
 */
function writeVarint(bytes: Uint8Array, value: number): void {
  const last = bytes.length - 1
  for (let index = 0; index <= last; index += 1) {
    const seven = Math.floor(value / 2 ** (7 * index)) & 0x7f
    bytes[index] = index < last ? seven | 0x80 : seven
  }
}
