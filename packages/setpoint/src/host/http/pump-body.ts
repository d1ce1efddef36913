import { invalidCallError } from '../invalid-call-error.ts'

/** The destination of a pumped body. */
export interface BodySink {
  /** Takes a chunk. A promise means that the buffer is full: the next chunk waits for it. */
  write(chunk: Uint8Array): Promise<void> | undefined
  /** The body is complete. */
  end(): void
  /** The body threw or is invalid, or the sink refused a chunk. */
  fail(error: Error): void
}

/** A body in progress. */
export interface Pump {
  /** Stops the transfer: calls the body's `return` once; the sink gets nothing more. */
  stop(): void
}

/**
 * Pulls a body into a sink, one chunk at a time. It deliberately uses no Promise.race: a body that
 * never yields again gets `return` and can be garbage-collected, so a watch of months leaks no
 * memory. A body must match its announced length: extra bytes never reach the sink.
 */
export function pumpBody(
  body: AsyncIterable<Uint8Array>,
  sink: BodySink,
  lengthBytes: number | undefined,
): Pump {
  let iterator: AsyncIterator<Uint8Array> | undefined
  let stopped = false
  let sentBytes = 0
  const stop = () => {
    if (stopped) return
    stopped = true
    giveUp(iterator)
  }
  const write = (chunk: unknown): Promise<void> | undefined => {
    if (!(chunk instanceof Uint8Array)) {
      throw invalidCallError(
        'a body yielded a chunk that is not a Uint8Array',
        'encode text before yielding it',
      )
    }
    sentBytes += chunk.length
    if (lengthBytes !== undefined && sentBytes > lengthBytes) throw wrongLength(lengthBytes, 'more')
    return sink.write(chunk)
  }
  const run = async (): Promise<void> => {
    iterator = body[Symbol.asyncIterator]()
    for (;;) {
      const step = await iterator.next()
      if (isStopped()) return
      if (step.done === true) break
      const room = tryOrGiveUp(iterator, () => write(step.value))
      if (room !== undefined) await room
      if (isStopped()) return
    }
    if (lengthBytes !== undefined && sentBytes < lengthBytes) throw wrongLength(lengthBytes, 'less')
    stopped = true
    sink.end()
  }
  const isStopped = () => stopped
  run().catch((error: unknown) => {
    if (stopped) return
    stopped = true
    sink.fail(error instanceof Error ? error : new Error(String(error)))
  })
  return { stop }
}

/** Calls `return` of a body that will not be sent (a response to HEAD). */
export function discardBody(body: AsyncIterable<Uint8Array>): void {
  try {
    giveUp(body[Symbol.asyncIterator]())
  } catch {
    // A body that cannot even start has nothing to release.
  }
}

function tryOrGiveUp<Result>(iterator: AsyncIterator<Uint8Array>, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    giveUp(iterator)
    throw error
  }
}

/** The caller has already stopped: an error of this cleanup is ignored. */
function giveUp(iterator: AsyncIterator<Uint8Array> | undefined): void {
  const cleanUp = async () => {
    await iterator?.return?.()
  }
  cleanUp().catch(() => undefined)
}

function wrongLength(lengthBytes: number, moreOrLess: 'more' | 'less'): Error {
  return invalidCallError(
    `a body has ${moreOrLess} than the ${lengthBytes} bytes of its content-length`,
    'omit the header: a stream is sent without a length',
  )
}
