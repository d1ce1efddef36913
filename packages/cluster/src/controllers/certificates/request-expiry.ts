import { certificateEndMs } from '../../codec/index.ts'
import type { RequestObject } from './signer-rules.ts'

const decidedMs = 3600_000
const pendingMs = 24 * 3600_000

/** When a request can be deleted, in epoch milliseconds; `undefined` if never. */
export function requestExpiryMs({ metadata, status }: RequestObject): number | undefined {
  const { conditions = [], certificate = '' } = status ?? {}
  if (conditions.length === 0) return Date.parse(metadata.creationTimestamp) + pendingMs
  const ends = conditions.flatMap(({ type, lastUpdateTime }) => {
    const sinceMs = Date.parse(lastUpdateTime ?? '')
    if (type === 'Denied' || type === 'Failed') return sinceMs + decidedMs
    if (type !== 'Approved') return []
    if (certificate === '') return sinceMs + pendingMs
    return [sinceMs + decidedMs, certificateEndMs(certificate) ?? NaN]
  })
  const known = ends.filter((endMs) => !Number.isNaN(endMs))
  return known.length === 0 ? undefined : Math.min(...known)
}
