import { SetpointError } from '../errors/index.ts'

/** The longest frame of a watch, as in Kubernetes' own clients. */
const frameBytesMax = 16 * 1024 * 1024

/** The length of a frame precedes it. */
const headBytes = 4

/** Frames up to this size are joined in a reused buffer. */
const scratchBytes = 64 * 1024

/**
 * Splits a stream into frames. Pass the chunks as they arrive. A frame over several chunks is
 * joined; a frame within one chunk is not copied. An incomplete frame at the end is ignored: the
 * connection broke.
 */
export class FrameSplitter {
  /** Two buffers: while a frame in one is being read, the next may start in the other. */
  #scratch = nothing
  #otherScratch = nothing
  /** The received part of the next frame's length. */
  #head = 0
  #headBytes = 0
  /** The frame that is being joined, and its fill level. */
  #frame = nothing
  #filled = 0

  /** The frames that end in this chunk. They are valid until the next chunk. */
  split(chunk: Uint8Array): Buffer[] {
    const frames: Buffer[] = []
    const bytes = bufferOf(chunk)
    let at = 0
    while (at < bytes.length) {
      if (this.#headBytes < headBytes) {
        at = this.#readHead(bytes, at)
        if (this.#headBytes < headBytes) break
      }
      const length = this.#head
      const missing = length - this.#filled
      if (this.#filled === 0 && bytes.length - at >= length) {
        frames.push(bytes.subarray(at, at + length))
        this.#headBytes = 0
      } else if (bytes.length > at) this.#fill(bytes.subarray(at, at + missing), frames)
      at += Math.min(missing, bytes.length - at)
    }
    return frames
  }

  #readHead(bytes: Buffer, from: number): number {
    let at = from
    if (this.#headBytes === 0) this.#head = 0
    for (; this.#headBytes < headBytes && at < bytes.length; at += 1) {
      this.#head = this.#head * 0x100 + (bytes[at] ?? 0)
      this.#headBytes += 1
    }
    if (this.#headBytes === headBytes && this.#head > frameBytesMax) {
      const why = `a frame of a watch is above ${frameBytesMax} bytes`
      throw new SetpointError('BODY_TOO_LARGE', why)
    }
    return at
  }

  /** Adds a piece to the frame; it may be the last one. */
  #fill(piece: Buffer, frames: Buffer[]): void {
    const length = this.#head
    if (this.#filled === 0) {
      if (length <= scratchBytes && this.#scratch.length === 0) {
        this.#scratch = Buffer.allocUnsafeSlow(scratchBytes)
      }
      this.#frame = length <= scratchBytes ? this.#scratch : Buffer.allocUnsafeSlow(length)
    }
    this.#filled += piece.copy(this.#frame, this.#filled)
    if (this.#filled < length) return
    frames.push(this.#frame.subarray(0, length))
    if (this.#frame === this.#scratch) {
      this.#scratch = this.#otherScratch
      this.#otherScratch = this.#frame
    }
    this.#frame = nothing
    this.#filled = 0
    this.#headBytes = 0
  }
}

const nothing = Buffer.alloc(0)

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
