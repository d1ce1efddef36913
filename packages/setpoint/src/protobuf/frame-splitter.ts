import { SetpointError } from '../errors/index.ts'

/** The longest frame of a watch, as much as Kubernetes' own clients take. */
const frameBytesMax = 16 * 1024 * 1024

/** The length of a frame stands before it. */
const headBytes = 4

/** Frames up to this size are put together in a buffer that is used again and again. */
const scratchBytes = 64 * 1024

/**
 * Cuts a stream into its frames. Give it the chunks as they come. A frame that comes in pieces is put together; one that
 * lies in a chunk is not copied. What is left at the end is no event: the connection broke in the middle of one.
 */
export class FrameSplitter {
  /** Two of them: while a frame in one is being read, the next may begin in the other. */
  #scratch = nothing
  #otherScratch = nothing
  /** The head of the next frame, as far as it is here. */
  #head = 0
  #headBytes = 0
  /** The frame that is being put together, and how much of it is here. */
  #frame = nothing
  #filled = 0

  /** The frames that end in this chunk. They are good until the next chunk is given. */
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
