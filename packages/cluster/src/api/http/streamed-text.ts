import { gzipSync } from 'node:zlib'

/** The characters of one chunk: large enough for gzip, small enough to be encoded quickly. */
const chunkLength = 512 * 1024

/**
 * A body that is made while the client reads it: a list can be larger than any string, and a client
 * that does not read holds no memory. Every chunk is a gzip member of its own.
 */
export function streamedText(
  parts: Iterable<string>,
  { isGzip }: { readonly isGzip: boolean },
): AsyncIterable<Uint8Array> {
  const chunks = chunksOf(parts)
  const encoder = new TextEncoder()
  const end = async (): Promise<IteratorReturnResult<undefined>> => {
    chunks.return(undefined)
    return { done: true, value: undefined }
  }
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    const { value, done } = chunks.next()
    if (done === true) return end()
    const bytes = encoder.encode(value)
    return { done: false, value: isGzip ? gzipSync(bytes, { level: 1 }) : bytes }
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) }
}

function* chunksOf(parts: Iterable<string>): Generator<string, undefined> {
  let chunk: string[] = []
  let length = 0
  for (const part of parts) {
    chunk.push(part)
    length += part.length
    if (length < chunkLength) continue
    yield chunk.join('')
    chunk = []
    length = 0
  }
  if (length > 0) yield chunk.join('')
  return undefined
}
