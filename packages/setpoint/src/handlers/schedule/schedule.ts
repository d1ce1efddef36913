import { durationMs } from '../../host/index.ts'
import { headline, isSetpointError, SetpointError } from '../../errors/index.ts'
import { type CronSchedule, cronSchedule } from './cron-schedule.ts'
import type { TimerSchedule } from '../declare/handler-options.ts'

/** When a timer is due, in a checked form. All times are epoch milliseconds. */
export interface Schedule {
  /** What the first time is counted from. */
  firstMs(nowMs: number): number
  /** What the next time is counted from, after a call that began then and has ended now. */
  sinceMs(startMs: number, nowMs: number): number
  /** When it is due, given what that is counted from. */
  dueMs(sinceMs: number): number
  /** For how long nobody may have changed the object. */
  readonly idleMs: number
  /** Whether it is so rare that a restart must not make it forget when it ran. */
  readonly isRare: boolean
}

const rareMs = 3_600_000

/** Reads a schedule; what makes no sense is refused where it is declared. */
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
      // What came up during the call is left out.
      sinceMs: (_, nowMs) => nowMs,
      isRare: someMs < Infinity && dueMs(someMs) - someMs >= rareMs,
    }
  }
  const intervalMs = durationMs(every, 'every')
  if (intervalMs < 1) throw invalid(`a timer cannot run every ${intervalMs} ms`)
  if (timeZone !== undefined) throw invalid(`an interval has no time zone: ${timeZone}`)
  return {
    idleMs,
    dueMs: (sinceMs) => sinceMs + intervalMs,
    firstMs: (nowMs) => nowMs + startMs - intervalMs,
    // A clock that was set back must not make it wait longer.
    sinceMs: (beginMs, nowMs) => Math.min(beginMs, nowMs),
    isRare: intervalMs >= rareMs,
  }
}

function asOptions(written: TimerSchedule['every'] | TimerSchedule): TimerSchedule {
  return typeof written === 'object' ? written : { every: written }
}

/** Lengths of time have no spaces, expressions have; nicknames such as `@daily` are expressions too. */
function isCron(text: string): boolean {
  return text.includes(' ') || text.startsWith('@')
}

function cronOf(pattern: string, timeZone: string | undefined): CronSchedule {
  try {
    return cronSchedule(pattern, timeZone)
  } catch (error) {
    if (!isSetpointError(error, 'SCHEDULE_INVALID')) throw error
    throw invalid(`${JSON.stringify(pattern)} cannot be a schedule: ${headline(error)}`)
  }
}

function invalid(message: string): SetpointError {
  return new SetpointError('OPERATOR_INVALID', message, {
    hint: 'write a length of time such as "30s", or a cron expression such as "*/5 * * * *"',
  })
}
