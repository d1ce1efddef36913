import { cronSchedule, type CronSchedule, type Outcome, type ReconcileContext } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { Job, type CronJob } from 'setpoint/kinds'
import { controllerOf } from '../pods/claim.ts'
import { isNamespaceTerminating } from '../pods/pod-control.ts'
import {
  cronJobStatus,
  endOf,
  jobNameOf,
  jobOf,
  lastSuccess,
  mailTime,
  outlivedJobs,
  referenceTo,
  type CronJobObject,
  type JobObject,
} from './cron-job-rules.ts'
import { dueStart, nextLookMs } from './missed-starts.ts'

/** What the controller may do. */
type CronJobContext = ReconcileContext<typeof CronJob | typeof Job, typeof Job, typeof CronJob>
type Active = NonNullable<NonNullable<CronJobObject['status']>['active']>
/** When a CronJob has to be looked at again, if nothing changes before. */
type NextLook = 'at the next start' | 'never'

/** One run: forgets Jobs that are over, starts the one that is due, and says so in the status. */
export class CronJobRun {
  readonly #cronJob: CronJobObject
  readonly #ctx: CronJobContext
  readonly #schedule: CronSchedule
  readonly #nowMs: number
  #active: Active
  #lastStartMs: number | undefined

  constructor(cronJob: CronJobObject, ctx: CronJobContext) {
    const { spec, status } = cronJob
    this.#cronJob = cronJob
    this.#ctx = ctx
    this.#schedule = cronSchedule(spec.schedule, spec.timeZone)
    this.#nowMs = ctx.now()
    this.#active = status?.active ?? []
    const last = status?.lastScheduleTime
    this.#lastStartMs = last === undefined ? undefined : Date.parse(last)
  }

