import type { Outcome, ReconcileContext } from 'setpoint'
import { isApiError } from 'setpoint/client'
import type { Job, Pod } from 'setpoint/kinds'
import { formatTime } from '../../object/index.ts'
import { createPod, deletePod, isNamespaceEnding } from '../pods/pod-control.ts'
import { countingOf } from './counting.ts'
import { withCondition, type JobCondition } from './job-conditions.ts'
import { jobPod } from './pods/job-pod.ts'
import { isTracked, type JobObject } from './job-rules.ts'
import { isReady, type PodObject } from '../pods/pod-state.ts'
import {
  announcedIn,
  finished,
  isOver,
  settled,
  statusOf,
  type JobStatus,
  type PodNumbers,
} from './job-status.ts'
import { tallyOf, type JobTally } from './job-tally.ts'
import { completionsReached, verdictOf, type Verdict } from './job-verdict.ts'
import { noFailures, recordAfter, type FailureRecord } from './pods/pod-backoff.ts'
import { planPods } from './pods/pod-plan.ts'
import { releasePod } from './pods/release-pod.ts'

/** What the controller may do. */
type JobContext = ReconcileContext<typeof Job | typeof Pod, typeof Pod, typeof Job>

/** What there is of a Job that is not over. */
interface JobSight {
  readonly job: JobObject
  readonly pods: readonly PodObject[]
  readonly ctx: JobContext
  /** What is remembered of the failures of Jobs, by uid. */
  readonly records: Map<string, FailureRecord>
}

/** What becomes of pods that were written is looked at after this time, many at once. */
const batchMs = 1_000
/** Failures of so many Jobs are remembered. */
const recordsMax = 10_000

/** One run: ends, removes or creates pods, counts those that ended, and says so in the status. */
export class JobRun {
  readonly #sight: JobSight
  readonly #tally: JobTally
  readonly #record: FailureRecord
  readonly #nowMs: number
  readonly #time: string
  #hasWritten = false
  /** What was refused. The status is written before it fails the run. */
  #error: Error | undefined
  #waitMs = Infinity

  constructor(sight: JobSight) {
    const { job, pods, ctx, records } = sight
    this.#sight = sight
    this.#tally = tallyOf(job, pods)
    const { newlySucceeded: succeeded, newlyFailed: failed } = this.#tally
    const before = records.get(job.metadata.uid) ?? noFailures
    this.#record = recordAfter(before, { succeeded, failed })
    this.#nowMs = ctx.now()
    this.#time = formatTime(this.#nowMs)
  }

