import { zoneOffset, type Frozen } from 'setpoint'
import { Job, type CronJob } from 'setpoint/kinds'
import { formatTime } from '../../object/index.ts'
import { zonedTime } from './zoned-time.ts'

export type CronJobObject = Frozen<CronJob>
export type JobObject = Frozen<Job>
type JobReference = NonNullable<NonNullable<CronJobObject['status']>['active']>[number]

const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp'

/** The name of the Job of a scheduled time. It is unique for each time. */
export function jobNameOf({ metadata }: CronJobObject, startMs: number): string {
  return `${metadata.name}-${Math.floor(startMs / 60_000)}`
}

/** The Job of a scheduled time. */
export function jobOf(cronJob: CronJobObject, startMs: number) {
  const { jobTemplate, timeZone } = cronJob.spec
  const { labels, annotations } = jobTemplate.metadata ?? {}
  return {
    metadata: {
      name: jobNameOf(cronJob, startMs),
      ...(labels && { labels }),
      annotations: {
        ...annotations,
        [scheduledAnnotation]: zonedTime(startMs, zoneOffset(timeZone)),
      },
    },
    spec: jobTemplate.spec ?? { template: {} },
  }
}

/** The reference to a Job in the status. */
export function referenceTo({ metadata }: JobObject): JobReference {
  const { name, namespace, uid, resourceVersion } = metadata
  return { apiVersion: Job.apiVersion, kind: 'Job', name, namespace, uid, resourceVersion }
}

/** How a Job finished; `undefined` if it has not. */
export function endOf({ status }: JobObject): 'Complete' | 'Failed' | undefined {
  for (const { type, status: is } of status?.conditions ?? []) {
    if ((type === 'Complete' || type === 'Failed') && is === 'True') return type
  }
  return undefined
}

/** The finished Jobs above the history limits, oldest first. */
export function jobsToDelete({ spec }: CronJobObject, jobs: readonly JobObject[]): JobObject[] {
  const beyond = (end: 'Complete' | 'Failed', limit = Infinity): JobObject[] => {
    const ended = jobs.filter((job) => endOf(job) === end).toSorted(byStart)
    return ended.slice(0, Math.max(0, ended.length - limit))
  }
  return [
    ...beyond('Complete', spec.successfulJobsHistoryLimit),
    ...beyond('Failed', spec.failedJobsHistoryLimit),
  ]
}

/** Jobs that never started come last. */
function byStart(a: JobObject, b: JobObject): number {
  const [one, two] = [a, b].map(({ status }) => Date.parse(status?.startTime ?? '') || Infinity)
  if (one === two) return a.metadata.name < b.metadata.name ? -1 : 1
  return (one ?? 0) < (two ?? 0) ? -1 : 1
}

/** The last completion time of a successful Job. */
export function lastSuccess(
  { status }: CronJobObject,
  jobs: readonly JobObject[],
): string | undefined {
  const times = jobs
    .filter((job) => endOf(job) === 'Complete')
    .flatMap((job) => job.status?.completionTime ?? [])
  const known = status?.lastSuccessfulTime
  return [...(known === undefined ? [] : [known]), ...times].reduce<string | undefined>(
    (latest, time) =>
      latest === undefined || Date.parse(time) > Date.parse(latest) ? time : latest,
    undefined,
  )
}

/** The status of a CronJob. Empty fields are omitted. */
export function cronJobStatus(update: {
  readonly active: readonly JobReference[]
  readonly lastStartMs: number | undefined
  readonly lastSuccessfulTime: string | undefined
}): NonNullable<CronJobObject['status']> {
  const { active, lastStartMs, lastSuccessfulTime } = update
  return {
    ...(active.length > 0 && { active }),
    ...(lastStartMs !== undefined && { lastScheduleTime: formatTime(lastStartMs) }),
    ...(lastSuccessfulTime !== undefined && { lastSuccessfulTime }),
  }
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** A time in the format of Events about missed times: `Mon, 02 Jan 2006 15:04:05 +0000`. */
export function mailTime(epochMs: number): string {
  const date = new Date(epochMs)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${days[date.getUTCDay()]}, ${two(date.getUTCDate())}`
  const clock = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':')
  return `${day} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()} ${clock} +0000`
}
