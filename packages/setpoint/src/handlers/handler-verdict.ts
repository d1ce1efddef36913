import { RetryLaterError } from '../controller/index.ts'
import { isSetpointError } from '../errors/index.ts'
import { backoffMs } from './handler-backoff.ts'
import type { RetryOptions } from './declare/handler-options.ts'

/** What becomes of a handler that threw. */
export type Verdict =
  /** It is tried again; `isFault` tells whether anybody has to know. */
  | { readonly type: 'retry'; readonly afterMs: number; readonly isFault: boolean }
  | { readonly type: 'giveUp' }
  | { readonly type: 'ignore' }

/** How often something was tried in a row, this time included. */
export interface Tries {
  readonly attempts: number
  /** How many of them asked for more time, which is no failure. */
  readonly delays: number
}

/** The tries after one more of them threw. */
export function oneMore({ attempts, delays }: Tries, error: unknown): Tries {
  return {
    attempts: attempts + 1,
    delays: delays + (isSetpointError(error, 'RETRY_LATER') ? 1 : 0),
  }
}

/** Decides about an error, after so many tries. Whoever only asks for more time is not given up on. */
export function verdictOn(error: unknown, tries: Tries, options: RetryOptions): Verdict {
  const { onFailure = 'retry', retries = Infinity, backoff } = options
  if (isSetpointError(error, 'GIVE_UP')) return { type: 'giveUp' }
  if (isSetpointError(error, 'RETRY_LATER')) {
    const askedMs = error instanceof RetryLaterError ? error.afterMs : undefined
    const afterMs = askedMs ?? backoffMs(backoff, tries.attempts)
    return { type: 'retry', afterMs, isFault: false }
  }
  const failures = tries.attempts - tries.delays
  if (onFailure !== 'retry') return { type: onFailure }
  if (failures > retries) return { type: 'giveUp' }
  return { type: 'retry', afterMs: backoffMs(backoff, failures), isFault: true }
}
