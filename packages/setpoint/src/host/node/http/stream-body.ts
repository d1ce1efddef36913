import type { Readable } from 'node:stream'
import { createBody } from '../../http/body.ts'
import type { HttpBody } from '../../http/http.ts'

/** The differences between the two ends of a connection. */
interface StreamBodyHooks {
  /** The error for a stream that closed before its end. */
  lost(cause: unknown): Error
  /** Why this side has ended the stream: it also ends the reading of received bytes. */
  ended?(): Error | undefined
  /** The reader stopped. */
  cancel(): void
}

/**
 * A Node message, or a connection, as a body. Nothing is read before the first `next`, because Node
 * discards the rest of a request only when no reader has started.
 */
export function streamBody(message: Readable, hooks: StreamBodyHooks): HttpBody {
  let wake = (): void => undefined
  let cancelled = false
  let cause: unknown
  const notify = () => wake()
  message.on('error', (error) => {
    cause = error
  })
  return createBody({
    async next() {
      if (message.listenerCount('readable') === 0) {
        message.on('readable', notify).on('end', notify).on('close', notify)
      }
      for (;;) {
        const reason = message.readableEnded ? undefined : hooks.ended?.()
        if (reason !== undefined) throw reason
        const chunk = message.read() as Buffer | null
        if (chunk !== null) return chunk
        if (message.readableEnded || cancelled) return undefined
        if (message.destroyed) throw hooks.lost(cause)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    cancel() {
      cancelled = true
      message.off('readable', notify)
      hooks.cancel()
      notify()
    },
  })
}

/**
 * Reads and discards the rest. The listener keeps it flowing: without one Node stops the flow after
 * the last reader has gone.
 */
export function discardRest(message: Readable): void {
  message.removeAllListeners('readable')
  message.on('data', () => undefined).resume()
}
