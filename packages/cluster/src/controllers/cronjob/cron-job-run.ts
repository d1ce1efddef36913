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
  jobsToDelete,
  referenceTo,
  type CronJobObject,
  type JobObject,
} from './cron-job-rules.ts'
import { dueStart, nextReconcileMs } from './missed-starts.ts'

type CronJobContext = ReconcileContext<typeof CronJob | typeof Job, typeof Job, typeof CronJob>
type Active = NonNullable<NonNullable<CronJobObject['status']>['active']>
/** When the CronJob is reconciled again if nothing changes. */
type NextReconcile = 'at the next start' | 'never'

/**
 * One reconcile: removes finished Jobs from the active list, starts the Job that is due, and
 * updates the status.
 */
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

  async reconcile(): Promise<Outcome> {
    const jobs = this.#ctx.owned(Job)
    for (const job of jobsToDelete(this.#cronJob, jobs)) await this.#deleteJob(job)
    await this.#removeFinished(jobs)
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
    const waitMs = nextReconcileMs(cronJob, this.#schedule, this.#nowMs)
    return waitMs === Infinity ? undefined : { recheckAfter: waitMs }
  }

  /** Removes finished Jobs and Jobs that no longer exist from the active list. */
  async #removeFinished(jobs: readonly JobObject[]): Promise<void> {
    for (const job of jobs) {
      const { name, uid } = job.metadata
      const isKnown = this.#active.some((each) => each.uid === uid)
      const end = endOf(job)
      if (end === undefined && !isKnown) {
        const message = `Saw a job that the controller did not create or forgot: ${name}`
        await this.#recordEvent('Warning', 'UnexpectedJob', message)
      } else if (end !== undefined && isKnown) {
        this.#forget(uid)
        await this.#recordEvent(
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
      await this.#recordEvent('Normal', 'MissingJob', `Active job went missing: ${name}`)
      this.#forget(uid)
    }
  }

  /** Creates the Job that is due, unless the spec forbids it. */
  async #startDue(): Promise<NextReconcile> {
    const { spec } = this.#cronJob
    if (spec.suspend === true) return 'never'
    const due = dueStart(this.#cronJob, this.#schedule, this.#nowMs)
    if ('problem' in due) {
      const message = `invalid schedule: ${spec.schedule} : ${due.problem}`
      await this.#recordEvent('Warning', 'InvalidSchedule', message)
      return 'never'
    }
    const { startMs, areTooMany } = due
    if (startMs === undefined) return 'at the next start'
    if (areTooMany) {
      const message =
        'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew'
      await this.#recordEvent('Warning', 'TooManyMissedTimes', message)
    }
    if (startMs + (spec.startingDeadlineSeconds ?? Infinity) * 1000 < this.#nowMs) {
      const message = `Missed scheduled time to start a job: ${mailTime(startMs)}`
      await this.#recordEvent('Warning', 'MissSchedule', message)
      return 'at the next start'
    }
    const name = jobNameOf(this.#cronJob, startMs)
    const isStarted = this.#active.some((job) => job.name === name)
    if (isStarted || this.#lastStartMs === startMs) return 'at the next start'
    if (spec.concurrencyPolicy === 'Forbid' && this.#active.length > 0) {
      const message =
        'Not starting job because prior execution is running and concurrency policy is Forbid'
      await this.#recordEvent('Normal', 'JobAlreadyActive', message)
      return 'at the next start'
    }
    if (spec.concurrencyPolicy === 'Replace') await this.#deleteActive()
    return (await this.#create(startMs)) ? 'at the next start' : 'never'
  }

  async #deleteActive(): Promise<void> {
    for (const { name = '', namespace } of this.#active) {
      const job = await this.#ctx.client.find(Job, { name, namespace })
      if (job === undefined) {
        const message = `Get job: jobs.batch "${name}" not found`
        await this.#recordEvent('Warning', 'FailedGet', message)
        throw new Error(message)
      }
      if (!(await this.#deleteJob(job)))
        throw new Error(`failed to replace job ${namespace}/${name}`)
    }
  }

  /** Returns whether the Job of a scheduled time exists and is ours. */
  async #create(startMs: number): Promise<boolean> {
    const job = (await this.#createJob(startMs)) ?? (await this.#findJob(startMs))
    if (job === undefined) return false
    this.#active = [...this.#active, referenceTo(job)]
    this.#lastStartMs = startMs
    return true
  }

  /** Creates the Job of a scheduled time, unless its name exists. */
  async #createJob(startMs: number): Promise<JobObject | undefined> {
    try {
      const job = await this.#ctx.create(Job, jobOf(this.#cronJob, startMs))
      await this.#recordEvent('Normal', 'SuccessfulCreate', `Created job ${job.metadata.name}`)
      return job
    } catch (error) {
      if (!isApiError(error)) throw error
      if (error.code === 'API_ALREADY_EXISTS') return undefined
      if (!isNamespaceTerminating(error)) {
        await this.#recordEvent(
          'Warning',
          'FailedCreate',
          `Error creating job: ${error.status.message}`,
        )
      }
      throw error
    }
  }

  /** Finds a Job that an earlier reconcile created without updating the status. */
  async #findJob(startMs: number): Promise<JobObject | undefined> {
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
      await this.#recordEvent('Warning', 'FailedDelete', `Deleted job: ${error.status.message}`)
      return false
    }
    this.#forget(uid)
    await this.#recordEvent('Normal', 'SuccessfulDelete', `Deleted job ${name}`)
    return true
  }

  #forget(uid: string): void {
    this.#active = this.#active.filter((job) => job.uid !== uid)
  }

  async #recordEvent(type: 'Normal' | 'Warning', reason: string, message: string): Promise<void> {
    await this.#ctx.recordEvent({ type, reason, message })
  }

  async #writeStatus(jobs: readonly JobObject[]): Promise<void> {
    const lastSuccessfulTime = lastSuccess(this.#cronJob, jobs)
    const lastStartMs = this.#lastStartMs
    const status = cronJobStatus({ active: this.#active, lastStartMs, lastSuccessfulTime })
    await this.#ctx.updateStatus(status)
  }
}
