import { exponentialBackoff } from '../host/exponential-backoff.ts'
import { durationMs } from '../host/index.ts'
import type { Backoff } from './declare/handler-options.ts'

const backoffDefault = '1m'
const backoffMaxMsDefault = 3_600_000

/** The delay after this many failures. */
export function backoffMs(backoff: Backoff = backoffDefault, failures: number): number {
  if (typeof backoff !== 'object') return durationMs(backoff, 'backoff')
  const { first, max = backoffMaxMsDefault } = backoff
  return exponentialBackoff(failures, {
    firstMs: durationMs(first, 'backoff.first'),
    maxMs: durationMs(max, 'backoff.max'),
  })
}
