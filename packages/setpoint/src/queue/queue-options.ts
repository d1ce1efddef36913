import type { Duration } from '../host/index.ts'

/** Delays and order of a queue; every option has a default. */
export interface QueueOptions {
  /**
   * The delay after a failed reconcile: `first` (`100ms` by default), doubled each time up to
   * `max`
   * (`5m` by default).
   */
  readonly backoff?:
    { readonly first?: Duration | undefined; readonly max?: Duration | undefined } | undefined
  /**
   * How long changes of an object are collected before it is reconciled, so that a burst causes one
   * reconcile; `0` by default.
   */
  readonly gather?: Duration | undefined
  /** Alternate between namespaces, so that one with many changes does not delay the others. */
  readonly isFair?: boolean | undefined
  /** How many reasons a key keeps; further ones are only counted. */
  readonly reasonsMax?: number | undefined
}
