import { SetpointError } from '../errors/index.ts'
import { joinBytes } from '../host/index.ts'

/** The longest line of a watch: an object of the largest size, written with every character escaped. */
const lineBytesMax = 16 * 1024 * 1024

const newline = 0x0a

/**
 * Cuts a stream into its lines, as bytes. A line lies in the chunks it came in until it is complete, so
 * a large object that arrives in many pieces is copied once. A rest without a newline is dropped: the
 * connection broke in the middle of an event, and half an event is none.
 */
export async function* splitLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of body) {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(newline, start)
      if (end === -1) break
      const rest = chunk.subarray(start, end)
      yield pieces.length === 0 ? rest : joinBytes([...pieces, rest])
      pieces = []
      sizeBytes = 0
      start = end + 1
    }
    if (start === chunk.length) continue
    pieces.push(chunk.subarray(start))
    sizeBytes += chunk.length - start
    if (sizeBytes > lineBytesMax) {
      throw new SetpointError('BODY_TOO_LARGE', `a line of a watch is above ${lineBytesMax} bytes`)
    }
  }
}
