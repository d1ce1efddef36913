import type { Key } from '../cache/key.ts'
import type { Reason } from './reason.ts'

/** What everybody may know of a run. */
export interface ReportedRun {
  /** Different for every run, for logs and traces. */
  readonly id: string
  readonly key: Key
  /** Everything that led to it since the last run of the key. */
  readonly reasons: readonly Reason[]
  /** How many runs failed in a row before; those that only asked for more time do not count. */
  readonly failures: number
}

/** How a run ended, for logs, metrics and status. */
export interface RunReport {
  /** The name of the controller. */
  readonly controller: string
  readonly run: ReportedRun
  readonly result: 'done' | 'recheck' | 'later' | 'failed' | 'gave-up'
  readonly error: unknown
  readonly durationMs: number
  readonly waitedMs: number
  /** When the key is run again, if the run said so itself; a failure waits for its backoff. */
  readonly retryAfterMs: number | undefined
}

/** What a controller has to do. */
export interface ControllerActivity {
  readonly name: string
  /** The keys that are being run. */
  readonly running: readonly Key[]
  /** How many keys are due. */
  readonly waiting: number
  /** Keys whose last runs did not succeed, with how often in a row: they will be tried again. */
  readonly failing: ReadonlyMap<Key, number>
}
