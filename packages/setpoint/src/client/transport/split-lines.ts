import { SetpointError } from '../../errors/index.ts'
import { joinBytes } from '../../host/index.ts'

/** The longest line of a watch: an object of the maximum size, with every character escaped. */
const lineBytesMax = 16 * 1024 * 1024

const newline = 0x0a

/**
 * Splits a stream into lines, as bytes. Pass the chunks as they arrive. A line within one chunk is
 * not copied; a line over several chunks is joined when it is complete.
 */
export class LineSplitter {
  #pieces: Uint8Array[] = []
  #pieceBytes = 0

  /**
   * The lines that end in this chunk. Use them before the next chunk: they may share its memory.
   */
  split(chunk: Uint8Array): Uint8Array[] {
    const lines: Uint8Array[] = []
    let start = 0
    for (;;) {
      const end = chunk.indexOf(newline, start)
      if (end === -1) break
      const rest = chunk.subarray(start, end)
      lines.push(this.#pieces.length === 0 ? rest : joinBytes([...this.#pieces, rest]))
      this.#pieces = []
      this.#pieceBytes = 0
      start = end + 1
    }
    if (start === chunk.length) return lines
    // The memory of a chunk is reused, so the rest is copied.
    this.#pieces.push(new Uint8Array(chunk.subarray(start)))
    this.#pieceBytes += chunk.length - start
    if (this.#pieceBytes > lineBytesMax) {
      throw new SetpointError('BODY_TOO_LARGE', `a line of a watch is above ${lineBytesMax} bytes`)
    }
    return lines
  }

  /** The bytes after the last newline. */
  rest(): Uint8Array {
    return joinBytes(this.#pieces)
  }
}

/** The lines of a stream. The last one needs no newline: a broken stream throws before its end. */
export async function* splitLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const splitter = new LineSplitter()
  for await (const chunk of body) yield* splitter.split(chunk)
  const rest = splitter.rest()
  if (rest.length > 0) yield rest
}
