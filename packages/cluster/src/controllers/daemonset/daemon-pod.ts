import type { Frozen } from 'setpoint'
import type { DaemonSet, PodSpec, Toleration } from 'setpoint/kinds'
import { podFromTemplate, type NewPod } from '../pods/pod-from-template.ts'
import type { PodObject } from '../pods/pod-state.ts'

export type DaemonSetObject = Frozen<DaemonSet>

/** The label with the hash of the template that a pod was created from. */
export const hashLabel = 'controller-revision-hash'
const generationLabel = 'pod-template-generation'
const generationAnnotation = 'deprecated.daemonset.template.generation'
const nameField = 'metadata.name'

const toleration = (name: string, effect: 'NoExecute' | 'NoSchedule'): Frozen<Toleration> => ({
  key: `node.kubernetes.io/${name}`,
  operator: 'Exists',
  effect,
})
/** Daemon pods tolerate the taints of unhealthy and unschedulable nodes. */
const daemonTolerations = [
  toleration('not-ready', 'NoExecute'),
  toleration('unreachable', 'NoExecute'),
  toleration('disk-pressure', 'NoSchedule'),
  toleration('memory-pressure', 'NoSchedule'),
  toleration('pid-pressure', 'NoSchedule'),
  toleration('unschedulable', 'NoSchedule'),
]
const hostNetworkToleration = toleration('network-unavailable', 'NoSchedule')

/** The tolerations of a pod: those of the template and those of all daemon pods. */
export function tolerationsOf(spec: Frozen<PodSpec> | undefined): readonly Frozen<Toleration>[] {
  const { tolerations: own = [], hostNetwork } = spec ?? {}
  const tolerations = [...own]
  const desired = hostNetwork ? [...daemonTolerations, hostNetworkToleration] : daemonTolerations
  for (const one of desired) {
    const at = tolerations.findIndex((other) => isAlike(one, other))
    if (at === -1) tolerations.push(one)
    else tolerations[at] = one
  }
  return tolerations
}

function isAlike(one: Frozen<Toleration>, other: Frozen<Toleration>): boolean {
  const { key, operator, value, effect } = other
  return one.key === key && one.operator === operator && one.effect === effect && !value
}

/** The pod of a DaemonSet for a node. */
export function daemonPod(set: DaemonSetObject, hash: string, node: string): NewPod {
  const { metadata, spec } = podFromTemplate(set.spec.template, set.metadata.name)
  const generation = generationOf(set)
  const term = { matchFields: [{ key: nameField, operator: 'In' as const, values: [node] }] }
  const { affinity } = spec
  // `fitnessOf` has already checked the template's other node requirements.
  const required = { nodeSelectorTerms: [term] }
  return {
    metadata: {
      ...metadata,
      labels: {
        ...metadata.labels,
        ...(generation !== undefined && { [generationLabel]: generation }),
        [hashLabel]: hash,
      },
    },
    spec: {
      ...spec,
      tolerations: tolerationsOf(spec),
      affinity: {
        ...affinity,
        nodeAffinity: {
          ...affinity?.nodeAffinity,
          requiredDuringSchedulingIgnoredDuringExecution: required,
        },
      },
    },
  }
}

/** The node that a pod runs on, or that its affinity requires. */
export function targetNode({ spec }: PodObject): string | undefined {
  if (spec.nodeName !== undefined && spec.nodeName !== '') return spec.nodeName
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  const named = (required?.nodeSelectorTerms ?? [])
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator }) => key === nameField && operator === 'In')
  return named?.values?.length === 1 ? named.values[0] : undefined
}

/** Whether a pod was created from the set's current template. */
export function isUpdated(pod: PodObject, set: DaemonSetObject, hash: string): boolean {
  const labels = pod.metadata.labels ?? {}
  const generation = generationOf(set)
  return (
    labels[hashLabel] === hash ||
    (generation !== undefined && labels[generationLabel] === generation)
  )
}

/** The deprecated template generation, which servers still keep in an annotation. */
function generationOf({ metadata }: DaemonSetObject): string | undefined {
  const text = metadata.annotations?.[generationAnnotation]
  return text !== undefined && /^[+-]?\d+$/.test(text) ? String(Number(text)) : undefined
}

/** Sorts the pods of a node: scheduled pods first, then the older ones. */
export function byAge(a: PodObject, b: PodObject): number {
  const isUnplaced = ({ spec }: PodObject): number => (spec.nodeName ? 0 : 1)
  const created = ({ metadata }: PodObject): number => Date.parse(metadata.creationTimestamp)
  return (
    isUnplaced(a) - isUnplaced(b) ||
    created(a) - created(b) ||
    (a.metadata.name < b.metadata.name ? -1 : 1)
  )
}
