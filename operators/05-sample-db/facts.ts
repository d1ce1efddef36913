import type { Frozen, CacheView } from 'setpoint'
import { Job, Pod } from 'setpoint/kinds'
import { databaseLabel, type Role, roleLabel } from './names.ts'
import type { Database } from './sample-db.ts'

/** The live objects of a database besides its children. */
export interface Facts {
  /** The Jobs of this database, without those of a deleted database with the same name. */
  readonly jobs: readonly Frozen<Job>[]
  /** All pods of the database, including terminating ones. */
  readonly pods: readonly Frozen<Pod>[]
}

/** Reads the live objects. */
export function factsOf(
  { metadata: { name, namespace, creationTimestamp } }: Database,
  { list }: CacheView<typeof Job | typeof Pod>,
): Facts {
  const labels = { [databaseLabel]: name }
  const since = Date.parse(creationTimestamp)
  return {
    jobs: list(Job, { namespace, labels }).filter(
      ({ metadata }) => Date.parse(metadata.creationTimestamp) >= since,
    ),
    pods: list(Pod, { namespace, labels }),
  }
}

/** Maps an object with our label to the key of its database, for `.watch`. */
export function databaseOf(object: {
  readonly metadata: {
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
  }
}): string[] {
  const { namespace, labels } = object.metadata
  const name = labels?.[databaseLabel]
  return name === undefined ? [] : [`${namespace}/${name}`]
}

/** The Jobs with a role. */
export function jobsFor({ jobs }: Facts, role: Role): Frozen<Job>[] {
  return jobs.filter(({ metadata }) => metadata.labels?.[roleLabel] === role)
}

/** Whether a pod with one of these roles may still use its volumes. */
export function isBusy({ pods }: Facts, ...roles: readonly Role[]): boolean {
  return pods.some(({ metadata, status }) => {
    const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed'
    return !hasEnded && roles.some((role) => metadata.labels?.[roleLabel] === role)
  })
}

/** Whether a Job is complete or failed. */
export function hasFinished(job: Frozen<Job>): boolean {
  return Job.isComplete(job) || Job.isFailed(job)
}
