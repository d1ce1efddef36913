import { expect, test } from 'vitest'
import type { CronJobObject } from './cron-job-rules.ts'
import { cronSchedule } from 'setpoint'
import { dueStart, nextReconcileMs } from './missed-starts.ts'

const day = '2026-01-01T'
const at = (clock: string): number => Date.parse(`${day}${clock}Z`)

interface Row {
  readonly schedule: string
  /** When it was created. */
  readonly made?: string
  readonly last?: string
  readonly deadline?: number
  readonly now: string
  /** The scheduled time that is due. */
  readonly due?: string
  readonly next: string
  readonly areTooMany?: boolean
}

const rows: readonly Row[] = [
  { schedule: '0 * * * *', now: '00:30:00', next: '01:00:00' },
  { schedule: '0 * * * *', now: '01:00:00', due: '01:00:00', next: '02:00:00' },
  { schedule: '0 * * * *', last: '01:00:00', now: '01:00:10', next: '02:00:00' },
  // Only the last of several missed times is started.
  { schedule: '0 * * * *', now: '05:30:00', due: '05:00:00', next: '06:00:00' },
  { schedule: '*/10 9 * * *', now: '09:45:00', due: '09:40:00', next: '09:50:00' },
  // The distance between the first two times does not hold for all of them.
  { schedule: '0 6-16/4 * * *', now: '15:00:00', due: '14:00:00', next: '2026-01-02T06:00:00Z' },
  { schedule: '* * * * *', now: '01:40:30', due: '01:40:00', next: '01:41:00' },
  { schedule: '* * * * *', now: '01:41:30', due: '01:41:00', next: '01:42:00', areTooMany: true },
  { schedule: '* * * * *', now: '09:00:00', due: '09:00:00', next: '09:01:00', areTooMany: true },
  // Times before the starting deadline are ignored.
  { schedule: '* * * * *', deadline: 90, now: '09:00:30', due: '09:00:00', next: '09:01:00' },
  { schedule: '0 * * * *', deadline: 60, now: '01:30:00', next: '02:00:00' },
  { schedule: '@every 1h', made: '00:20:00', now: '03:00:00', due: '02:20:00', next: '03:20:00' },
]

test.each(rows)('$schedule at $now, last $last, deadline $deadline', (row) => {
  const { made = '00:00:00', last, deadline, due, areTooMany = false } = row
  const cronJob: CronJobObject = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: {
      name: 'tick',
      namespace: 'default',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: `${day}${made}Z`,
    },
    spec: {
      schedule: row.schedule,
      jobTemplate: {},
      ...(deadline !== undefined && { startingDeadlineSeconds: deadline }),
    },
    ...(last !== undefined && { status: { lastScheduleTime: `${day}${last}Z` } }),
  }
  const schedule = cronSchedule(row.schedule, undefined)
  const startMs = due === undefined ? undefined : at(due)
  expect(dueStart(cronJob, schedule, at(row.now))).toEqual({ startMs, areTooMany })
  const nextMs = row.next.includes('T') ? Date.parse(row.next) : at(row.next)
  expect(nextReconcileMs(cronJob, schedule, at(row.now))).toBe(nextMs + 100 - at(row.now))
})
