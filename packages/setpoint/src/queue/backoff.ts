import { exponentialBackoff, jittered } from '../host/exponential-backoff.ts'
import type { Random } from '../host/index.ts'

/** The default delay after the first failure of a key. */
export const backoffFirstMsDefault = 100

/** The default limit of a key's backoff. */
export const backoffMaxMsDefault = 300_000

/** Ten percent more or less, so that keys which failed together are not retried together. */
const jitter = { least: 0.9, spread: 0.2 }

/** The delays of a queue's backoff. */
interface QueueBackoffOptions {
  readonly backoffFirstMs: number
  readonly backoffMaxMs: number
}

/** The delay before a key is reconciled again after this many unsuccessful reconciles in a row. */
export function backoffMs(
  tries: number,
  { backoffFirstMs, backoffMaxMs }: QueueBackoffOptions,
  host: Random,
): number {
  const range = { firstMs: backoffFirstMs, maxMs: backoffMaxMs }
  return jittered(exponentialBackoff(tries, range), jitter, host)
}
