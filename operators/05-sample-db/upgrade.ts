import type { Desired, Frozen } from 'setpoint'
import { Job, type StatefulSet } from 'setpoint/kinds'
import { credentialsEnv } from './connection.ts'
import { type Facts, isBusy, jobsFor } from './facts.ts'
import { isInitialized } from './initialize.ts'
import { labelsOf, versionLabel } from './names.ts'
import { podSpec, scriptContainer } from './pods.ts'
import type { Database } from './sample-db.ts'
import { load, unload } from './scripts.ts'

/** Which way the wanted version is from the one that the data is at. Nothing begins before there is a whole database. */
export function wantedChange(db: Database, facts: Facts): 'none' | 'upgrade' | 'downgrade' {
  const order = compareVersions(db.spec.version, db.status?.version ?? db.spec.version)
  if (order < 0) return 'downgrade'
  return order > 0 && isInitialized(db, facts) ? 'upgrade' : 'none'
}

/** The Job that upgrades to the wanted version, if there is one. */
export function currentUpgrade({ spec }: Database, facts: Facts): Frozen<Job> | undefined {
  return jobsFor(facts, 'upgrade').find((job) => targetOf(job) === spec.version)
}

/** Jobs that upgrade to a version that is no longer wanted: they have to go before anything else touches the data. */
export function obsoleteUpgrades({ spec, status }: Database, facts: Facts): Frozen<Job>[] {
  return jobsFor(facts, 'upgrade').filter(
    (job) => targetOf(job) !== spec.version && targetOf(job) !== status?.version,
  )
}

/** The version that the data is at: what is noted, or what an upgrade has made of it. */
export function dataVersion(db: Database, facts: Facts): string {
  const { spec, status } = db
  const isUpgraded =
    wantedChange(db, facts) === 'upgrade' && Job.isComplete(currentUpgrade(db, facts))
  return status?.version === undefined || isUpgraded ? spec.version : status.version
}

/** Whether the server may run: while an upgrade is wanted or under way, the data is not its own. */
export function mayServe(db: Database, facts: Facts): boolean {
  return (
    wantedChange(db, facts) !== 'upgrade' &&
    obsoleteUpgrades(db, facts).length === 0 &&
    !isBusy(facts, 'upgrade')
  )
}

/** The Job that should be made now to upgrade, once nothing else uses the data. */
export function upgradeToBegin(
  db: Database,
  facts: Facts,
  server: Frozen<StatefulSet> | undefined,
): Desired<typeof Job> | undefined {
  const isWanted = wantedChange(db, facts) === 'upgrade' && currentUpgrade(db, facts) === undefined
  const isFree = obsoleteUpgrades(db, facts).length === 0 && !isBusy(facts, 'server', 'upgrade')
  return isWanted && isFree && isStopped(server) ? upgradeJob(db) : undefined
}

/** Whether the controller of a StatefulSet knows that there should be no pod, so that none will come. */
export function isStopped(server: Frozen<StatefulSet> | undefined): boolean {
  if (server === undefined) return true
  const { metadata, spec, status } = server
  const isObserved = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  return spec.replicas === 0 && isObserved && (status?.replicas ?? 0) === 0
}

/** The old version writes everything as SQL, the new one reads it into a fresh directory beside the old one. */
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

/** Compares number by number; what is missing counts as zero. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [left.split('.').map(Number), right.split('.').map(Number)]
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
