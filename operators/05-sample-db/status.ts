import { type Frozen, type StatedCondition, type StatedStatus, when } from 'setpoint'
import { Job, StatefulSet } from 'setpoint/kinds'
import { backedUp, lastBackup } from './backup.ts'
import type { Facts } from './facts.ts'
import { initializeJob, isInitialized } from './initialize.ts'
import type { Database, SampleDB } from './sample-db.ts'
import { currentUpgrade, dataVersion, mayServe, versionChange } from './upgrade.ts'

type Server = Frozen<StatefulSet> | undefined

/** The status of a database. */
export function statusOf(
  db: Database,
  facts: Facts,
  server: Server,
): StatedStatus<typeof SampleDB> {
  const last = lastBackup(db, facts)
  const phase = phaseOf(db, facts, server)
  return {
    phase,
    version: dataVersion(db, facts),
    lastBackup: last,
    conditions: {
      Ready: when(phase === 'Running', 'Running', {
        message: StatefulSet.progress(server),
        otherwise: phase,
      }),
      Initialized: initialized(db, facts),
      UpToDate: upToDate(db, facts),
      BackedUp: backedUp(db, facts),
    },
  }
}

/** The current activity, or what failed. */
function phaseOf(db: Database, facts: Facts, server: Server): string {
  if (db.status?.version === undefined) return 'Creating'
  if (db.status.version !== dataVersion(db, facts)) return 'Starting'
  if (!mayServe(db, facts)) {
    const job = currentUpgrade(db, facts)
    if (job === undefined) return 'Stopping'
    return Job.isFailed(job) ? 'UpgradeFailed' : 'Upgrading'
  }
  if (!StatefulSet.isRolledOut(server) || server?.spec.replicas === 0) return 'Starting'
  if (isInitialized(db, facts)) return 'Running'
  return Job.isFailed(initializeJob(facts)) ? 'InitializationFailed' : 'Initializing'
}

function initialized(db: Database, facts: Facts): StatedCondition {
  const job = initializeJob(facts)
  const from = db.spec.restoreFrom?.database
  const done =
    from === undefined ? 'the database is initialized' : `restored from a backup of ${from}`
  if (isInitialized(db, facts)) return when(true, 'Initialized', done)
  const retry = Job.isFailed(job) ? `; read the log of the Job, and delete it to try again` : ''
  return when(false, '', {
    message: `${job?.metadata.name ?? 'its Job'}: ${Job.progress(job)}${retry}`,
    otherwise: Job.isFailed(job) ? 'InitializationFailed' : 'Initializing',
  })
}

function upToDate(db: Database, facts: Facts): StatedCondition {
  const at = dataVersion(db, facts)
  const { version } = db.spec
  if (at === version) return when(true, 'UpToDate', `the data is at version ${version}`)
  if (versionChange(db, facts) === 'downgrade') {
    const message = `the data is at version ${at}, and data cannot go back to ${version}: set spec.version to ${at} or newer, or restore a backup into a new SampleDB`
    return when(false, '', { message, otherwise: 'DowngradeRefused' })
  }
  const job = currentUpgrade(db, facts)
  if (!Job.isFailed(job)) {
    return when(false, '', {
      message: `from ${at} to ${version}: ${Job.progress(job)}`,
      otherwise: 'Upgrading',
    })
  }
  const message = `${job?.metadata.name ?? ''} ${Job.progress(job)}. The data is untouched: set spec.version to ${at} to run it again as it was, or delete the Job to try again`
  return when(false, '', { message, otherwise: 'UpgradeFailed' })
}
