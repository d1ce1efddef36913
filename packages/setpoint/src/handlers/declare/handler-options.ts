import type { Duration } from '../../controller/index.ts'
import type { ValueFilter } from '../filter.ts'
import type { IndexAccess } from '../object-indexes.ts'

/** The way to a field: `spec.size`, or its names one by one where a name has dots: `['metadata', 'labels', 'example.com/size']`. */
export type FieldPath = string | readonly string[]

/** How long to wait before the next try: always as long, or twice as long each time. */
export type Backoff = Duration | { readonly first: Duration; readonly max?: Duration }

/** Which objects a handler is for. Everything that is given must hold. */
export interface ObjectFilters<Served = never> {
  readonly labels?: Readonly<Record<string, ValueFilter<string>>>
  readonly annotations?: Readonly<Record<string, ValueFilter<string>>>
  /** A filter of your own. It is called often and must be quick; it must not change anything. */
  readonly filter?: (object: Served, context: IndexAccess) => boolean
}

/** What happens when a handler fails. */
export interface RetryOptions {
  /** How often it may fail again after its first failure; without end unless given. `RetryLaterError` is no failure. */
  readonly retries?: number
  /** How long one try may take; then its signal is aborted and it counts as failed. */
  readonly timeout?: Duration
  /** The wait before the next try, a minute unless given. `RetryLaterError` overrides it. */
  readonly backoff?: Backoff
  /**
   * What an error other than `RetryLaterError` and `GiveUpError` means: try again, give up on this change at once, or
   * take it as a success.
   */
  readonly onFailure?: 'retry' | 'giveUp' | 'ignore'
}

/** What every handler can be told. */
export interface TaskOptions<Served = never, Id extends string = string>
  extends ObjectFilters<Served>, RetryOptions {
  /**
   * What it is called in the status, the log and the progress that is kept; the name of the function unless given. Give
   * one when your bundler renames functions.
   */
  readonly id?: Id
  /** Only if this field has (of an update: changed from or to) what the filters say; any value unless given. */
  readonly field?: FieldPath
  /** What the field must be; of an update before or after it. */
  readonly value?: ValueFilter
}

/** A handler of the life of an object. */
export interface HandlerOptions<Served = never, Id extends string = string> extends TaskOptions<
  Served,
  Id
> {
  /** What the field must have been. */
  readonly old?: ValueFilter
  /** What the field must have become. */
  readonly new?: ValueFilter
}

/** A task that lives as long as its object. */
export interface DaemonOptions<Served = never> extends TaskOptions<Served> {
  /** How long it may take to come to an end after its signal was aborted; 10 s unless given. */
  readonly stopTimeout?: Duration
}

/** When a timer is due: a length of time or a cron expression, and what may delay it. */
export interface TimerSchedule {
  /** From one beginning to the next: `30s`; or a cron expression: `0 3 * * *`. */
  readonly every: Duration
  /** The time zone of a cron expression, `Europe/Berlin`; UTC unless given. */
  readonly timeZone?: string
  /** How long to wait before the first time; not at all unless given. */
  readonly startAfter?: Duration
  /** Only when nobody has changed the object for this long, as far as this process knows. */
  readonly idleFor?: Duration
}
