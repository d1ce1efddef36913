import type { Outcome, ReconcileContext } from 'setpoint'
import { isApiError } from 'setpoint/client'
import type { Job, Pod } from 'setpoint/kinds'
import { formatTime, isTerminating } from '../../object/index.ts'
import { createPod, deletePod, isNamespaceTerminating } from '../pods/pod-control.ts'
import { countingOf } from './counting.ts'
import { withCondition, type JobCondition } from './job-conditions.ts'
import { jobPod } from './pods/job-pod.ts'
import { isTracked, type JobObject } from './job-rules.ts'
import { isReady, type PodObject } from '../pods/pod-state.ts'
import {
  withInterimCondition,
  finished,
  canFinish,
  countReleased,
  statusOf,
  type JobStatus,
  type PodNumbers,
} from './job-status.ts'
import { tallyOf, type JobTally } from './job-tally.ts'
import { outcomeOf } from './job-completion.ts'
import { completionsReached, type JobOutcome } from './job-outcome.ts'
import { noFailures, recordAfter, type FailureRecord } from './pods/pod-backoff.ts'
import { planPods } from './pods/pod-plan.ts'
import { releasePod } from './pods/release-pod.ts'

type JobContext = ReconcileContext<typeof Job | typeof Pod, typeof Pod, typeof Job>

/** The objects that a reconcile of an unfinished Job reads. */
interface JobState {
  readonly job: JobObject
  readonly pods: readonly PodObject[]
  readonly ctx: JobContext
  /** The failure records of Jobs, by uid. */
  readonly records: Map<string, FailureRecord>
}

/**
 * The delay before the Job is reconciled again after writes, so that one reconcile handles many pod
 * changes.
 */
const batchMs = 1_000
/** The maximum number of failure records. */
const recordsMax = 10_000

/** One reconcile: deletes or creates pods, counts finished pods, and updates the status. */
export class JobRun {
  readonly #state: JobState
  readonly #tally: JobTally
  readonly #record: FailureRecord
  readonly #nowMs: number
  readonly #time: string
  #hasWritten = false
  /** A refusal of the server. It fails the reconcile after the status is written. */
  #error: Error | undefined
  #waitMs = Infinity

  constructor(state: JobState) {
    const { job, pods, ctx, records } = state
    this.#state = state
    this.#tally = tallyOf(job, pods)
    const { newlySucceeded: succeeded, newlyFailed: failed } = this.#tally
    const before = records.get(job.metadata.uid) ?? noFailures
    this.#record = recordAfter(before, { succeeded, failed })
    this.#nowMs = ctx.now()
    this.#time = formatTime(this.#nowMs)
  }

