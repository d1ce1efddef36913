import { WINDOW_BYTES } from '../../limits.ts'

/**
 * What came of a body, in one of two buffers: while a reader has the bytes of one, the other is filled. So a stream of any
 * length takes the memory of two, where a copy of each chunk would wait for the garbage collector.
 */
export class LentChunks {
  #filling = nothing
  #spare = nothing
  #length = 0

  add(chunk: Uint8Array): void {
    const needed = this.#length + chunk.length
    if (needed > this.#filling.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#filling.length * 2, bytesMin))
      this.#filling.copy(grown, 0, 0, this.#length)
      this.#filling = grown
    }
    this.#filling.set(chunk, this.#length)
    this.#length = needed
  }

  /** All that is here. It is good until the next time. */
  take(): Uint8Array {
    const taken = this.#filling
    const bytes = taken.subarray(0, this.#length)
    this.#filling = this.#spare
    // A burst is no reason to hold as much for ever.
    this.#spare = taken.length <= WINDOW_BYTES ? taken : nothing
    this.#length = 0
    return bytes
  }
}

const nothing = Buffer.alloc(0)
const bytesMin = 4096
