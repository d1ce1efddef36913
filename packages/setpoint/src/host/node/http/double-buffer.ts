import { WINDOW_BYTES } from '../../limits.ts'

/**
 * The received bytes of a body in one of two buffers: while a reader uses one, the other is filled.
 * A stream of any length needs only the memory of two buffers, where copies of chunks would wait
 * for the garbage collector.
 */
export class DoubleBuffer {
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

  /** All received bytes. They are valid until the next call. */
  take(): Uint8Array {
    const taken = this.#filling
    const bytes = taken.subarray(0, this.#length)
    this.#filling = this.#spare
    // Shrinks the buffer after a burst.
    this.#spare = taken.length <= WINDOW_BYTES ? taken : nothing
    this.#length = 0
    return bytes
  }
}

const nothing = Buffer.alloc(0)
const bytesMin = 4096