  async go(): Promise<Outcome> {
    const jobs = this.#ctx.owned(Job)
    for (const job of outlivedJobs(this.#cronJob, jobs)) await this.#deleteJob(job)
    await this.#forgetEnded(jobs)
    try {
      const next = await this.#startDue()
      await this.#writeStatus(jobs)
      return next === 'never' ? undefined : this.#untilNextStart()
    } catch (error) {
      await this.#writeStatus(jobs)
      throw error
    }
  }

  #untilNextStart(): Outcome {
    const lastStartMs = this.#lastStartMs
    const nothing = { active: [], lastSuccessfulTime: undefined }
    const cronJob = { ...this.#cronJob, status: cronJobStatus({ ...nothing, lastStartMs }) }
    const waitMs = nextLookMs(cronJob, this.#schedule, this.#nowMs)
    return waitMs === Infinity ? undefined : { recheckAfter: waitMs }
  }

  /** Jobs that are over are no longer active, and neither are those that somebody deleted. */
  async #forgetEnded(jobs: readonly JobObject[]): Promise<void> {
    for (const job of jobs) {
      const { name, uid } = job.metadata
      const isKnown = this.#active.some((each) => each.uid === uid)
      const end = endOf(job)
      if (end === undefined && !isKnown) {
        const note = `Saw a job that the controller did not create or forgot: ${name}`
        await this.#tell('Warning', 'UnexpectedJob', note)
      } else if (end !== undefined && isKnown) {
        this.#forget(uid)
        await this.#tell(
          'Normal',
          'SawCompletedJob',
          `Saw completed job: ${name}, condition: ${end}`,
        )
      }
    }
    const present = new Set(jobs.map(({ metadata }) => metadata.uid))
    for (const { name = '', namespace, uid = '' } of this.#active) {
      if (present.has(uid)) continue
      if ((await this.#ctx.client.find(Job, { name, namespace })) !== undefined) continue
      await this.#tell('Normal', 'MissingJob', `Active job went missing: ${name}`)
      this.#forget(uid)
    }
  }

  /** Makes the Job of the start that is due, unless something forbids it. */
  async #startDue(): Promise<NextLook> {
    const { spec } = this.#cronJob
    if (spec.suspend === true) return 'never'
    const due = dueStart(this.#cronJob, this.#schedule, this.#nowMs)
    if ('problem' in due) {
      const note = `invalid schedule: ${spec.schedule} : ${due.problem}`
      await this.#tell('Warning', 'InvalidSchedule', note)
      return 'never'
    }
    const { startMs, areTooMany } = due
    if (startMs === undefined) return 'at the next start'
    if (areTooMany) {
      const note =
        'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew'
      await this.#tell('Warning', 'TooManyMissedTimes', note)
    }
    if (startMs + (spec.startingDeadlineSeconds ?? Infinity) * 1000 < this.#nowMs) {
      const note = `Missed scheduled time to start a job: ${mailTime(startMs)}`
      await this.#tell('Warning', 'MissSchedule', note)
      return 'at the next start'
    }
    const name = jobNameOf(this.#cronJob, startMs)
    const isStarted = this.#active.some((job) => job.name === name)
    if (isStarted || this.#lastStartMs === startMs) return 'at the next start'
    if (spec.concurrencyPolicy === 'Forbid' && this.#active.length > 0) {
      const note =
        'Not starting job because prior execution is running and concurrency policy is Forbid'
      await this.#tell('Normal', 'JobAlreadyActive', note)
      return 'at the next start'
    }
    if (spec.concurrencyPolicy === 'Replace') await this.#deleteActive()
    return (await this.#create(startMs)) ? 'at the next start' : 'never'
  }

  async #deleteActive(): Promise<void> {
    for (const { name = '', namespace } of this.#active) {
      const job = await this.#ctx.client.find(Job, { name, namespace })
      if (job === undefined) {
        const note = `Get job: jobs.batch "${name}" not found`
        await this.#tell('Warning', 'FailedGet', note)
        throw new Error(note)
      }
      if (!(await this.#deleteJob(job)))
        throw new Error(`could not replace job ${namespace}/${name}`)
    }
  }

  /** Whether the Job of a start exists and is ours. */
  async #create(startMs: number): Promise<boolean> {
    const job = (await this.#made(startMs)) ?? (await this.#present(startMs))
    if (job === undefined) return false
    this.#active = [...this.#active, referenceTo(job)]
    this.#lastStartMs = startMs
    return true
  }

  /** Makes the Job of a start, unless there is one of its name. */
  async #made(startMs: number): Promise<JobObject | undefined> {
    try {
      const job = await this.#ctx.create(Job, jobOf(this.#cronJob, startMs))
      await this.#tell('Normal', 'SuccessfulCreate', `Created job ${job.metadata.name}`)
      return job
    } catch (error) {
      if (!isApiError(error)) throw error
      if (error.code === 'API_ALREADY_EXISTS') return undefined
      if (!isNamespaceTerminating(error)) {
        await this.#tell('Warning', 'FailedCreate', `Error creating job: ${error.status.message}`)
      }
      throw error
    }
  }

  /** A Job that an earlier run made and did not get to note. */
  async #present(startMs: number): Promise<JobObject | undefined> {
    const { namespace, uid } = this.#cronJob.metadata
    const name = jobNameOf(this.#cronJob, startMs)
    const job = await this.#ctx.client.find(Job, { name, namespace })
    const isOurs = job !== undefined && controllerOf(job)?.uid === uid
    const isNoted = this.#active.some((each) => each.uid === job?.metadata.uid)
    return isOurs && !isNoted ? job : undefined
  }

  async #deleteJob(job: JobObject): Promise<boolean> {
    const { name, uid } = job.metadata
    try {
      await this.#ctx.delete(Job, job, { evenIfChanged: true, propagation: 'Background' })
    } catch (error) {
      if (!isApiError(error)) throw error
      await this.#tell('Warning', 'FailedDelete', `Deleted job: ${error.status.message}`)
      return false
    }
    this.#forget(uid)
    await this.#tell('Normal', 'SuccessfulDelete', `Deleted job ${name}`)
    return true
  }

  #forget(uid: string): void {
    this.#active = this.#active.filter((job) => job.uid !== uid)
  }

  async #tell(type: 'Normal' | 'Warning', reason: string, note: string): Promise<void> {
    await this.#ctx.recordEvent({ type, reason, note })
  }

  async #writeStatus(jobs: readonly JobObject[]): Promise<void> {
    const lastSuccessfulTime = lastSuccess(this.#cronJob, jobs)
    const lastStartMs = this.#lastStartMs
    const status = cronJobStatus({ active: this.#active, lastStartMs, lastSuccessfulTime })
    await this.#ctx.updateStatus(status)
  }
}
