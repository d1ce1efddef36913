import { RetryLaterError } from '../controller/index.ts'
import { isSetpointError } from '../errors/index.ts'
import { backoffMs } from './backoff.ts'
import type { RetryOptions } from './handler-options.ts'

/** What becomes of a handler that threw. */
export type Verdict =
  /** It is tried again; `isFault` tells whether anybody has to know. */
  | { readonly type: 'retry'; readonly afterMs: number; readonly isFault: boolean }
  | { readonly type: 'giveUp' }
  | { readonly type: 'ignore' }

/** Decides about an error, after so many tries. */
export function verdictOn(error: unknown, attempts: number, options: RetryOptions): Verdict {
  const { onFailure = 'retry', retries = Infinity, backoff } = options
  if (isSetpointError(error, 'GIVE_UP')) return { type: 'giveUp' }
  const isLater = isSetpointError(error, 'RETRY_LATER')
  if (!isLater && onFailure !== 'retry') return { type: onFailure }
  if (attempts > retries) return { type: 'giveUp' }
  const askedMs = error instanceof RetryLaterError ? error.afterMs : undefined
  const afterMs = askedMs ?? backoffMs(backoff, attempts)
  return { type: 'retry', afterMs, isFault: !isLater }
}
