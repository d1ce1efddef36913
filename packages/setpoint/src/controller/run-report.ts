import type { Key } from '../cache/key.ts'
import type { Reason } from './reason.ts'

/** The public part of a reconcile. */
export interface ReportedRun {
  /** Unique for every reconcile, for logs and traces. */
  readonly id: string
  readonly key: Key
  /** All reasons since the last reconcile of the key. */
  readonly reasons: readonly Reason[]
  /** How many reconciles failed in a row before; a RetryLaterError does not count. */
  readonly failures: number
}

/** How a reconcile ended, for logs, metrics and status. */
export interface RunReport {
  /** The name of the controller. */
  readonly controller: string
  readonly run: ReportedRun
  readonly result: 'done' | 'recheck' | 'later' | 'failed' | 'gave-up'
  readonly error: unknown
  readonly durationMs: number
  readonly waitedMs: number
  /**
   * The delay until the next reconcile if this one requested it; a failure waits for its backoff.
   */
  readonly retryAfterMs: number | undefined
}

/** The work of a controller. */
export interface ControllerActivity {
  readonly name: string
  /** The keys that are being reconciled. */
  readonly running: readonly Key[]
  /** How many keys are due. */
  readonly waiting: number
  /** How many keys wait for a time: for a recheck, or for the backoff of a failure. */
  readonly scheduled: number
  /** Keys whose last reconciles did not succeed, with their number in a row: they are retried. */
  readonly failing: ReadonlyMap<Key, number>
}
