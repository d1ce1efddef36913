import { SetpointError } from '../../errors/index.ts'
import type { HttpBody, HttpBodyIterator } from './http.ts'
import { invalidCallError } from '../invalid-call-error.ts'

/** The source of a body's bytes; each host has its own. */
interface BodySource {
  /** The next chunk, `undefined` at the clean end; rejects when the stream broke. */
  next(): Promise<Uint8Array | undefined>
  /** The reader stopped: release the stream, and let a waiting `next` end. */
  cancel(): void
  /** The whole body, if it is complete. */
  takeWhole?(): Uint8Array | undefined
}

const utf8 = new TextDecoder()
const END = { done: true, value: undefined } as const

/** Turns a source into an `HttpBody`: one reader, read once, prompt `return`. */
export function createBody(source: BodySource): HttpBody {
  let taken = false
  return {
    [Symbol.asyncIterator]() {
      if (taken) {
        throw invalidCallError('an HTTP body was read twice', 'read it once and keep the bytes')
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
        throw invalidCallError(
          'next() of an HTTP body was called before the previous call finished',
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
 * Reads a whole body into memory. The limit is required, because the sender decides how much it
 * sends; beyond it the rest is dropped and `BODY_TOO_LARGE` is thrown.
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
    `an HTTP body is larger than its limit of ${maxBytes} bytes`,
    { hint: 'request less (a page, a selector), or raise the limit where the body is read' },
  )
}

/** Reads a whole body as UTF-8 text; the same limit as `readBytes`. */
export async function readText(
  body: AsyncIterable<Uint8Array> & Pick<HttpBody, 'takeWhole'>,
  maxBytes: number,
): Promise<string> {
  return utf8.decode(await readBytes(body, maxBytes))
}

/** Joins chunks in a new array. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole
}
