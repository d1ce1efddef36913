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
   * How long other replicas wait for a holder that does not renew: whole seconds, 15 s by default.
   */
  readonly leaseMs?: number | undefined
  /**
   * How long a holder that cannot renew keeps leading; 10 s by default. Its work has the rest of
   * `leaseMs` to end.
   */
  readonly renewMs?: number | undefined
  /** The time between two attempts to acquire or to renew, plus jitter; 2 s by default. */
  readonly retryMs?: number | undefined
  /** Release the Lease at the end, so that the next replica need not wait; `true` by default. */
  readonly releaseOnStop?: boolean | undefined
}
