import { durationMs } from '../host/index.ts'
import type { Backoff } from './declare/handler-options.ts'

const backoffDefault = '1m'
const backoffMaxMsDefault = 3_600_000

/** How long to wait after this many failures. */
export function backoffMs(backoff: Backoff = backoffDefault, failures: number): number {
  if (typeof backoff !== 'object') return durationMs(backoff, 'backoff')
  const { first, max = backoffMaxMsDefault } = backoff
  return Math.min(
    durationMs(first, 'backoff.first') * 2 ** Math.min(failures - 1, 40),
    durationMs(max, 'backoff.max'),
  )
}
