import { operator, rolloutOn } from 'setpoint'
import {
  ConfigMap,
  CronJob,
  Job,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
  StatefulSet,
} from 'setpoint/kinds'
import { backupSchedule } from './backup.ts'
import { binding, connection, credentials, podService, service } from './connection.ts'
import { databaseOf, factsOf } from './facts.ts'
import { initializeToBegin } from './initialize.ts'
import { databaseLabel, namesOf } from './names.ts'
import { problemsOf } from './problems-of.ts'
import { SampleDB } from './sample-db.ts'
import { removeData } from './snapshot.ts'
import { statusOf } from './status.ts'
import { dataVersion, obsoleteUpgrades, upgradeToBegin } from './upgrade.ts'
import { backupClaim, dataClaim, statefulSet } from './workload.ts'

/**
 * Manages databases: storage, credentials, initial configuration, backups, upgrades, and a final
 * snapshot.
 */
export default operator(SampleDB)
  .validate(problemsOf)
  .writes(Job)
  .watch(Job, databaseOf)
  .watch(Pod, databaseOf, { labelSelector: databaseLabel })
  .child('credentials', Secret, { createOnly: true }, credentials)
  .child('binding', Secret, (db, { children }) => binding(db, children.credentials?.data))
  .child('service', Service, service)
  .child('podService', Service, podService)
  .child('connection', ConfigMap, (db, { children }) =>
    connection(db, children.service?.spec.clusterIP),
  )
  // Without owner references: the snapshot needs the data, and the backups are kept.
  .child('data', PersistentVolumeClaim, { deletion: 'retain' }, dataClaim)
  .child('backups', PersistentVolumeClaim, { deletion: 'retain' }, backupClaim)
  .child('server', StatefulSet, { after: ['credentials', 'podService', 'data'] }, (db, view) =>
    statefulSet(db, factsOf(db, view), rolloutOn(view.children.credentials)),
  )
  .child('schedule', CronJob, { after: ['connection', 'backups'] }, (db, view) =>
    backupSchedule(db, factsOf(db, view)),
  )
  .reconcile(async (db, ctx) => {
    const facts = factsOf(db, ctx)
    for (const job of obsoleteUpgrades(db, facts)) {
      await ctx.delete(Job, job, { propagation: 'Foreground', evenIfChanged: true })
    }
    const server = ctx.get(StatefulSet, namesOf(db.metadata.name).statefulSet)
    const job = initializeToBegin(db, facts, server) ?? upgradeToBegin(db, facts, server)
    if (job !== undefined) {
      const { metadata } = await ctx.create(Job, job)
      await ctx.recordEvent({ type: 'Normal', reason: 'JobStarted', message: metadata.name })
    }
    // The status gets the new version after this; the next reconcile uses it.
    return db.status?.version === dataVersion(db, facts) ? undefined : { recheckAfter: '1s' }
  })
  .status((db, { server, binding: secret }, view) => ({
    ...statusOf(db, factsOf(db, view), server),
    binding: secret === undefined ? undefined : { name: secret.metadata.name },
  }))
  .onDelete(removeData)
