import { SetpointError } from 'setpoint'
import { type FaultedRequest, type RequestMatch, verbsOf } from './request-match.ts'

/** The errors that a real server may send although the request is correct. */
export type FaultCode = 409 | 410 | 429 | 500 | 503 | 504

/** The verbs that a code is limited to. */
const verbsOfCode: Partial<Record<FaultCode, readonly string[]>> = {
  // Another client has changed the object in the meantime.
  409: ['update', 'patch'],
  // The revision of a page was compacted.
  410: ['list'],
}

/** Whether a real server may answer this request with the code. */
export function isLegal(code: FaultCode, { verb, query }: FaultedRequest): boolean {
  if (code === 410 && (query.get('continue') ?? '') === '') return false
  return verbsOfCode[code]?.includes(verb) ?? true
}

/** Refuses a fault that could never happen. */
export function checkLegal(code: FaultCode, { verb }: RequestMatch): void {
  const allowed = verbsOfCode[code]
  if (allowed === undefined || verb === undefined) return
  const illegal = verbsOf(verb).filter((each) => !allowed.includes(each))
  if (illegal.length === 0) return
  throw new SetpointError(
    'CLUSTER_FAULT_INVALID',
    `an API server answers only ${allowed.join(' and ')} with ${code}, not ${illegal.join(', ')}`,
    { hint: 'choose another code, or end watches with faults.endWatches(match, "expired")' },
  )
}
