import { cronSchedule, operator, type AnyOperator } from 'setpoint'
import { CronJob, Job } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import { CronJobRun } from './cron-job-run.ts'
import { nextLookMs } from './missed-starts.ts'

/** So many schedules are remembered. */
const schedulesMax = 10_000

/** Makes Jobs at the times that CronJobs name. Between two starts it sleeps. */
export function cronJobController(): AnyOperator {
  /** The schedules that were looked at, by uid: starts that a new one would have had before it are not made up for. */
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
      // Those that were deleted leave theirs behind.
      const [oldest] = schedules.size > schedulesMax ? schedules.keys() : []
      if (oldest !== undefined) schedules.delete(oldest)
      if (known === undefined || known === current) return new CronJobRun(cronJob, ctx).go()
      const waitMs = nextLookMs(cronJob, cronSchedule(schedule, timeZone), ctx.now())
      return waitMs === Infinity ? undefined : { recheckAfter: waitMs }
    })
}
