import type { Desired } from 'setpoint'
import type { PersistentVolumeClaim, StatefulSet } from 'setpoint/kinds'
import { credentialsEnv } from './connection.ts'
import type { Facts } from './facts.ts'
import { databaseLabel, labelsOf, namesOf, port } from './names.ts'
import { podSpec, scriptContainer } from './pods.ts'
import type { Database } from './sample-db.ts'
import { serve } from './scripts.ts'
import { mayServe } from './upgrade.ts'

/** The volume of the data. */
export function dataClaim(db: Database): Desired<typeof PersistentVolumeClaim> {
  return claim(db, namesOf(db.metadata.name).dataClaim, db.spec.storage.size)
}

/** The volume of the backups, which is not deleted with the database. */
export function backupClaim(db: Database): Desired<typeof PersistentVolumeClaim> {
  return claim(db, namesOf(db.metadata.name).backupClaim, db.spec.backup.size)
}

function claim(
  { metadata, spec }: Database,
  name: string,
  size: string | number,
): Desired<typeof PersistentVolumeClaim> {
  const { storageClassName } = spec.storage
  return {
    metadata: { name, labels: { [databaseLabel]: metadata.name } },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName,
      resources: { requests: { storage: size } },
    },
  }
}

/* * The server, with the version of the data. The status contains this version before there is data.
 * The server is stopped while another pod uses the data.
 */
export function statefulSet(
  db: Database,
  facts: Facts,
  annotations: Readonly<Record<string, string>>,
): Desired<typeof StatefulSet> | null {
  const { name } = db.metadata
  const version = db.status?.version
  if (version === undefined) return null
  const labels = labelsOf(name, 'server')
  const isReady = { exec: { command: ['sh', '-c', 'pg_isready -q -h "$RUN" -d postgres'] } }
  const server = {
    ...scriptContainer({
      name: 'postgres',
      version,
      script: serve,
      mounts: ['DATA', 'RUN'],
      env: [{ name: 'VERSION', value: version }, ...credentialsEnv(name)],
    }),
    ports: [{ name: 'postgres', containerPort: port }],
    resources: db.spec.resources,
    // The first start creates the files, and a start after a crash may take long.
    startupProbe: { ...isReady, periodSeconds: 1, failureThreshold: 600 },
    readinessProbe: { ...isReady, periodSeconds: 5 },
  }
  return {
    metadata: { name: namesOf(name).statefulSet, labels: { [databaseLabel]: name } },
    spec: {
      serviceName: namesOf(name).podService,
      replicas: mayServe(db, facts) ? 1 : 0,
      selector: { matchLabels: labels },
      // A new password restarts the server, which then sets it.
      template: { metadata: { labels, annotations }, spec: podSpec(name, [server]) },
    },
  }
}
