/** Pieces that one side puts in and the other takes out, one at a time: who puts waits until it is taken. */
export class Outbox implements AsyncIterable<Uint8Array> {
  readonly #pieces: { readonly bytes: Uint8Array; readonly taken: () => void }[] = []
  #wake: (() => void) | undefined
  #isEnded = false

  /** Resolves when it was taken, or nobody takes anything any more. */
  async put(bytes: Uint8Array): Promise<void> {
    if (this.#isEnded) return
    await new Promise<void>((taken) => {
      this.#pieces.push({ bytes, taken })
      this.#wake?.()
    })
  }

  /** Nothing more is put in; what is there can still be taken. */
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
