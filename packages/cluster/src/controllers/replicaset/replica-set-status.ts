import type { Frozen } from 'setpoint'
import { selects, type ReplicaSet } from 'setpoint/kinds'
import { formatTime } from '../../object/index.ts'
import { isAvailable, isReady, type PodObject } from '../pods/pod-state.ts'

type ReplicaSetStatus = NonNullable<Frozen<ReplicaSet>['status']>

interface Observation {
  readonly set: Frozen<ReplicaSet>
  readonly active: readonly PodObject[]
  readonly terminating: number
  /** Why pods could not be created or deleted. */
  readonly failure: { readonly reason: string; readonly message: string } | undefined
  readonly nowMs: number
}

/** The status of a ReplicaSet. Counts of zero are omitted, as the API omits them. */
export function replicaSetStatus(observation: Observation): ReplicaSetStatus {
  const { set, active, terminating, nowMs } = observation
  const { minReadySeconds = 0, template } = set.spec
  const templateLabels = template?.metadata?.labels ?? {}
  const count = (isCounted: (pod: PodObject) => boolean): number => active.filter(isCounted).length
  const fullyLabeledReplicas = count(({ metadata }) => selects(templateLabels, metadata.labels))
  const readyReplicas = count(isReady)
  const availableReplicas = count((pod) => isAvailable(pod, minReadySeconds, nowMs))
  const conditions = conditionsOf(observation)
  return {
    replicas: active.length,
    ...(fullyLabeledReplicas === 0 ? {} : { fullyLabeledReplicas }),
    ...(readyReplicas === 0 ? {} : { readyReplicas }),
    ...(availableReplicas === 0 ? {} : { availableReplicas }),
    terminatingReplicas: terminating,
    observedGeneration: set.metadata.generation ?? 0,
    ...(conditions.length === 0 ? {} : { conditions }),
  }
}

/** A failure keeps its first reason and message until it is over. */
function conditionsOf({
  set,
  failure,
  nowMs,
}: Observation): NonNullable<ReplicaSetStatus['conditions']> {
  const known = set.status?.conditions ?? []
  const others = known.filter(({ type }) => type !== 'ReplicaFailure')
  if (failure === undefined) return others
  if (others.length < known.length) return known
  const lastTransitionTime = formatTime(nowMs)
  return [...others, { type: 'ReplicaFailure', status: 'True', lastTransitionTime, ...failure }]
}
