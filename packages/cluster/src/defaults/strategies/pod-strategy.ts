import type { JsonObject } from 'setpoint/schema'
import type { LabelSelector, Pod, PodAffinityTerm, PodStatus } from 'setpoint/kinds'
import { metadataOf, qosClassOf } from '../../object/index.ts'
import { applyAppArmorAnnotations } from './app-armor.ts'
import { keepField, objectAt } from './field-access.ts'
import { resizePod, updateEphemeralContainers } from './pod-subresources.ts'
import type { ChangedObject, NewObject, Strategy } from './strategy.ts'

/** The cast is safe: decoding has validated the types. */
function podOf(object: JsonObject): Pod {
  return object as unknown as Pod
}

function emptyStatus({ object, now }: NewObject): JsonObject {
  const { spec, status: { qosClass: given = '' } = {} } = podOf(object)
  const status: PodStatus = { phase: 'Pending' }
  if ((spec.schedulingGates ?? []).length > 0) {
    status.conditions = [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: now ?? metadataOf(object).creationTimestamp ?? null,
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ]
  }
  // A class that the client sends stays.
  status.qosClass = given !== '' ? given : qosClassOf(spec)
  return status as unknown as JsonObject
}

interface KeyedSelector {
  readonly labelSelector?: LabelSelector
  readonly matchLabelKeys?: readonly string[]
  readonly mismatchLabelKeys?: readonly string[]
}

/** `matchLabelKeys` become expressions with the pod's own values when the pod is created. */
function resolveLabelKeys(term: KeyedSelector, labels: Readonly<Record<string, string>>): void {
  if (term.labelSelector === undefined) return
  const expressions = [
    ...(term.matchLabelKeys ?? []).map((key) => ({ key, operator: 'In' })),
    ...(term.mismatchLabelKeys ?? []).map((key) => ({ key, operator: 'NotIn' })),
  ].flatMap(({ key, operator }) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined
    return value === undefined ? [] : [{ key, operator, values: [value] }]
  })
  if (expressions.length === 0) return
  const present = term.labelSelector.matchExpressions ?? []
  term.labelSelector.matchExpressions = [...present, ...expressions]
}

function affinityTerms({ spec }: Pod): PodAffinityTerm[] {
  return [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ podAffinityTerm }) => podAffinityTerm,
    ),
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
  ])
}

function onCreate({ object, warn = () => undefined }: NewObject): void {
  const pod = podOf(object)
  const labels = pod.metadata.labels ?? {}
  for (const term of affinityTerms(pod)) resolveLabelKeys(term, labels)
  for (const constraint of pod.spec.topologySpreadConstraints ?? []) {
    resolveLabelKeys(constraint, labels)
  }
  applyAppArmorAnnotations(pod, warn)
}

/** A write of the status may omit the QoS class and the observed generations. */
function onStatusUpdate({ object, old }: ChangedObject): void {
  const status = objectAt(object, 'status') as PodStatus
  const before = objectAt(old, 'status') as PodStatus
  for (const key of ['qosClass', 'observedGeneration'] as const) {
    if (status[key] === undefined) keepField(status as JsonObject, before as JsonObject, key)
  }
  keepConditionGenerations(status, before)
}

function keepConditionGenerations(status: PodStatus, before: PodStatus): void {
  const generations = new Map<string, (number | undefined)[]>()
  for (const { type, observedGeneration } of before.conditions ?? []) {
    generations.set(type, [...(generations.get(type) ?? []), observedGeneration])
  }
  for (const condition of status.conditions ?? []) {
    const generation = generations.get(condition.type)?.shift()
    if (generation !== undefined) condition.observedGeneration ??= generation
  }
}

export const podStrategy: Strategy = {
  status: 'wiped',
  emptyStatus,
  startsGeneration: true,
  generationOf: [['spec']],
  metadataKeptByStatus: ['deletionTimestamp', 'ownerReferences'],
  onCreate,
  onStatusUpdate,
  subresources: { ephemeralcontainers: updateEphemeralContainers, resize: resizePod },
}
