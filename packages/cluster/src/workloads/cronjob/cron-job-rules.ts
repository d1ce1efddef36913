import { zoneOffset, type Frozen } from 'setpoint'
import { Job, type CronJob } from 'setpoint/kinds'
import { formatTime } from '../../object/index.ts'
import { zonedTime } from './zoned-time.ts'

/** A CronJob as the cache has it. */
export type CronJobObject = Frozen<CronJob>
/** A Job as the cache has it. */
export type JobObject = Frozen<Job>
type JobReference = NonNullable<NonNullable<CronJobObject['status']>['active']>[number]

const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp'

/** The name of the Job of a start: the same start never has two. */
export function jobNameOf({ metadata }: CronJobObject, startMs: number): string {
  return `${metadata.name}-${Math.floor(startMs / 60_000)}`
}

/** The Job of a start. */
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

/** How the status refers to a Job. */
export function referenceTo({ metadata }: JobObject): JobReference {
  const { name, namespace, uid, resourceVersion } = metadata
  return { apiVersion: Job.apiVersion, kind: 'Job', name, namespace, uid, resourceVersion }
}

/** How a Job ended, if it has. */
export function endOf({ status }: JobObject): 'Complete' | 'Failed' | undefined {
  for (const { type, status: is } of status?.conditions ?? []) {
    if ((type === 'Complete' || type === 'Failed') && is === 'True') return type
  }
  return undefined
}

/** The Jobs that ended and are more than the CronJob keeps, the oldest first. */
export function outlivedJobs({ spec }: CronJobObject, jobs: readonly JobObject[]): JobObject[] {
  const beyond = (end: 'Complete' | 'Failed', limit = Infinity): JobObject[] => {
    const ended = jobs.filter((job) => endOf(job) === end).toSorted(byStart)
    return ended.slice(0, Math.max(0, ended.length - limit))
  }
  return [
    ...beyond('Complete', spec.successfulJobsHistoryLimit),
    ...beyond('Failed', spec.failedJobsHistoryLimit),
  ]
}

/** Those that never started come last. */
function byStart(a: JobObject, b: JobObject): number {
  const [one, two] = [a, b].map(({ status }) => Date.parse(status?.startTime ?? '') || Infinity)
  if (one === two) return a.metadata.name < b.metadata.name ? -1 : 1
  return (one ?? 0) < (two ?? 0) ? -1 : 1
}

/** When a Job of the CronJob succeeded last. */
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

/** What a CronJob says of itself; what there is none of is left out. */
export function cronJobStatus(stated: {
  readonly active: readonly JobReference[]
  readonly lastStartMs: number | undefined
  readonly lastSuccessfulTime: string | undefined
}): NonNullable<CronJobObject['status']> {
  const { active, lastStartMs, lastSuccessfulTime } = stated
  return {
    ...(active.length > 0 && { active }),
    ...(lastStartMs !== undefined && { lastScheduleTime: formatTime(lastStartMs) }),
    ...(lastSuccessfulTime !== undefined && { lastSuccessfulTime }),
  }
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** A moment as Events about missed starts write it: `Mon, 02 Jan 2006 15:04:05 +0000`. */
export function mailTime(epochMs: number): string {
  const date = new Date(epochMs)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${days[date.getUTCDay()]}, ${two(date.getUTCDate())}`
  const clock = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':')
  return `${day} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()} ${clock} +0000`
}
