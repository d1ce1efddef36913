import type { Duration } from '../host/index.ts'

/**
 * The Lease of an election, this replica's identity and the times. The default times are those of
 * client-go.
 */
export interface ElectionSettings {
  /** The name of the Lease: the same for all replicas, and used by nothing else. */
  readonly name: string
  /** The namespace of the Lease; the client's own by default. */
  readonly namespace?: string | undefined
  /**
   * The identity of this replica in the Lease; `HOSTNAME` (the pod's name) or a UUID by default.
   */
  readonly identity?: string | undefined
  /**
   * How long a standby waits for a leader that does not renew the Lease: whole seconds, `15s`
   * by
   * default.
   */
  readonly leaseDuration?: Duration | undefined
  /**
   * How long a leader that cannot renew keeps leading; `10s` by default. Then its work is aborted
   * and has the rest of `leaseDuration` to end.
   */
  readonly renewDeadline?: Duration | undefined
  /**
   * The time between two attempts to acquire or to renew, plus jitter; `2s` by default.
   */
  readonly retryPeriod?: Duration | undefined
  /** Release the Lease at the end, so that the next replica need not wait; `true` by default. */
  readonly releaseOnStop?: boolean | undefined
}
