/** Which Lease is held, by whom, and how patiently. The times are those of client-go unless given. */
export interface ElectionSettings {
  /** The name of the Lease: the same for all replicas, and for nobody else. */
  readonly name: string
  /** The namespace of the Lease; the client's own unless given. */
  readonly namespace?: string | undefined
  /** What this replica is called in the Lease; `HOSTNAME` (a pod's name) or a UUID unless given. */
  readonly identity?: string | undefined
  /** How long others wait for a holder that is silent: whole seconds, 15 s unless given. */
  readonly leaseMs?: number | undefined
  /** How long a holder that cannot renew goes on; 10 s unless given. The rest is the work's, to come to an end. */
  readonly renewMs?: number | undefined
  /** The time between two tries, to acquire or to renew; 2 s unless given, and a bit more by lot. */
  readonly retryMs?: number | undefined
  /** Give the Lease up at the end, so that the next one need not wait; `true` unless given. */
  readonly releaseOnStop?: boolean | undefined
}
