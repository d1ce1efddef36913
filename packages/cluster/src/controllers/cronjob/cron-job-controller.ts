import { cronSchedule, operator, type AnyOperator } from 'setpoint'
import { CronJob, Job } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import { CronJobRun } from './cron-job-run.ts'
import { nextReconcileMs } from './missed-starts.ts'

/** The maximum number of remembered schedules. */
const schedulesMax = 10_000

/** Creates Jobs at the scheduled times of CronJobs. Between two times it is idle. */
export function cronJobController(): AnyOperator {
  /** The last known schedules, by uid. Missed times of a changed schedule are not started. */
  const schedules = new Map<string, string>()
  return operator(CronJob, { ...controllerOptions, name: 'cronjob-controller' })
    .owns(Job)
    .reconcile(async (cronJob, ctx) => {
      const { schedule, timeZone } = cronJob.spec
      const { uid } = cronJob.metadata
      const known = schedules.get(uid)
      const current = `${timeZone ?? ''} ${schedule}`
      schedules.delete(uid)
      schedules.set(uid, current)
      // Entries of deleted CronJobs are not removed, so the oldest entry is dropped.
      const [oldest] = schedules.size > schedulesMax ? schedules.keys() : []
      if (oldest !== undefined) schedules.delete(oldest)
      if (known === undefined || known === current) return new CronJobRun(cronJob, ctx).reconcile()
      const waitMs = nextReconcileMs(cronJob, cronSchedule(schedule, timeZone), ctx.now())
      return waitMs === Infinity ? undefined : { recheckAfter: waitMs }
    })
}
