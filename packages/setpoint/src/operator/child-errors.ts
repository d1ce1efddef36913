import { GiveUpError, RetryLaterError } from '../controller/index.ts'
import { headline, isSetpointError } from '../errors/index.ts'

/** Failures of the server or of the way to it: the next child would fail, too, and take its time. */
const ofServer = [
  'API_TOO_MANY_REQUESTS',
  'API_UNAUTHORIZED',
  'API_UNAVAILABLE',
  'CREDENTIALS_UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'NETWORK_CONNECTION_LOST',
  'NETWORK_PROTOCOL_ERROR',
  'NETWORK_TIMEOUT',
  'WRITE_OUTCOME_UNKNOWN',
] as const

/** Whether there is no use in going on with other children. */
export function concernsAll(error: unknown): boolean {
  return isSetpointError(error) && (ofServer as readonly string[]).includes(error.code)
}

/** What several children failed with, as one error: it is tried again as soon as one of them may be. */
export function together(errors: readonly unknown[]): unknown {
  const isLater = (error: unknown): boolean => isSetpointError(error, 'RETRY_LATER')
  const failures = errors.filter((error) => !isLater(error))
  const [first, ...others] = failures.length > 0 ? failures : errors
  if (others.length === 0) return first
  const text = [first, ...others].map(headline).join('; ')
  if (failures.length === 0) return new RetryLaterError(text)
  const isHopeless = errors.every((error) => isSetpointError(error, 'GIVE_UP'))
  return isHopeless ? new GiveUpError(text) : new AggregateError(failures, text)
}
