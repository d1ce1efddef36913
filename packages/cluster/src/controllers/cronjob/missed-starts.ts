import type { CronSchedule, Frozen } from 'setpoint'
import type { CronJob } from 'setpoint/kinds'

/** The scheduled times since the last one that was started. */
interface Due {
  /** The start of the search. */
  readonly sinceMs: number
  /** The last scheduled time that is due. */
  readonly startMs: number | undefined
  readonly missed: 'none' | 'few' | 'many'
}

/** For a schedule without any time, such as February 31. */
const never = 'time difference between two schedules is less than 1 second'
/** From this number of missed times on, an Event is recorded. */
const missedMax = 100
/** Clocks differ, so the controller reconciles a little after the scheduled time. */
const lateMs = 100

type CronJobObject = Frozen<CronJob>

/**
 * The last scheduled time that is due and within the starting deadline, or the error of the
 * schedule.
 */
export function dueStart(
  cronJob: CronJobObject,
  schedule: CronSchedule,
  nowMs: number,
): { startMs: number | undefined; areTooMany: boolean } | { problem: string } {
  const deadlineMs = nowMs - (cronJob.spec.startingDeadlineSeconds ?? Infinity) * 1000
  const due = dueSince(Math.max(handledUntil(cronJob), deadlineMs), schedule, nowMs)
  if (due === undefined) return { problem: never }
  const { startMs, missed } = due
  return { startMs, areTooMany: startMs !== undefined && missed === 'many' }
}

/** The time until the next reconcile for a scheduled time. */
export function nextReconcileMs(
  cronJob: CronJobObject,
  schedule: CronSchedule,
  nowMs: number,
): number {
  const due = dueSince(handledUntil(cronJob), schedule, nowMs)
  const fromMs = due?.startMs ?? (due?.missed === 'none' ? due.sinceMs : nowMs)
  const nextMs = schedule.next(fromMs)
  return nextMs === undefined ? Infinity : Math.max(0, nextMs + lateMs - nowMs)
}

/** Times up to this one have been handled. */
function handledUntil({ metadata, status }: CronJobObject): number {
  return Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp)
}

/**
 * Finds the last scheduled time. With many times in between it does not visit each one. It jumps by
 * the distance of the first two times and continues from there. For irregular schedules this is an
 * estimate and may find none, as in Kubernetes.
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
