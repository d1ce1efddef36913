import { isAvailable, isReady, type PodObject } from '../pods/pod-state.ts'
import { revisionLabel, type StatefulSetObject } from './stateful-pod.ts'

type StatefulSetStatus = NonNullable<StatefulSetObject['status']>

/** What a status is made of. */
interface Observation {
  readonly set: StatefulSetObject
  readonly pods: readonly PodObject[]
  readonly current: string
  readonly update: string
  readonly collisionCount: number
  /** Pods of the current revision that were just told to go. */
  readonly leaving: number
  readonly nowMs: number
}

/** Whether a pod runs and takes requests. */
export function isRunningAndReady(pod: PodObject): boolean {
  return pod.status?.phase === 'Running' && isReady(pod)
}

/** How a set is doing. Once everything is updated the revision it updates to is the current one. */
export function statefulSetStatus(observation: Observation): StatefulSetStatus {
  const { set, pods, current, update, collisionCount, leaving, nowMs } = observation
  const { replicas: wanted = 1, minReadySeconds = 0, updateStrategy } = set.spec
  const ready = pods.filter(isRunningAndReady)
  const available = ready.filter((pod) => isAvailable(pod, minReadySeconds, nowMs))
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const of = (revision: string): number =>
    staying.filter(({ metadata }) => metadata.labels?.[revisionLabel] === revision).length
  const updated = of(update)
  const isComplete =
    updateStrategy?.type === 'RollingUpdate' &&
    [updated, ready.length, pods.length].every((count) => count === wanted)
  const currentReplicas = isComplete ? updated : of(current) - leaving
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
