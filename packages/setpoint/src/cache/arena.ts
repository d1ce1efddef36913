/** How much is asked of the system at once; a larger object gets a block of its own. */
const blockBytes = 256 * 1024

interface Block {
  readonly bytes: Uint8Array
  used: number
}

/** Where some bytes are kept. */
export interface Slot {
  readonly block: Block
  readonly offset: number
  readonly length: number
}

/**
 * Bytes of many objects in few large blocks. An array of its own for each of twenty thousand objects costs
 * the garbage collector more than the objects do. Freed bytes are counted, not reused: whoever owns the
 * slots moves them to a fresh arena when half is waste.
 */
export class Arena {
  #block: Block = { bytes: new Uint8Array(0), used: 0 }
  #liveBytes = 0
  #wastedBytes = 0

  /** Bytes in use. */
  get liveBytes(): number {
    return this.#liveBytes
  }

  /** Whether moving everything to a fresh arena would free at least as much as it copies. */
  get isWasteful(): boolean {
    return this.#wastedBytes > this.#liveBytes && this.#wastedBytes > 4 * blockBytes
  }

  /** Copies the pieces into one slot. */
  add(pieces: readonly Uint8Array[]): Slot {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    const block = this.#blockFor(length)
    const offset = block.used
    for (const piece of pieces) {
      block.bytes.set(piece, block.used)
      block.used += piece.length
    }
    this.#liveBytes += length
    return { block, offset, length }
  }

  bytesOf({ block, offset, length }: Slot): Uint8Array {
    return block.bytes.subarray(offset, offset + length)
  }

  free({ length }: Slot): void {
    this.#liveBytes -= length
    this.#wastedBytes += length
  }

  #blockFor(length: number): Block {
    if (length > blockBytes / 4) return { bytes: new Uint8Array(length), used: 0 }
    if (this.#block.used + length > this.#block.bytes.length) {
      this.#block = { bytes: new Uint8Array(blockBytes), used: 0 }
    }
    return this.#block
  }
}
