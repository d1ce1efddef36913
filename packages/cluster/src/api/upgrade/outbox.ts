/** A queue with backpressure: `put` waits until the reader has taken the piece. */
export class Outbox implements AsyncIterable<Uint8Array> {
  readonly #pieces: { readonly bytes: Uint8Array; readonly taken: () => void }[] = []
  #wake: (() => void) | undefined
  #isEnded = false

  /** Resolves when the piece was taken, or when the reader has stopped. */
  async put(bytes: Uint8Array): Promise<void> {
    if (this.#isEnded) return
    await new Promise<void>((taken) => {
      this.#pieces.push({ bytes, taken })
      this.#wake?.()
    })
  }

  /** Ends the queue; the reader still gets the pieces in it. */
  end(): void {
    this.#isEnded = true
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const piece = this.#pieces.shift()
        if (piece !== undefined) {
          yield piece.bytes
          piece.taken()
        } else if (this.#isEnded) return
        else await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    } finally {
      this.#isEnded = true
      for (const { taken } of this.#pieces.splice(0)) taken()
    }
  }
}
