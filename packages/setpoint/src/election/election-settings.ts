import type { Duration } from '../host/index.ts'

/**
 * Which Lease is held, by whom, and how patiently. The times are those of client-go unless given.
 */
export interface ElectionSettings {
  /** The name of the Lease: the same for all replicas, and for nobody else. */
  readonly name: string
  /** The namespace of the Lease; the client's own unless given. */
  readonly namespace?: string | undefined
  /** What this replica is called in the Lease; `HOSTNAME` (a pod's name) or a UUID unless given. */
  readonly identity?: string | undefined
  /**
   * How long a standby waits for a leader that does not renew the Lease: whole seconds, `15s`
   * unless given.
   */
  readonly leaseDuration?: Duration | undefined
  /** How long a leader that cannot renew goes on; `10s` unless given. Then its work is aborted. */
  readonly renewDeadline?: Duration | undefined
  /**
   * The time between two attempts to acquire or to renew; `2s` unless given, plus a random part.
   */
  readonly retryPeriod?: Duration | undefined
  /** Give the Lease up at the end, so that the next one need not wait; `true` unless given. */
  readonly releaseOnStop?: boolean | undefined
}
