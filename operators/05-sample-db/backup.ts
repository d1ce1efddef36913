import { type Desired, type StatedCondition, when } from 'setpoint'
import { type CronJob, Job } from 'setpoint/kinds'
import { clientEnv } from './connection.ts'
import { type Facts, hasFinished, jobsFor } from './facts.ts'
import { isInitialized } from './initialize.ts'
import { labelsOf, namesOf } from './names.ts'
import { podSpec, scriptContainer } from './pods.ts'
import type { Database } from './sample-db.ts'
import { backup } from './scripts.ts'
import { mayServe } from './upgrade.ts'

/**
 * Regular backups by Jobs, which read the connection from the ConfigMap and the Secret. A backup
 * has the name of its Job. No backup starts before the database is initialized, or during an upgrade.
 */
export function backupSchedule(db: Database, facts: Facts): Desired<typeof CronJob> {
  const { metadata, spec, status } = db
  const labels = labelsOf(metadata.name, 'backup')
  const jobName = { fieldRef: { fieldPath: "metadata.labels['batch.kubernetes.io/job-name']" } }
  const container = scriptContainer({
    name: 'backup',
    version: status?.version ?? spec.version,
    script: backup,
    env: [
      ...clientEnv(metadata.name),
      { name: 'JOB', valueFrom: jobName },
      { name: 'DROP_FROM', value: `${spec.backup.keep + 1}` },
    ],
    mounts: ['BACKUPS'],
  })
  const pod = { ...podSpec(metadata.name, [container]), restartPolicy: 'Never' } as const
  return {
    metadata: { name: namesOf(metadata.name).cronJob, labels },
    spec: {
      schedule: spec.backup.schedule,
      timeZone: 'Etc/UTC',
      suspend: spec.backup.suspend || !isInitialized(db, facts) || !mayServe(db, facts),
      // Two concurrent backups are not useful; a late backup is better than none.
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 3600,
      jobTemplate: {
        metadata: { labels },
        spec: { backoffLimit: 3, template: { metadata: { labels }, spec: pod } },
      },
    },
  }
}

/** A backup, by its name for `restoreFrom`. */
type Backup = NonNullable<NonNullable<Database['status']>['lastBackup']>

/** The newest successful backup; the status keeps it, because finished Jobs are deleted. */
export function lastBackup({ status }: Database, facts: Facts): Backup | undefined {
  const made = jobsFor(facts, 'backup')
    .filter((job) => Job.isComplete(job))
    .map(({ metadata, status: done }) => ({
      name: metadata.name,
      time: done?.completionTime ?? '',
    }))
  const noted = status?.lastBackup === undefined ? [] : [status.lastBackup]
  return [...noted, ...made].sort((a, b) => a.time.localeCompare(b.time)).at(-1)
}

/** The condition BackedUp. */
export function backedUp(db: Database, facts: Facts): StatedCondition {
  const finished = jobsFor(facts, 'backup').filter(hasFinished)
  const latest = finished
    .sort((a, b) => a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp))
    .at(-1)
  const last = lastBackup(db, facts)
  if (latest !== undefined && Job.isFailed(latest)) {
    const message = `${latest.metadata.name} ${Job.progress(latest)}; the newest backup is ${last?.name ?? 'none'}`
    return when(false, '', { message, otherwise: 'BackupFailed' })
  }
  const none = `none yet; the schedule is ${db.spec.backup.schedule}`
  const message = last === undefined ? none : `${last.name} was made at ${last.time}`
  return when(last !== undefined, 'BackedUp', { message, otherwise: 'NoBackupYet' })
}
