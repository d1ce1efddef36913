import type { Desired, Frozen } from 'setpoint'
import { Job, type StatefulSet } from 'setpoint/kinds'
import { credentialsEnv } from './connection.ts'
import { type Facts, isBusy, jobsFor } from './facts.ts'
import { isInitialized } from './initialize.ts'
import { labelsOf, versionLabel } from './names.ts'
import { podSpec, scriptContainer } from './pods.ts'
import type { Database } from './sample-db.ts'
import { load, unload } from './scripts.ts'

/**
 * Compares the desired version with that of the data. No upgrade starts before the database is
 * initialized.
 */
export function versionChange(db: Database, facts: Facts): 'none' | 'upgrade' | 'downgrade' {
  const order = compareVersions(db.spec.version, db.status?.version ?? db.spec.version)
  if (order < 0) return 'downgrade'
  return order > 0 && isInitialized(db, facts) ? 'upgrade' : 'none'
}

/** The Job that upgrades to the desired version, if it exists. */
export function currentUpgrade({ spec }: Database, facts: Facts): Frozen<Job> | undefined {
  return jobsFor(facts, 'upgrade').find((job) => targetOf(job) === spec.version)
}

/* * The Jobs that upgrade to a version that is no longer desired. They must be deleted before another
 * pod uses the data.
 */
export function obsoleteUpgrades({ spec, status }: Database, facts: Facts): Frozen<Job>[] {
  return jobsFor(facts, 'upgrade').filter(
    (job) => targetOf(job) !== spec.version && targetOf(job) !== status?.version,
  )
}

/** The version of the data: from the status, or from a completed upgrade. */
export function dataVersion(db: Database, facts: Facts): string {
  const { spec, status } = db
  const isUpgraded =
    versionChange(db, facts) === 'upgrade' && Job.isComplete(currentUpgrade(db, facts))
  return status?.version === undefined || isUpgraded ? spec.version : status.version
}

/** Whether the server may run. It must not run while an upgrade is desired or running. */
export function mayServe(db: Database, facts: Facts): boolean {
  return (
    versionChange(db, facts) !== 'upgrade' &&
    obsoleteUpgrades(db, facts).length === 0 &&
    !isBusy(facts, 'upgrade')
  )
}

/** The upgrade Job to create now, if no pod uses the data. */
export function upgradeToBegin(
  db: Database,
  facts: Facts,
  server: Frozen<StatefulSet> | undefined,
): Desired<typeof Job> | undefined {
  const isDesired =
    versionChange(db, facts) === 'upgrade' && currentUpgrade(db, facts) === undefined
  const isFree = obsoleteUpgrades(db, facts).length === 0 && !isBusy(facts, 'server', 'upgrade')
  return isDesired && isFree && isStopped(server) ? upgradeJob(db) : undefined
}

/** Whether the StatefulSet controller has observed zero replicas, so that it creates no pod. */
export function isStopped(server: Frozen<StatefulSet> | undefined): boolean {
  if (server === undefined) return true
  const { metadata, spec, status } = server
  const isObserved = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  return spec.replicas === 0 && isObserved && (status?.replicas ?? 0) === 0
}

/** The old version dumps the data as SQL; the new version restores it into a new directory. */
function upgradeJob({ metadata: { name }, spec, status }: Database): Desired<typeof Job> {
  const { version } = spec
  const from = status?.version ?? version
  const labels = { ...labelsOf(name, 'upgrade'), [versionLabel]: version }
  const versions = [
    { name: 'FROM', value: from },
    { name: 'VERSION', value: version },
  ]
  const common = { env: [...versions, ...credentialsEnv(name)], mounts: ['DATA', 'RUN'] } as const
  const old = scriptContainer({ ...common, name: 'unload', version: from, script: unload })
  const fresh = scriptContainer({ ...common, name: 'load', version, script: load })
  return {
    metadata: { name: `${name}-upgrade-${version.replaceAll('.', '-')}`, labels },
    spec: {
      backoffLimit: 3,
      template: {
        metadata: { labels },
        spec: { ...podSpec(name, [fresh], { initContainers: [old] }), restartPolicy: 'Never' },
      },
    },
  }
}

function targetOf({ metadata }: Frozen<Job>): string | undefined {
  return metadata.labels?.[versionLabel]
}

/** Compares number by number; a missing number is zero. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [left.split('.').map(Number), right.split('.').map(Number)]
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
