import { type Desired, type ReconcileContext, RetryLaterError } from 'setpoint'
import { isApiError } from 'setpoint/client'
import {
  CronJob,
  isTerminating,
  Job,
  PersistentVolumeClaim,
  Pod,
  StatefulSet,
} from 'setpoint/kinds'
import { type Facts, factsOf, hasFinished, isBusy, jobsFor } from './facts.ts'
import { isInitialized } from './initialize.ts'
import { labelsOf, namesOf, roleLabel, userName } from './names.ts'
import { podSpec, scriptContainer } from './pods.ts'
import type { Database, SampleDB } from './sample-db.ts'
import { snapshot } from './scripts.ts'
import { isStopped } from './upgrade.ts'

/** The context of the cleanup. */
type Read = typeof Pod | Written
type Written = typeof CronJob | typeof Job | typeof PersistentVolumeClaim | typeof StatefulSet
type Context = ReconcileContext<Read, Written, typeof SampleDB>

/** A failed snapshot Job is deleted after this time, and created again. */
const keptSeconds = 24 * 3600

/**
 * The cleanup of a deleted database: stops everything that uses the data, takes a snapshot, then
 * deletes the data. Each call does what is possible now; changes of pods and Jobs cause the next
 * call.
 */
export async function removeData(db: Database, ctx: Context): Promise<void> {
  const { name } = db.metadata
  const facts = factsOf(db, ctx)
  const data = ctx.get(PersistentVolumeClaim, namesOf(name).dataClaim)
  if (data !== undefined && !isTerminating(data)) {
    // A database that was never initialized needs no snapshot.
    if (db.spec.snapshotOnDelete && isInitialized(db, facts)) {
      await stopEverything(db, ctx, facts)
      await takeSnapshot(db, ctx, facts)
    } else {
      await endJobs(ctx, facts)
    }
    await ctx.delete(PersistentVolumeClaim, data, { evenIfChanged: true })
    const message = `the data is removed; backups and snapshots are on the claim ${namesOf(name).backupClaim}, which stays`
    await ctx.recordEvent({ type: 'Normal', reason: 'DataRemoved', message })
  }
  // Terminated pods still use their claims; the pods of other Jobs are deleted with the database.
  for (const job of jobsFor(facts, 'snapshot')) {
    await ctx.delete(Job, job, { evenIfChanged: true })
  }
}

async function stopEverything(db: Database, ctx: Context, facts: Facts): Promise<void> {
  const { statefulSet, cronJob } = namesOf(db.metadata.name)
  const schedule = ctx.get(CronJob, cronJob)
  if (schedule !== undefined) await ctx.delete(CronJob, schedule, { evenIfChanged: true })
  const others = facts.jobs.filter(({ metadata }) => metadata.labels?.[roleLabel] !== 'snapshot')
  await endJobs(ctx, { ...facts, jobs: others })
  const server = ctx.get(StatefulSet, statefulSet)
  if (server !== undefined && server.spec.replicas !== 0) {
    await ctx.patch(StatefulSet, server, { merge: { spec: { replicas: 0 } } })
  }
  if (isStopped(server) && !isBusy(facts, 'server', 'initialize', 'backup', 'upgrade')) return
  await writeProgress(db, ctx, {
    phase: 'Stopping',
    message: 'the server is being stopped for a snapshot',
  })
  throw new RetryLaterError('the server is being stopped', { after: '1m' })
}

async function endJobs(ctx: Context, { jobs }: Facts): Promise<void> {
  for (const job of jobs.filter((one) => !hasFinished(one))) {
    await ctx.delete(Job, job, { evenIfChanged: true })
  }
}

async function takeSnapshot(db: Database, ctx: Context, facts: Facts): Promise<void> {
  const desired = snapshotJob(db)
  const job = facts.jobs.find(({ metadata }) => metadata.name === desired.metadata.name)
  if (job === undefined) await createWithoutOwner(ctx, desired)
  if (Job.isComplete(job)) return
  if (Job.isFailed(job)) return reportFailure(db, ctx, desired.metadata.name)
  const pod = facts.pods.find(({ metadata }) => metadata.labels?.[roleLabel] === 'snapshot')
  const progress = pod === undefined ? Job.progress(job) : Pod.progress(pod)
  const message = `${desired.metadata.name}: ${progress}`
  await writeProgress(db, ctx, { phase: 'TakingSnapshot', message })
  throw new RetryLaterError(message, { after: '1m' })
}

/** Only a user can continue: deleting the Job or changing the object causes the next attempt. */
async function reportFailure(db: Database, ctx: Context, job: string): Promise<never> {
  const message =
    `the data is kept because the snapshot ${job} failed. Read the log of the Job, fix the cause and delete the ` +
    'Job to try again, or set spec.snapshotOnDelete to false to delete the data without a snapshot'
  const phase = 'SnapshotFailed'
  if (db.status?.phase !== phase) {
    await ctx.recordEvent({ type: 'Warning', reason: phase, message })
  }
  await writeProgress(db, ctx, { phase, message })
  throw new RetryLaterError(message, { after: '1h' })
}

/* * Creates the Job without an owner reference, so that a deletion with `--cascade=foreground` does
 * not delete it.
 */
async function createWithoutOwner(
  ctx: Context,
  job: ReturnType<typeof snapshotJob>,
): Promise<void> {
  try {
    await ctx.client.create(Job, job, { signal: ctx.signal })
  } catch (error) {
    if (!isApiError(error, 'API_ALREADY_EXISTS')) throw error
  }
}

/** The Job's name contains the uid, because a deleted database of the same name may have a snapshot Job. */
function snapshotJob({ metadata: { name, namespace, uid }, spec, status }: Database) {
  const labels = labelsOf(name, 'snapshot')
  const jobName = `${name}-snapshot-${uid.slice(0, 8)}`
  const version = status?.version ?? spec.version
  const container = scriptContainer({
    name: 'snapshot',
    version,
    script: snapshot,
    mounts: ['DATA', 'BACKUPS', 'RUN'],
    env: [
      { name: 'VERSION', value: version },
      { name: 'PGUSER', value: userName },
      { name: 'PGDATABASE', value: spec.database },
      { name: 'JOB', value: jobName },
    ],
  })
  return {
    metadata: { name: jobName, namespace, labels },
    spec: {
      backoffLimit: 3,
      ttlSecondsAfterFinished: keptSeconds,
      template: {
        metadata: { labels },
        spec: { ...podSpec(name, [container]), restartPolicy: 'Never' },
      },
    },
  } satisfies Desired<typeof Job>
}

/** Writes the progress of the deletion into the status, and keeps the other conditions. */
async function writeProgress(
  { metadata, status }: Database,
  ctx: Context,
  { phase, message }: { readonly phase: string; readonly message: string },
): Promise<void> {
  const { conditions = [] } = status ?? {}
  const before = conditions.find(({ type }) => type === 'Ready')
  const now = new Date(ctx.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  const isSame = before?.status === 'False'
  const ready = {
    type: 'Ready',
    status: 'False',
    reason: phase,
    message,
    observedGeneration: metadata.generation ?? 0,
    lastTransitionTime: isSame ? before.lastTransitionTime : now,
  } as const
  const others = conditions.filter(({ type }) => type !== 'Ready')
  await ctx.updateStatus({ ...status, phase, conditions: [ready, ...others] })
}
