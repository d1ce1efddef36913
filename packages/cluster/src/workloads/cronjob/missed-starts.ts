import type { CronSchedule, Frozen } from 'setpoint'
import type { CronJob } from 'setpoint/kinds'

/** What became due since the last start. */
interface Due {
  /** Where the search began. */
  readonly sinceMs: number
  /** The last start that is due. */
  readonly startMs: number | undefined
  readonly missed: 'none' | 'few' | 'many'
}

/** A schedule such as the 31st of February, which never comes. */
const never = 'time difference between two schedules is less than 1 second'
/** More missed starts than this are no accident. */
const missedMax = 100
/** Clocks differ: a start is looked at a little after its time. */
const lateMs = 100

type CronJobObject = Frozen<CronJob>

/** The last start that is due and not too long ago to be made up for; or what is wrong with the schedule. */
export function dueStart(
  cronJob: CronJobObject,
  schedule: CronSchedule,
  nowMs: number,
): { startMs: number | undefined; areTooMany: boolean } | { problem: string } {
  const deadlineMs = nowMs - (cronJob.spec.startingDeadlineSeconds ?? Infinity) * 1000
  const due = dueSince(Math.max(lastLook(cronJob), deadlineMs), schedule, nowMs)
  if (due === undefined) return { problem: never }
  const { startMs, missed } = due
  return { startMs, areTooMany: startMs !== undefined && missed === 'many' }
}

/** How long until the next start has to be looked at. */
export function nextLookMs(cronJob: CronJobObject, schedule: CronSchedule, nowMs: number): number {
  const due = dueSince(lastLook(cronJob), schedule, nowMs)
  const fromMs = due?.startMs ?? (due?.missed === 'none' ? due.sinceMs : nowMs)
  const nextMs = schedule.next(fromMs)
  return nextMs === undefined ? Infinity : Math.max(0, nextMs + lateMs - nowMs)
}

/** Starts before this are dealt with. */
function lastLook({ metadata, status }: CronJobObject): number {
  return Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp)
}

/**
 * Looks for the last start. With many starts in between it does not visit each, but jumps by the distance of the first
 * two and goes on from there: for irregular schedules that is an estimate, and may find none.
 */
function dueSince(sinceMs: number, schedule: CronSchedule, nowMs: number): Due | undefined {
  const firstMs = schedule.next(sinceMs)
  const secondMs = firstMs === undefined ? undefined : schedule.next(firstMs)
  if (firstMs === undefined || secondMs === undefined) return undefined
  if (nowMs < firstMs) return { sinceMs, startMs: undefined, missed: 'none' }
  if (nowMs < secondMs) return { sinceMs, startMs: firstMs, missed: 'none' }
  const distance = Math.round((secondMs - firstMs) / 1000)
  const missedCount = Math.floor(Math.floor((nowMs - firstMs) / 1000) / distance) + 1
  let startMs: number | undefined
  let nextMs = schedule.next(firstMs + (missedCount - 2) * distance * 1000)
  while (nextMs !== undefined && nextMs <= nowMs) {
    startMs = nextMs
    nextMs = schedule.next(nextMs)
  }
  return { sinceMs, startMs, missed: missedCount > missedMax ? 'many' : 'few' }
}
