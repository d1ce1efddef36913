import type { Duration } from '../../controller/index.ts'
import type { TextFilter, ValueFilter } from '../filter.ts'
import type { IndexAccess } from '../object-indexes.ts'

/**
 * The path of a field: `spec.size`, or a list of names when a name contains dots: `['metadata',
 * 'labels', 'example.com/size']`.
 */
export type FieldPath = string | readonly string[]

/** The delay before the next attempt: constant, or doubled each time. */
export type Backoff = Duration | { readonly first: Duration; readonly max?: Duration }

/** The objects of a handler. All given filters must match. */
export interface ObjectFilters<Served = never> {
  readonly labels?: Readonly<Record<string, TextFilter<Served>>>
  readonly annotations?: Readonly<Record<string, TextFilter<Served>>>
  /** A filter function. It is called often: it must be fast and must not change anything. */
  readonly filter?: (object: Served, context: IndexAccess) => boolean
}

/** How failures of a handler are treated. */
export interface RetryOptions {
  /**
   * How often it may fail again after its first failure; unlimited by default. `RetryLaterError` is
   * not a failure.
   */
  readonly retries?: number
  /** How long one attempt may take; then its signal is aborted and it counts as failed. */
  readonly timeout?: Duration
  /**
   * The delay before the next attempt: a minute by default; for `.onDelete` a second, doubled up to
   * 5 minutes. `RetryLaterError` overrides it.
   */
  readonly backoff?: Backoff
  /**
   * The reaction to an error other than `RetryLaterError` and `GiveUpError`: retry, give up on this
   * change immediately, or ignore the error and count it as a success.
   */
  readonly onFailure?: 'retry' | 'giveUp' | 'ignore'
}

/** The options of every handler. */
export interface TaskOptions<Served = never, Id extends string = string>
  extends ObjectFilters<Served>, RetryOptions {
  /**
   * The name of the handler in the status, the log and the handler memory; the name of the function
   * by default. Set it when your bundler renames functions.
   */
  readonly id?: Id
  /**
   * Only objects with this field match; for updates, only changes of this field. The filters below
   * refer to it.
   */
  readonly field?: FieldPath
  /** The value that the field must have; for updates, before or after the change. */
  readonly value?: ValueFilter
}

/** Options of a handler for changes of an object. */
export interface HandlerOptions<Served = never, Id extends string = string> extends TaskOptions<
  Served,
  Id
> {
  /** The value that the field must have had before. */
  readonly old?: ValueFilter
  /** The value that the field must have now. */
  readonly new?: ValueFilter
}

/** Options of a daemon. */
export interface DaemonOptions<Served = never> extends TaskOptions<Served> {
  /** How long it may take to end after its signal was aborted; 10 s by default. */
  readonly stopTimeout?: Duration
}

/** When a timer is due: an interval or a cron expression, and delays. */
export interface TimerSchedule {
  /** The time from start to start, `30s`, or a cron expression, `0 3 * * *`. */
  readonly every: Duration
  /** The time zone of a cron expression, `Europe/Berlin`; UTC by default. */
  readonly timeZone?: string
  /** The delay before the first call; none by default. */
  readonly startAfter?: Duration
  /** Calls only when the object has not changed for this long, as far as this process knows. */
  readonly idleFor?: Duration
}
