import { type Duration, durationMs } from '../host/index.ts'
import { SetpointError } from '../errors/index.ts'

/** What a run comes to when it does not throw: nothing (settled), or a time to look again. */
export type Outcome = { readonly recheckAfter?: Duration | undefined } | undefined | void

/**
 * Throw it when something outside is not ready and nobody is at fault: the key is run again after the given time
 * (or its backoff), and it is not reported as an error.
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

/** Throw it when trying again cannot help: the key is not run until something changes. */
export class GiveUpError extends SetpointError {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super('GIVE_UP', message, options)
  }
}
