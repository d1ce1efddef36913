/** Bytes from several buffers that are stored together. */
export class BytePieces {
  readonly #pieces: readonly Uint8Array[]
  readonly byteLength: number

  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces
    this.byteLength = pieces.reduce((sum, piece) => sum + piece.length, 0)
  }

  /** Copies the pieces to this place, one after the other. */
  copyTo(target: Buffer, start: number): void {
    let at = start
    for (const piece of this.#pieces) {
      target.set(piece, at)
      at += piece.length
    }
  }
}
