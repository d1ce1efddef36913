import type { Frozen } from 'setpoint'
import type { Deployment, PodTemplateSpec, ReplicaSet } from 'setpoint/kinds'
import { jsonEquals } from 'setpoint/schema'

export type DeploymentObject = Frozen<Deployment>
export type ReplicaSetObject = Frozen<ReplicaSet>

export const hashLabel = 'pod-template-hash'
export const revisionAnnotation = 'deployment.kubernetes.io/revision'
const historyAnnotation = 'deployment.kubernetes.io/revision-history'
const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas'
const maxAnnotation = 'deployment.kubernetes.io/max-replicas'

/** Annotations of a Deployment that are not copied to its ReplicaSets. */
const notCopied: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
])

/** The maximum length of the revision history annotation. */
const historyCharactersMax = 2000

/**
 * The ReplicaSet of the Deployment's template (the oldest if there are several), and the others,
 * oldest first.
 */
export function currentAndOld(
  deployment: DeploymentObject,
  sets: readonly ReplicaSetObject[],
): { current: ReplicaSetObject | undefined; old: ReplicaSetObject[] } {
  const sorted = byAge(sets)
  const current = sorted.find((set) => isSameTemplate(set.spec.template, deployment.spec.template))
  return { current, old: sorted.filter((set) => set !== current) }
}

export function byAge(sets: readonly ReplicaSetObject[]): ReplicaSetObject[] {
  const age = ({ metadata }: ReplicaSetObject): string =>
    `${metadata.creationTimestamp} ${metadata.name}`
  return [...sets].sort((left, right) => (age(left) < age(right) ? -1 : 1))
}

/** The revision of a set; 0 without the annotation. */
export function revisionOf({ metadata }: ReplicaSetObject): number {
  const revision = Number(metadata.annotations?.[revisionAnnotation] ?? 0)
  return Number.isInteger(revision) ? revision : 0
}

/** The Deployment's replicas when its controller last scaled this set. */
export function desiredReplicas({ metadata }: ReplicaSetObject): number | undefined {
  return countIn(metadata.annotations?.[desiredAnnotation])
}

/** The Deployment's maximum number of pods at that time. */
export function maxReplicas({ metadata }: ReplicaSetObject): number | undefined {
  return countIn(metadata.annotations?.[maxAnnotation])
}

/** The annotations that record the size of the Deployment on a set. */
export function sizeAnnotations(desired: number, max: number): Record<string, string> {
  return { [desiredAnnotation]: String(desired), [maxAnnotation]: String(max) }
}

/** The annotations of the current set: those of its Deployment, and its revision. */
export function currentAnnotations(
  { metadata }: DeploymentObject,
  old: readonly ReplicaSetObject[],
  current?: ReplicaSetObject,
): Record<string, string> {
  const copied = Object.entries(metadata.annotations ?? {}).filter(([name]) => !notCopied.has(name))
  const before = current?.metadata.annotations ?? {}
  const annotations: Record<string, string> = { ...before, ...Object.fromEntries(copied) }
  const revision = Math.max(0, ...old.map(revisionOf)) + 1
  const had = before[revisionAnnotation]
  if (had !== undefined && Number(had) >= revision) return annotations
  annotations[revisionAnnotation] = String(revision)
  // A set that already had a revision is the target of a rollback.
  if (had !== undefined)
    annotations[historyAnnotation] = historyWith(before[historyAnnotation], had)
  return annotations
}

/** Whether two templates are equal except for the pod-template-hash label. */
function isSameTemplate(
  left: Frozen<PodTemplateSpec> | undefined,
  right: Frozen<PodTemplateSpec>,
): boolean {
  return jsonEquals(withoutHash(left ?? {}), withoutHash(right))
}

function withoutHash(template: Frozen<PodTemplateSpec>): object {
  const { [hashLabel]: _, ...labels } = template.metadata?.labels ?? {}
  return { ...template, metadata: { ...template.metadata, labels } }
}

function historyWith(history: string | undefined, revision: string): string {
  const revisions = history === undefined || history === '' ? [] : history.split(',')
  revisions.push(revision)
  while (revisions.join(',').length > historyCharactersMax) revisions.shift()
  return revisions.join(',')
}

function countIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}
