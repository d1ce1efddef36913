import type { Duration } from '../host/index.ts'

/** How a queue waits and orders; everything has a default. */
export interface QueueOptions {
  /**
   * The wait after a failed reconcile: `first` (`100ms` unless given), doubled each time up to
   * `max` (`5m` unless given).
   */
  readonly backoff?:
    { readonly first?: Duration | undefined; readonly max?: Duration | undefined } | undefined
  /**
   * How long changes of an object are collected before it is reconciled, so that a burst causes one
   * reconcile; `0` unless given.
   */
  readonly gather?: Duration | undefined
  /** Take turns among namespaces, so that one with many changes does not hold up the others. */
  readonly isFair?: boolean | undefined
  /** How many reasons a key remembers; what is beyond is counted. */
  readonly reasonsMax?: number | undefined
}
