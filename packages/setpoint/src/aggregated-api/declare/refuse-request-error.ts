import { SetpointError } from '../../errors/index.ts'
import { type Duration, durationMs } from '../../host/index.ts'

/** The reasons of refusals, as API servers name them, with their status codes. */
export const refusalCodes = {
  BadRequest: 400,
  Forbidden: 403,
  NotFound: 404,
  AlreadyExists: 409,
  Conflict: 409,
  Expired: 410,
  Invalid: 422,
  TooManyRequests: 429,
  ServiceUnavailable: 503,
} as const

/** Why a function of an aggregated API refuses a request. */
export type RefusalReason = keyof typeof refusalCodes

/**
 * Throw it in a function of an aggregated API to refuse a request: the client gets the reason and
 * the message. Any other error is logged, and answered with 500.
 */
export class RefuseRequestError extends SetpointError {
  readonly reason: RefusalReason
  readonly retryAfterMs: number | undefined

  constructor(
    reason: RefusalReason,
    message: string,
    options: { readonly retryAfter?: Duration; readonly cause?: unknown } = {},
  ) {
    const { retryAfter, cause } = options
    super('REQUEST_REFUSED', message, cause === undefined ? {} : { cause })
    this.reason = reason
    this.retryAfterMs = retryAfter === undefined ? undefined : durationMs(retryAfter, 'retryAfter')
  }
}
