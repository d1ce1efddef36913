/** Where a pumped body goes. */
export interface BodySink {
  /** Takes a chunk. A promise means that there is no room: the next chunk waits for it. */
  write(chunk: Uint8Array): Promise<void> | undefined
  /** The body is complete. */
  end(): void
  /** The body threw instead of ending, or the sink refused a chunk. */
  fail(error: unknown): void
}

/** A body under way. */
export interface Pump {
  /** Nobody wants the rest: the body's `return` is called, once, and the sink hears no more. */
  stop(): void
}

/**
 * Pulls a body into a sink, one chunk at a time. It deliberately races nothing: a body that never
 * yields again is told by `stop` and then is garbage, so a watch of months costs no memory.
 */
export function pumpBody(body: AsyncIterable<Uint8Array>, sink: BodySink): Pump {
  let iterator: AsyncIterator<Uint8Array> | undefined
  let stopped = false
  const stop = () => {
    if (stopped) return
    stopped = true
    giveUp(iterator)
  }
  const run = async (): Promise<void> => {
    iterator = body[Symbol.asyncIterator]()
    for (;;) {
      const step = await iterator.next()
      if (isStopped()) return
      if (step.done === true) {
        stopped = true
        sink.end()
        return
      }
      const room = writeOrGiveUp(sink, step.value, iterator)
      if (room !== undefined) await room
      if (isStopped()) return
    }
  }
  const isStopped = () => stopped
  run().catch((error: unknown) => {
    if (stopped) return
    stopped = true
    sink.fail(error)
  })
  return { stop }
}

/** Tells a body that will not be sent (an answer to HEAD) that nobody is going to pull it. */
export function discardBody(body: AsyncIterable<Uint8Array>): void {
  giveUp(body[Symbol.asyncIterator]())
}

function writeOrGiveUp(
  sink: BodySink,
  chunk: Uint8Array,
  iterator: AsyncIterator<Uint8Array>,
): Promise<void> | undefined {
  try {
    return sink.write(chunk)
  } catch (error) {
    giveUp(iterator)
    throw error
  }
}

function giveUp(iterator: AsyncIterator<Uint8Array> | undefined): void {
  // Whoever calls has already lost interest: a failing cleanup has nobody to be told to.
  iterator?.return?.().catch(() => undefined)
}