  async reconcile(): Promise<Outcome> {
    const { job, pods, ctx } = this.#state
    const tally = this.#tally
    const startTime = job.status?.startTime ?? (isSuspended(job) ? undefined : this.#time)
    const startMs = startTime === undefined ? undefined : Date.parse(startTime)
    const decided = outcomeOf({ job, pods, tally, startMs, nowMs: this.#nowMs })
    if (decided === undefined) this.#awaitDeadline(startMs)
    const numbers =
      decided === undefined ? await this.#manage() : await this.#remove(tally.active, 'held')
    const outcome = decided ?? (this.#isDone(numbers) ? completionsReached : undefined)
    const conditionsAndStart = await this.#conditionsAndStart(outcome, startTime)
    const { uncounted, release, isCutShort } = countingOf({ job, pods, tally, outcome })
    const held = new Set(pods.filter(isTracked).map(({ metadata }) => metadata.uid))
    const noted = statusOf(job, { tally, uncounted, ...conditionsAndStart, ...numbers })
    const interim = countReleased(noted, (uid) => held.has(uid))
    await ctx.updateStatus(interim)
    this.#remember()
    for (const { metadata } of await this.#release(release)) held.delete(metadata.uid)
    const status = countReleased(interim, (uid) => held.has(uid))
    const isFinal = outcome !== undefined && !isCutShort && canFinish(status)
    await ctx.updateStatus(isFinal ? finished(status, outcome, this.#time) : status)
    if (isFinal) await this.#recordEnd(outcome, status)
    if (this.#error !== undefined) throw this.#error
    return this.#outcome(isFinal)
  }

  /** Creates missing pods or deletes surplus pods. */
  async #manage(): Promise<PodNumbers> {
    const { job, pods, ctx } = this.#state
    const record = this.#record
    const { ready, terminating, active, awaitingReplacement } = this.#tally
    if (isTerminating(job)) {
      return { active: active.length, ready, terminating }
    }
    const plan = planPods({ job, pods, tally: this.#tally, record, nowMs: this.#nowMs })
    if (plan.remove.length > 0) return this.#remove(plan.remove, 'released')
    if (plan.waitMs > 0) this.#waitMs = Math.min(this.#waitMs, Math.max(plan.waitMs, batchMs))
    const desired = plan.create.map((index) =>
      jobPod(job, index, index === undefined ? undefined : awaitingReplacement.get(index)),
    )
    const created = await this.#untilRefused(desired, async (pod) => createPod(ctx, pod))
    return { active: active.length + created.length, ready, terminating }
  }

  /**
   * Writes items one after the other. A refused write will be refused again, so the first refusal
   * ends the loop.
   */
  async #untilRefused<T>(items: readonly T[], write: (item: T) => Promise<unknown>): Promise<T[]> {
    const written: T[] = []
    for (const item of items) {
      try {
        await write(item)
      } catch (error) {
        if (!isApiError(error)) throw error
        if (!isNamespaceTerminating(error)) this.#error = error
        break
      }
      this.#hasWritten = true
      written.push(item)
    }
    return written
  }

  /** Deletes pods. Pods that are still to be counted keep their finalizer. */
  async #remove(pods: readonly PodObject[], as: 'held' | 'released'): Promise<PodNumbers> {
    if (as === 'released') await this.#release(pods)
    const { active, ready, terminating } = this.#tally
    const deleted = await this.#untilRefused(pods, async (pod) => deletePod(this.#state.ctx, pod))
    return {
      active: active.length - deleted.length,
      ready: ready - deleted.filter(isReady).length,
      terminating: terminating + deleted.length,
    }
  }

  /** Removes the finalizer from pods. Pods that no longer exist are ignored. */
  async #release(pods: readonly PodObject[]): Promise<readonly PodObject[]> {
    const tracked = pods.filter(isTracked)
    if (tracked.length > 0) this.#hasWritten = true
    await Promise.all(tracked.map(async (pod) => releasePod(this.#state.ctx, pod)))
    return pods
  }

  #isDone({ active }: PodNumbers): boolean {
    const { completions } = this.#state.job.spec
    return active === 0 && this.#tally.succeeded >= (completions ?? 1)
  }

  /** The conditions and the start time of a Job that ends, is suspended, or is resumed. */
  async #conditionsAndStart(
    outcome: JobOutcome | undefined,
    startTime: string | undefined,
  ): Promise<{ conditions: readonly JobCondition[]; startTime: string | undefined }> {
    const { job, ctx } = this.#state
    const before = job.status?.conditions ?? []
    if (outcome !== undefined) {
      return { conditions: withInterimCondition(before, outcome, this.#time), startTime }
    }
    if (isTerminating(job)) return { conditions: before, startTime }
    const { update, reason } = isSuspended(job) ? suspended : resumed
    const conditions = withCondition(before, update, this.#time)
    if (conditions === before) return { conditions, startTime }
    await ctx.recordEvent({ type: 'Normal', reason, message: update.message })
    // The active deadline starts again here: a suspended Job is not active.
    return { conditions, startTime: isSuspended(job) ? undefined : this.#time }
  }

  #awaitDeadline(startMs: number | undefined): void {
    const { spec } = this.#state.job
    if (spec.activeDeadlineSeconds === undefined || startMs === undefined) return
    if (!isSuspended(this.#state.job)) {
      this.#waitMs = startMs + spec.activeDeadlineSeconds * 1000 - this.#nowMs
    }
  }

  #remember(): void {
    const { job, records } = this.#state
    const { uid } = job.metadata
    records.delete(uid)
    if (this.#record.failuresAfterLastSuccess > 0) records.set(uid, this.#record)
    // Records of deleted Jobs are not removed, so the oldest record is dropped.
    const [oldest] = records.size > recordsMax ? records.keys() : []
    if (oldest !== undefined) records.delete(oldest)
  }

  async #recordEnd(
    { type, reason, message }: JobOutcome,
    { succeeded = 0 }: JobStatus,
  ): Promise<void> {
    const { job, ctx } = this.#state
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
  update: { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' },
}
const resumed = {
  reason: 'Resumed',
  update: { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' },
}

function isSuspended({ spec }: JobObject): boolean {
  return spec.suspend === true
}