  async go(): Promise<Outcome> {
    const { job, pods, ctx } = this.#sight
    const tally = this.#tally
    const startTime = job.status?.startTime ?? (isSuspended(job) ? undefined : this.#time)
    const startMs = startTime === undefined ? undefined : Date.parse(startTime)
    const judged = verdictOf({ job, pods, tally, startMs, nowMs: this.#nowMs })
    if (judged === undefined) this.#awaitDeadline(startMs)
    const numbers =
      judged === undefined ? await this.#manage() : await this.#remove(tally.active, 'held')
    const verdict = judged ?? (this.#isDone(numbers) ? completionsReached : undefined)
    const standing = await this.#standing(verdict, startTime)
    const { uncounted, release, isCutShort } = countingOf({ job, pods, tally, verdict })
    const held = new Set(pods.filter(isTracked).map(({ metadata }) => metadata.uid))
    const noted = statusOf(job, { tally, uncounted, ...standing, ...numbers })
    const interim = settled(noted, (uid) => held.has(uid))
    await ctx.updateStatus(interim)
    this.#remember()
    for (const { metadata } of await this.#release(release)) held.delete(metadata.uid)
    const status = settled(interim, (uid) => held.has(uid))
    const isFinal = verdict !== undefined && !isCutShort && isOver(status)
    await ctx.updateStatus(isFinal ? finished(status, verdict, this.#time) : status)
    if (isFinal) await this.#tellEnd(verdict, status)
    if (this.#error !== undefined) throw this.#error
    return this.#outcome(isFinal)
  }

  /** Brings the number of pods to what it should be. */
  async #manage(): Promise<PodNumbers> {
    const { job, pods, ctx } = this.#sight
    const record = this.#record
    const { ready, terminating, active, awaitingReplacement } = this.#tally
    if (job.metadata.deletionTimestamp !== undefined) {
      return { active: active.length, ready, terminating }
    }
    const plan = planPods({ job, pods, tally: this.#tally, record, nowMs: this.#nowMs })
    if (plan.remove.length > 0) return this.#remove(plan.remove, 'released')
    if (plan.waitMs > 0) this.#waitMs = Math.min(this.#waitMs, Math.max(plan.waitMs, batchMs))
    const wanted = plan.create.map((index) =>
      jobPod(job, index, index === undefined ? undefined : awaitingReplacement.get(index)),
    )
    const created = await this.#untilRefused(wanted, async (pod) => createPod(ctx, pod))
    return { active: active.length + created.length, ready, terminating }
  }

  /** Does something for one after the other. What is refused once will be again, so the first refusal ends it. */
  async #untilRefused<T>(items: readonly T[], write: (item: T) => Promise<unknown>): Promise<T[]> {
    const written: T[] = []
    for (const item of items) {
      try {
        await write(item)
      } catch (error) {
        if (!isApiError(error)) throw error
        if (!isNamespaceEnding(error)) this.#error = error
        break
      }
      this.#hasWritten = true
      written.push(item)
    }
    return written
  }

  /** Deletes pods. Those that are to be counted are held meanwhile. */
  async #remove(pods: readonly PodObject[], as: 'held' | 'released'): Promise<PodNumbers> {
    if (as === 'released') await this.#release(pods)
    const { active, ready, terminating } = this.#tally
    const deleted = await this.#untilRefused(pods, async (pod) => deletePod(this.#sight.ctx, pod))
    return {
      active: active.length - deleted.length,
      ready: ready - deleted.filter(isReady).length,
      terminating: terminating + deleted.length,
    }
  }

  /** Lets go of pods; those that are gone meanwhile need it no more. */
  async #release(pods: readonly PodObject[]): Promise<readonly PodObject[]> {
    const tracked = pods.filter(isTracked)
    if (tracked.length > 0) this.#hasWritten = true
    await Promise.all(tracked.map(async (pod) => releasePod(this.#sight.ctx, pod)))
    return pods
  }

  #isDone({ active }: PodNumbers): boolean {
    const { completions } = this.#sight.job.spec
    return active === 0 && this.#tally.succeeded >= (completions ?? 1)
  }

  /** The conditions and the start of a Job that ends, is suspended, or is resumed. */
  async #standing(
    verdict: Verdict | undefined,
    startTime: string | undefined,
  ): Promise<{ conditions: readonly JobCondition[]; startTime: string | undefined }> {
    const { job, ctx } = this.#sight
    const before = job.status?.conditions ?? []
    if (verdict !== undefined) {
      return { conditions: announcedIn(before, verdict, this.#time), startTime }
    }
    if (job.metadata.deletionTimestamp !== undefined) return { conditions: before, startTime }
    const { stated, reason } = isSuspended(job) ? suspended : resumed
    const conditions = withCondition(before, stated, this.#time)
    if (conditions === before) return { conditions, startTime }
    await ctx.recordEvent({ type: 'Normal', reason, message: stated.message })
    // The deadline counts from here: a suspended Job is not active.
    return { conditions, startTime: isSuspended(job) ? undefined : this.#time }
  }

  #awaitDeadline(startMs: number | undefined): void {
    const { spec } = this.#sight.job
    if (spec.activeDeadlineSeconds === undefined || startMs === undefined) return
    if (!isSuspended(this.#sight.job)) {
      this.#waitMs = startMs + spec.activeDeadlineSeconds * 1000 - this.#nowMs
    }
  }

  #remember(): void {
    const { job, records } = this.#sight
    const { uid } = job.metadata
    records.delete(uid)
    if (this.#record.failuresAfterLastSuccess > 0) records.set(uid, this.#record)
    // Jobs that were deleted leave theirs behind; the oldest are the least missed.
    const [oldest] = records.size > recordsMax ? records.keys() : []
    if (oldest !== undefined) records.delete(oldest)
  }

  async #tellEnd({ type, reason, message }: Verdict, { succeeded = 0 }: JobStatus): Promise<void> {
    const { job, ctx } = this.#sight
    if (type === 'Failed') {
      return ctx.recordEvent({ type: 'Warning', reason, message })
    }
    if (succeeded > (job.spec.completions ?? Infinity)) {
      const message = 'Too many succeeded pods running after completion count reached'
      await ctx.recordEvent({ type: 'Warning', reason: 'TooManySucceededPods', message })
    }
    return ctx.recordEvent({ type: 'Normal', reason: 'Completed', message: 'Job completed' })
  }

  #outcome(isFinal: boolean): Outcome {
    if (isFinal) return undefined
    const waitMs = this.#hasWritten ? Math.min(this.#waitMs, batchMs) : this.#waitMs
    return waitMs === Infinity ? undefined : { recheckAfter: waitMs }
  }
}

const suspended = {
  reason: 'Suspended',
  stated: { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' },
}
const resumed = {
  reason: 'Resumed',
  stated: { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' },
}

function isSuspended({ spec }: JobObject): boolean {
  return spec.suspend === true
}
