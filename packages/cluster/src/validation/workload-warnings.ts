import type {
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  JobSpec,
  PodTemplate,
  ReplicationController,
  PersistentVolumeClaim,
  StatefulSet,
} from 'setpoint/kinds'
import type { Decoded } from './go/decoded.ts'
import type { FieldPath } from './go/field-path.ts'
import { labelProblems } from './fields/name-rules.ts'
import type { Metadata } from './object-meta.ts'
import type { Template } from './pod/pod-template.ts'
import { podWarnings } from './pod/pod-warnings.ts'
import { claimSpecWarnings } from './storage/storage-warnings.ts'
import type { WarningInput } from './warning-input.ts'

interface Named {
  readonly metadata?: Metadata
}

/** Warns about a name that becomes part of hostnames and is not a valid one. */
export function nameWarnings({ metadata }: Named, use: string): string[] {
  const problems = labelProblems(metadata?.name ?? '')
  if (problems.length === 0) return []
  const words = `this is used in ${use}, which can result in surprising behavior; a DNS label is recommended`
  return [`metadata.name: ${words}: [${problems.join(' ')}]`]
}

function templateWarnings(template: Template | undefined, at: FieldPath): string[] {
  const { spec = {}, metadata } = template ?? {}
  return podWarnings({ spec, annotations: metadata?.annotations, at, isTemplate: true })
}

/** Templates are checked again only when the generation changed. */
function hasNewGeneration({ object, old }: WarningInput<Named>): boolean {
  return old === undefined || object.metadata?.generation !== old.metadata?.generation
}

const podNames = 'Pod names and hostnames'

/** Warnings of Deployments and ReplicaSets. */
export function deploymentWarnings(write: WarningInput<Decoded<Deployment>>): string[] {
  const { object, old, at } = write
  const names = old === undefined ? nameWarnings(object, podNames) : []
  if (!hasNewGeneration(write)) return names
  return [...names, ...templateWarnings(object.spec?.template, at.child('spec', 'template'))]
}

/** Warnings of ReplicationControllers; an update checks the old template, as on a real server. */
export function replicationControllerWarnings(
  write: WarningInput<Decoded<ReplicationController>>,
): string[] {
  const { object, old, at } = write
  const names = old === undefined ? nameWarnings(object, podNames) : []
  if (!hasNewGeneration(write)) return names
  return [
    ...names,
    ...templateWarnings((old ?? object).spec?.template, at.child('spec', 'template')),
  ]
}

const templateGeneration = 'deprecated.daemonset.template.generation'

/** Warnings of DaemonSets, which compare the template generation and not the name. */
export function daemonSetWarnings(write: WarningInput<Decoded<DaemonSet>>): string[] {
  const { object, old, at } = write
  const count = (set: Decoded<DaemonSet>) => set.metadata?.annotations?.[templateGeneration]
  if (old !== undefined && count(old) === count(object)) return []
  return templateWarnings(object.spec?.template, at.child('spec', 'template'))
}

/** Warnings of PodTemplates, which have no generation. */
export function podTemplateWarnings(write: WarningInput<Decoded<PodTemplate>>): string[] {
  if (!hasNewGeneration(write)) return []
  return templateWarnings(write.object.template, write.at.child('template'))
}

/** Warnings of StatefulSets. On updates a real server names the place of a claim `Spec`. */
export function statefulSetWarnings(write: WarningInput<Decoded<StatefulSet>>): string[] {
  const { object, old, at } = write
  const { spec = {} } = object
  const place = at.child('spec')
  const claims = (spec.volumeClaimTemplates ?? []).flatMap((claim, index) => {
    const claimAt = place.child('volumeClaimTemplates').index(index)
    // A decoded quantity is text.
    const claimSpec = (claim.spec ?? {}) as Decoded<PersistentVolumeClaim['spec']>
    return claimSpecWarnings(claimSpec, old === undefined ? claimAt : claimAt.child('Spec'))
  })
  const history = 'a negative value retains all historical revisions; a value >= 0 is recommended'
  const isUnlimited = (spec.revisionHistoryLimit ?? 0) < 0
  return [
    ...(hasNewGeneration(write) ? templateWarnings(spec.template, place.child('template')) : []),
    ...claims,
    ...(isUnlimited ? [`spec.revisionHistoryLimit: ${history}`] : []),
  ]
}

/** Warnings of Jobs. */
export function jobWarnings(write: WarningInput<Decoded<Job>>): string[] {
  const { object, old, at } = write
  const names = old === undefined ? nameWarnings(object, podNames) : []
  if (!hasNewGeneration(write)) return names
  return [...names, ...jobSpecWarnings(object.spec ?? {}, at.child('spec'))]
}

/** Warnings of CronJobs; the path of the schedule is that of a real server. */
export function cronJobWarnings(write: WarningInput<Decoded<CronJob>>): string[] {
  const { object, old, at } = write
  const { schedule = '', jobTemplate = {} } = object.spec ?? {}
  const place = at.child('spec', 'jobTemplate', 'spec')
  const jobs = hasNewGeneration(write) ? jobSpecWarnings(jobTemplate.spec ?? {}, place) : []
  if (old === undefined) return [...nameWarnings(object, podNames), ...jobs]
  if (!schedule.includes('TZ')) return jobs
  return [
    ...jobs,
    'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
  ]
}

function jobSpecWarnings(spec: Decoded<JobSpec>, at: FieldPath): string[] {
  const { completionMode, completions = 0, parallelism = 0, template } = spec
  const isTooMuch = completions > 100_000 && parallelism > 10_000
  const limits =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail'
  return [
    ...(completionMode === 'Indexed' && isTooMuch ? [`${at.path}: ${limits}`] : []),
    ...templateWarnings(template, at.child('template')),
  ]
}
