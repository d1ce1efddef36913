import { SetpointError } from '../../errors/index.ts'
import { joinBytes } from '../../host/index.ts'

/** The longest line of a watch: an object of the largest size, written with every character escaped. */
const lineBytesMax = 16 * 1024 * 1024

const newline = 0x0a

/**
 * Cuts a stream into its lines, as bytes. Give it the chunks as they come. A line that lies in one is not copied; of others the
 * pieces are put together when all are here.
 */
export class LineSplitter {
  #pieces: Uint8Array[] = []
  #pieceBytes = 0

  /** The lines that end in this chunk. Use them before the next chunk is given: they may lie in this one. */
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
    // Chunks are lent.
    this.#pieces.push(new Uint8Array(chunk.subarray(start)))
    this.#pieceBytes += chunk.length - start
    if (this.#pieceBytes > lineBytesMax) {
      throw new SetpointError('BODY_TOO_LARGE', `a line of a watch is above ${lineBytesMax} bytes`)
    }
    return lines
  }

  /** What came after the last newline. */
  rest(): Uint8Array {
    return joinBytes(this.#pieces)
  }
}

/** The lines of a stream, one after the other. The last one needs no newline: a stream that breaks throws before its end. */
export async function* splitLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const splitter = new LineSplitter()
  for await (const chunk of body) yield* splitter.split(chunk)
  const rest = splitter.rest()
  if (rest.length > 0) yield rest
}
