import { type Desired, type ReconcileContext, RetryLaterError, when } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { isTerminating, Job, PersistentVolumeClaim, Pod, StatefulSet } from 'setpoint/kinds'
import type { Jenkins, Project } from './jenkins.ts'
import { labelsOf, namesOf } from './names.ts'
import { backupPod } from './workload.ts'

type Written = typeof Job | typeof PersistentVolumeClaim | typeof StatefulSet
type Context = ReconcileContext<typeof Pod | Written, Written, typeof Jenkins>

/** A failed backup Job is deleted after this time, and created again. */
const keptSeconds = 24 * 3600

/**
 * The cleanup of a deleted Jenkins: stops it, keeps its jobs in a backup, then deletes its home
 * directory. Each call does what is possible now; changes of pods and Jobs cause the next call.
 */
export async function removeJenkins(jenkins: Project, ctx: Context): Promise<void> {
  const names = namesOf(jenkins.metadata.name)
  const home = ctx.get(PersistentVolumeClaim, names.home)
  if (home !== undefined && !isTerminating(home)) {
    const isKept = jenkins.spec.backup.onRemoval
    if (isKept) {
      await stop(jenkins, ctx)
      await backUp(jenkins, ctx)
    }
    await ctx.delete(PersistentVolumeClaim, home, { evenIfChanged: true })
    const message = isKept
      ? `removed; the jobs are in ${backupName(jenkins)}.tar.gz on the claim ${names.backups}, which stays`
      : 'removed without a backup'
    await ctx.recordEvent({ type: 'Normal', reason: 'Removed', message })
  }
  // Its pod uses the claims as long as it exists.
  const job = ctx.get(Job, backupName(jenkins))
  if (job !== undefined) await ctx.delete(Job, job, { evenIfChanged: true })
}

async function stop(jenkins: Project, ctx: Context): Promise<void> {
  const { name, namespace } = jenkins.metadata
  const server = ctx.get(StatefulSet, namesOf(name).server)
  if (server !== undefined && server.spec.replicas !== 0) {
    await ctx.patch(StatefulSet, server, { merge: { spec: { replicas: 0 } } })
  }
  const pods = ctx.list(Pod, { namespace, labels: labelsOf(name, 'server') })
  const isUsed = pods.some(
    ({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed',
  )
  if (isUsed) await wait(jenkins, ctx, { reason: 'Stopping', message: 'Jenkins is being stopped' })
}

async function backUp(jenkins: Project, ctx: Context): Promise<void> {
  const name = backupName(jenkins)
  const job = ctx.get(Job, name)
  if (job === undefined) await createWithoutOwner(ctx, backupJob(jenkins))
  if (Job.isComplete(job)) return
  const message = Job.isFailed(job)
    ? `everything is kept because the backup ${name} failed: read the log of the Job, fix the cause and delete the Job to try again, or set spec.backup.onRemoval to false`
    : `${name}: ${Job.progress(job)}`
  await wait(jenkins, ctx, { reason: Job.isFailed(job) ? 'BackupFailed' : 'BackingUp', message })
}

/** Says in Ready what the removal waits for. */
async function wait(
  { status }: Project,
  ctx: Context,
  { reason, message }: { readonly reason: string; readonly message: string },
): Promise<never> {
  const Ready = when(false, reason, { message, otherwise: reason })
  await ctx.updateStatus({ ...status, conditions: { Ready } })
  throw new RetryLaterError(message, { after: '1m' })
}

/** Without an owner reference: a deletion with `--cascade=foreground` would delete the Job. */
async function createWithoutOwner(ctx: Context, job: ReturnType<typeof backupJob>): Promise<void> {
  try {
    await ctx.client.create(Job, job, { signal: ctx.signal })
  } catch (error) {
    if (!isApiError(error, 'API_ALREADY_EXISTS')) throw error
  }
}

/** The uid distinguishes it from the backup of a former Jenkins of the same name. */
function backupName({ metadata: { name, uid } }: Project): string {
  return `${name}-backup-${uid.slice(0, 8)}`
}

function backupJob(jenkins: Project) {
  const { name, namespace } = jenkins.metadata
  const labels = labelsOf(name, 'backup')
  const backup = backupName(jenkins)
  return {
    metadata: { name: backup, namespace, labels },
    spec: {
      backoffLimit: 3,
      ttlSecondsAfterFinished: keptSeconds,
      template: { metadata: { labels }, spec: backupPod(jenkins, backup) },
    },
  } satisfies Desired<typeof Job>
}
