import type { Duration, Timers } from '../host/index.ts'

/** The options of `until` of a daemon. */
export interface UntilOptions {
  readonly timeout?: Duration
}

/** What a wait needs. */
interface Wait {
  readonly host: Timers
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** The checks that are called in every reconcile of the object. */
  readonly waiting: Set<() => void>
}

/**
 * Waits until the function returns true, which is checked now and in every reconcile; returns false
 * after the timeout. Rejects with `ABORTED`, or with what the function throws.
 */
export async function waitUntil(
  holds: () => boolean,
  { host, timeoutMs, signal, waiting }: Wait,
): Promise<boolean> {
  if (holds()) return true
  const done = new AbortController()
  let thrown: { readonly error: unknown } | undefined
  const check = (): void => {
    try {
      if (holds()) done.abort()
    } catch (error) {
      thrown = { error }
      done.abort()
    }
  }
  waiting.add(check)
  try {
    await host.sleep(timeoutMs, AbortSignal.any([signal, done.signal]))
    return false
  } catch (error) {
    if (thrown !== undefined) throw thrown.error
    if (signal.aborted || !done.signal.aborted) throw error
    return true
  } finally {
    waiting.delete(check)
  }
}
