/** How a queue waits and orders; everything has a default. */
export interface QueueOptions {
  /** The wait after the first failure of a key; each further one doubles it. */
  readonly backoffFirstMs?: number | undefined
  readonly backoffMaxMs?: number | undefined
  /** How long changes of an object are gathered before it is run, so that a burst of them is one run; not at all unless given. */
  readonly gatherMs?: number | undefined
  /** Take turns among namespaces, so that one with many changes does not hold up the others. */
  readonly isFair?: boolean | undefined
  /** How many reasons a key remembers; what is beyond is counted. */
  readonly reasonsMax?: number | undefined
}
