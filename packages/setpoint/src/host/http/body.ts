import { SetpointError } from '../../errors/index.ts'
import type { HttpBody, HttpBodyIterator } from './http.ts'
import { misuse } from '../misuse.ts'

/** Where a body's bytes come from; each host has its own. */
interface BodySource {
  /** The next chunk, `undefined` at the clean end; rejects when the stream broke. */
  next(): Promise<Uint8Array | undefined>
  /** The reader gave up: free what the stream holds, and let a waiting `next` end. */
  cancel(): void
  /** Everything, if the end is here too. */
  takeWhole?(): Uint8Array | undefined
}

const utf8 = new TextDecoder()
const END = { done: true, value: undefined } as const

/** Wraps a source into the promises of `HttpBody`: one reader, one time, prompt `return`. */
export function createBody(source: BodySource): HttpBody {
  let taken = false
  return {
    [Symbol.asyncIterator]() {
      if (taken) {
        throw misuse('an HTTP body was read twice', 'read it once and keep the bytes')
      }
      taken = true
      return iterate(source)
    },
    takeWhole() {
      const whole = taken ? undefined : source.takeWhole?.()
      if (whole !== undefined) taken = true
      return whole
    },
  }
}

function iterate(source: BodySource): HttpBodyIterator {
  let done = false
  let reading = false
  return {
    async next() {
      if (done) return END
      if (reading) {
        throw misuse(
          'an HTTP body was asked for a chunk while it was still waiting for the one before',
          'await each next() before the following one, or use for await',
        )
      }
      reading = true
      try {
        const chunk = await source.next()
        if (chunk !== undefined) return { done: false, value: chunk }
        done = true
        return END
      } catch (error) {
        done = true
        throw error
      } finally {
        reading = false
      }
    },
    async return() {
      if (!done) {
        done = true
        source.cancel()
      }
      return END
    },
  }
}

/**
 * Reads a whole body into memory. The limit is not optional, because the sender decides how much
 * comes; beyond it the rest is given up and `BODY_TOO_LARGE` is thrown.
 */
export async function readBytes(
  body: AsyncIterable<Uint8Array> & Pick<HttpBody, 'takeWhole'>,
  maxBytes: number,
): Promise<Uint8Array> {
  const whole = body.takeWhole?.()
  if (whole !== undefined) {
    checkSize(whole.length, maxBytes)
    return whole
  }
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.length
    checkSize(sizeBytes, maxBytes)
    chunks.push(chunk)
  }
  return joinBytes(chunks)
}

function checkSize(sizeBytes: number, maxBytes: number): void {
  if (sizeBytes <= maxBytes) return
  throw new SetpointError(
    'BODY_TOO_LARGE',
    `an HTTP body is larger than the ${maxBytes} bytes that were allowed for it`,
    { hint: 'ask for less (a page, a selector), or raise the limit where the body is read' },
  )
}

/** Reads a whole body as UTF-8 text; the same limit as `readBytes`. */
export async function readText(
  body: AsyncIterable<Uint8Array> & Pick<HttpBody, 'takeWhole'>,
  maxBytes: number,
): Promise<string> {
  return utf8.decode(await readBytes(body, maxBytes))
}

/** Puts chunks together in a fresh array. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole
}
