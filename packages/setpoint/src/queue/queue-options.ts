/** Delays and order of a queue; every option has a default. */
export interface QueueOptions {
  /** The delay after the first failure of a key; each further failure doubles it. */
  readonly backoffFirstMs?: number | undefined
  readonly backoffMaxMs?: number | undefined
  /**
   * How long changes of a key are collected before it is reconciled, so that a burst causes one
   * reconcile; 0 by default.
   */
  readonly gatherMs?: number | undefined
  /** Alternate between namespaces, so that one with many changes does not delay the others. */
  readonly isFair?: boolean | undefined
  /** How many reasons a key keeps; further ones are only counted. */
  readonly reasonsMax?: number | undefined
}
