import { isApiError } from '../client/index.ts'
import { RetryLaterError } from '../controller/index.ts'
import { isSetpointError } from '../errors/index.ts'
import { exponentialBackoff } from '../host/exponential-backoff.ts'
import { backoffMs } from './handler-backoff.ts'
import type { RetryOptions } from './declare/handler-options.ts'

/** The decision about a handler that threw. */
export type RetryDecision =
  /** It is retried; `isReported` is false for a RetryLaterError and a conflict. */
  | { readonly type: 'retry'; readonly afterMs: number; readonly isReported: boolean }
  | { readonly type: 'giveUp' }
  | { readonly type: 'ignore' }

/** The attempts in a row, including the current one. */
export interface Tries {
  readonly attempts: number
  /** How many of them threw a RetryLaterError or met a conflict: these are not failures. */
  readonly delays: number
}

/** More conflicts than this in a row are reported. */
const unreportedMax = 5
const conflictBackoff = { firstMs: 100, maxMs: 60_000 }

/** The attempts after one more threw. */
export function countAttempt({ attempts, delays }: Tries, error: unknown): Tries {
  const isDelay = isSetpointError(error, 'RETRY_LATER') || isApiError(error, 'API_CONFLICT')
  return { attempts: attempts + 1, delays: delays + (isDelay ? 1 : 0) }
}

/** Decides about an error after these attempts. Delays do not count as retries. */
export function decideRetry(error: unknown, tries: Tries, options: RetryOptions): RetryDecision {
  const { onFailure = 'retry', retries = Infinity, backoff } = options
  if (isSetpointError(error, 'GIVE_UP')) return { type: 'giveUp' }
  if (isSetpointError(error, 'RETRY_LATER')) {
    const askedMs = error instanceof RetryLaterError ? error.afterMs : undefined
    const afterMs = askedMs ?? backoffMs(backoff, tries.attempts)
    return { type: 'retry', afterMs, isReported: false }
  }
  // Another writer was faster: the next attempt gets the new state of the object.
  if (isApiError(error, 'API_CONFLICT')) {
    const afterMs = exponentialBackoff(tries.delays, conflictBackoff)
    return { type: 'retry', afterMs, isReported: tries.delays > unreportedMax }
  }
  const failures = tries.attempts - tries.delays
  if (onFailure !== 'retry') return { type: onFailure }
  if (failures > retries) return { type: 'giveUp' }
  return { type: 'retry', afterMs: backoffMs(backoff, failures), isReported: true }
}
