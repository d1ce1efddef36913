import { RetryLaterError } from '../controller/index.ts'
import { isSetpointError } from '../errors/index.ts'
import { backoffMs } from './handler-backoff.ts'
import type { RetryOptions } from './declare/handler-options.ts'

/** The decision about a handler that threw. */
export type RetryDecision =
  /** It is retried; `isReported` is false for a RetryLaterError, which is not reported. */
  | { readonly type: 'retry'; readonly afterMs: number; readonly isReported: boolean }
  | { readonly type: 'giveUp' }
  | { readonly type: 'ignore' }

/** The attempts in a row, including the current one. */
export interface Tries {
  readonly attempts: number
  /** How many of them threw a RetryLaterError, which is not a failure. */
  readonly delays: number
}

/** The attempts after one more threw. */
export function countAttempt({ attempts, delays }: Tries, error: unknown): Tries {
  return {
    attempts: attempts + 1,
    delays: delays + (isSetpointError(error, 'RETRY_LATER') ? 1 : 0),
  }
}

/** Decides about an error after this many attempts. RetryLaterErrors do not count as retries. */
export function decideRetry(error: unknown, tries: Tries, options: RetryOptions): RetryDecision {
  const { onFailure = 'retry', retries = Infinity, backoff } = options
  if (isSetpointError(error, 'GIVE_UP')) return { type: 'giveUp' }
  if (isSetpointError(error, 'RETRY_LATER')) {
    const askedMs = error instanceof RetryLaterError ? error.afterMs : undefined
    const afterMs = askedMs ?? backoffMs(backoff, tries.attempts)
    return { type: 'retry', afterMs, isReported: false }
  }
  const failures = tries.attempts - tries.delays
  if (onFailure !== 'retry') return { type: onFailure }
  if (failures > retries) return { type: 'giveUp' }
  return { type: 'retry', afterMs: backoffMs(backoff, failures), isReported: true }
}
