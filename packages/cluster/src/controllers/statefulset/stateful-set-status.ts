import { isTerminating } from '../../object/index.ts'
import { isAvailable, isReady, type PodObject } from '../pods/pod-state.ts'
import { revisionLabel, type StatefulSetObject } from './stateful-pod.ts'

type StatefulSetStatus = NonNullable<StatefulSetObject['status']>

interface Observation {
  readonly set: StatefulSetObject
  readonly pods: readonly PodObject[]
  readonly current: string
  readonly update: string
  readonly collisionCount: number
  /** Pods of the current revision that this reconcile deleted. */
  readonly deleted: number
  readonly nowMs: number
}

/** Whether a pod is in the phase Running and ready. */
export function isRunningAndReady(pod: PodObject): boolean {
  return pod.status?.phase === 'Running' && isReady(pod)
}

/** The status of a set. After a complete update the update revision becomes the current one. */
export function statefulSetStatus(observation: Observation): StatefulSetStatus {
  const { set, pods, current, update, collisionCount, deleted, nowMs } = observation
  const { replicas: desired = 1, minReadySeconds = 0, updateStrategy } = set.spec
  const ready = pods.filter(isRunningAndReady)
  const available = ready.filter((pod) => isAvailable(pod, minReadySeconds, nowMs))
  const staying = pods.filter((pod) => !isTerminating(pod))
  const of = (revision: string): number =>
    staying.filter(({ metadata }) => metadata.labels?.[revisionLabel] === revision).length
  const updated = of(update)
  const isComplete =
    updateStrategy?.type === 'RollingUpdate' &&
    [updated, ready.length, pods.length].every((count) => count === desired)
  const currentReplicas = isComplete ? updated : of(current) - deleted
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: pods.length,
    ...(ready.length !== 0 && { readyReplicas: ready.length }),
    ...(currentReplicas !== 0 && { currentReplicas }),
    ...(updated !== 0 && { updatedReplicas: updated }),
    currentRevision: isComplete ? update : current,
    updateRevision: update,
    collisionCount,
    availableReplicas: available.length,
  }
}
