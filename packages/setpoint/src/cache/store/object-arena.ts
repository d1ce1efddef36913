import { invariant } from '../../errors/index.ts'
import { recordBytes, type RecordPlace, sizeOf, writeRecord } from './object-record.ts'
import type { ScannedObject } from './scan-object.ts'

/** The size of a block; a larger record gets its own block. */
const blockBytes = 256 * 1024

/** Records start at multiples of this size, so that an address needs fewer bits. */
const unitBytes = 8

/** The number of bits of an address that are the offset within a block. */
const placeBits = 15

/**
 * Records of many objects in few large blocks; the address of a record is a small number. A buffer
 * for each of twenty thousand objects would cost the garbage collector more than the content does.
 * Freed bytes are counted, not reused: the owner of the addresses moves the rest to a fresh arena
 * when half is wasted.
 */
export class ObjectArena {
  readonly #blocks: Buffer[] = []
  /** The block that is being filled, and its fill level. */
  #current = -1
  #used = blockBytes
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

  /** Keeps a record; returns its address. */
  add(record: ScannedObject): number {
    const address = this.#allocate(recordBytes(record))
    writeRecord(this.at(address), record)
    return address
  }

  at(address: number): RecordPlace {
    const bytes = this.#blocks[address >>> placeBits]
    invariant(bytes !== undefined, 'the address belongs to another arena')
    return { bytes, start: (address & ((1 << placeBits) - 1)) * unitBytes }
  }

  /** Copies a record of another arena. */
  copy(place: RecordPlace): number {
    const size = sizeOf(place)
    const address = this.#allocate(size)
    const { bytes, start } = this.at(address)
    place.bytes.copy(bytes, start, place.start, place.start + size)
    return address
  }

  free(address: number): void {
    const size = sizeOf(this.at(address))
    this.#liveBytes -= size
    this.#wastedBytes += size
  }

  #allocate(size: number): number {
    this.#liveBytes += size
    if (size > blockBytes / 4) {
      this.#blocks.push(Buffer.allocUnsafeSlow(size))
      return (this.#blocks.length - 1) << placeBits
    }
    if (this.#used + size > blockBytes) {
      this.#current = this.#blocks.length
      this.#blocks.push(Buffer.allocUnsafeSlow(blockBytes))
      this.#used = 0
    }
    const address = (this.#current << placeBits) | (this.#used / unitBytes)
    this.#used = Math.ceil((this.#used + size) / unitBytes) * unitBytes
    return address
  }
}
