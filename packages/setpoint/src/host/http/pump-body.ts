import { misuse } from '../misuse.ts'

/** Where a pumped body goes. */
export interface BodySink {
  /** Takes a chunk. A promise means that there is no room: the next chunk waits for it. */
  write(chunk: Uint8Array): Promise<void> | undefined
  /** The body is complete. */
  end(): void
  /** The body threw instead of ending, broke its promises, or the sink refused a chunk. */
  fail(error: Error): void
}

/** A body under way. */
export interface Pump {
  /** Nobody wants the rest: the body's `return` is called, once, and the sink hears no more. */
  stop(): void
}

/**
 * Pulls a body into a sink, one chunk at a time. It deliberately races nothing: a body that never
 * yields again is told by `stop` and then is garbage, so a watch of months costs no memory. A body
 * whose length was announced is held to it: what is too much never reaches the sink.
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
      throw misuse('a body yielded a chunk that is not a Uint8Array', 'encode text before it')
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

/** Tells a body that will not be sent (an answer to HEAD) that nobody is going to pull it. */
export function discardBody(body: AsyncIterable<Uint8Array>): void {
  try {
    giveUp(body[Symbol.asyncIterator]())
  } catch {
    // A body that cannot even begin has nothing to give up.
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

/**
 * Whoever calls has already lost interest, and has others to tell: a cleanup that fails, in
 * whatever way, has nobody to be told to.
 */
function giveUp(iterator: AsyncIterator<Uint8Array> | undefined): void {
  const cleanUp = async () => {
    await iterator?.return?.()
  }
  cleanUp().catch(() => undefined)
}

function wrongLength(lengthBytes: number, moreOrLess: 'more' | 'less'): Error {
  return misuse(
    `a body has ${moreOrLess} than the ${lengthBytes} bytes of its content-length`,
    'leave the header out: a stream is sent without a length',
  )
}
