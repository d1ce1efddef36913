import { durationMs } from '../../host/index.ts'
import { headline, isSetpointError, SetpointError } from '../../errors/index.ts'
import { type CronSchedule, cronSchedule } from './cron-schedule.ts'
import type { TimerSchedule } from '../declare/handler-options.ts'

/** A validated timer schedule. All times are epoch milliseconds. */
export interface Schedule {
  /** The time from which the first call is counted. */
  firstMs(nowMs: number): number
  /** The time from which the next call is counted, after a call that started and has ended. */
  sinceMs(startMs: number, nowMs: number): number
  /** When the timer is due, counted from a time. */
  dueMs(sinceMs: number): number
  /** How long the object must not have changed. */
  readonly idleMs: number
  /** Whether the interval is so long that a restart must not lose the last call. */
  readonly isLongInterval: boolean
}

const rareMs = 3_600_000

/** Parses a schedule; throws where it is declared when it is invalid. */
export function scheduleOf(written: TimerSchedule['every'] | TimerSchedule): Schedule {
  const { every, timeZone, startAfter = 0, idleFor = 0 } = asOptions(written)
  const startMs = durationMs(startAfter, 'startAfter')
  const idleMs = durationMs(idleFor, 'idleFor')
  if (typeof every === 'string' && isCron(every)) {
    const cron = cronOf(every, timeZone)
    const dueMs = (sinceMs: number): number => cron.next(sinceMs) ?? Infinity
    const someMs = dueMs(0)
    return {
      idleMs,
      dueMs,
      firstMs: (nowMs) => nowMs + startMs,
      // Times that passed during the call are skipped.
      sinceMs: (_, nowMs) => nowMs,
      isLongInterval: someMs < Infinity && dueMs(someMs) - someMs >= rareMs,
    }
  }
  const intervalMs = durationMs(every, 'every')
  if (intervalMs < 1) throw invalid(`a timer cannot run every ${intervalMs} ms`)
  if (timeZone !== undefined) throw invalid(`an interval has no time zone: ${timeZone}`)
  return {
    idleMs,
    dueMs: (sinceMs) => sinceMs + intervalMs,
    firstMs: (nowMs) => nowMs + startMs - intervalMs,
    // After the clock was set back, the timer must not wait longer.
    sinceMs: (beginMs, nowMs) => Math.min(beginMs, nowMs),
    isLongInterval: intervalMs >= rareMs,
  }
}

function asOptions(written: TimerSchedule['every'] | TimerSchedule): TimerSchedule {
  return typeof written === 'object' ? written : { every: written }
}

/** A cron expression contains spaces or is a nickname such as `@daily`; a duration does not. */
function isCron(text: string): boolean {
  return text.includes(' ') || text.startsWith('@')
}

function cronOf(pattern: string, timeZone: string | undefined): CronSchedule {
  try {
    return cronSchedule(pattern, timeZone)
  } catch (error) {
    if (!isSetpointError(error, 'SCHEDULE_INVALID')) throw error
    throw invalid(`${JSON.stringify(pattern)} is not a schedule: ${headline(error)}`)
  }
}

function invalid(message: string): SetpointError {
  return new SetpointError('OPERATOR_INVALID', message, {
    hint: 'write a duration such as "30s", or a cron expression such as "*/5 * * * *"',
  })
}
