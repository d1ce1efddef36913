import { type Duration, durationMs } from '../host/index.ts'
import { SetpointError } from '../errors/index.ts'

/** The result of a reconcile: nothing, or a delay after which the object is requeued. */
export type Outcome = { readonly recheckAfter?: Duration | undefined } | undefined | void

/**
 * Throw it when something outside is not ready yet: the key is requeued after the given time, or
 * after its backoff, and no error is reported.
 */
export class RetryLaterError extends SetpointError {
  readonly afterMs: number | undefined

  constructor(
    message: string,
    options: { readonly after?: Duration; readonly cause?: unknown } = {},
  ) {
    super('RETRY_LATER', message, options.cause === undefined ? {} : { cause: options.cause })
    this.afterMs = options.after === undefined ? undefined : durationMs(options.after, 'after')
  }
}

/** Throw it when a retry cannot help: the key is not reconciled until something changes. */
export class GiveUpError extends SetpointError {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super('GIVE_UP', message, options)
  }
}
