import { durationMs } from '../controller/duration.ts'
import { headline, isSetpointError, SetpointError } from '../errors/index.ts'
import { type CronSchedule, cronSchedule } from './cron-schedule.ts'
import type { TimerSchedule } from './handler-options.ts'

/** When a timer is due, in a checked form. */
export interface Schedule {
  /** How long until it is due, given how long ago it began the last time, if it ever did. */
  delayMs(at: { readonly nowMs: number; readonly elapsedMs: number | undefined }): number
  /** For how long nobody may have changed the object. */
  readonly idleMs: number
}

/** Reads a schedule; what makes no sense is refused where it is declared. */
export function scheduleOf(written: TimerSchedule['every'] | TimerSchedule): Schedule {
  const { every, timeZone, startAfter = 0, idleFor = 0 } = asOptions(written)
  const startMs = durationMs(startAfter)
  const idleMs = durationMs(idleFor)
  if (typeof every === 'string' && isCron(every)) {
    const cron = cronOf(every, timeZone)
    return {
      idleMs,
      delayMs: ({ nowMs, elapsedMs }) => {
        const fromMs = elapsedMs === undefined ? nowMs + startMs : nowMs
        const next = cron.next(fromMs)
        return next === undefined ? Infinity : next - nowMs
      },
    }
  }
  const intervalMs = durationMs(every)
  if (intervalMs < 1) throw invalid(`a timer cannot run every ${intervalMs} ms`)
  if (timeZone !== undefined) throw invalid(`an interval has no time zone: ${timeZone}`)
  return {
    idleMs,
    delayMs: ({ elapsedMs }) =>
      elapsedMs === undefined ? startMs : Math.max(0, intervalMs - elapsedMs),
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
