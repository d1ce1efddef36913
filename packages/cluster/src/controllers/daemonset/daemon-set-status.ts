import { isAvailable, isReady } from '../pods/pod-state.ts'
import { byAge, isUpdated, type DaemonSetObject } from './daemon-pod.ts'
import { fitnessOf } from './node-fitness.ts'
import type { DaemonState } from './node-plan.ts'

type DaemonSetStatus = NonNullable<DaemonSetObject['status']>

/** The status of a set, counted in nodes. On a node with several pods the oldest pod counts. */
export function daemonSetStatus(state: DaemonState, collisionCount?: number): DaemonSetStatus {
  const { set, nodes, podsOn, hash, nowMs } = state
  const { minReadySeconds = 0 } = set.spec
  const oldestOn = (name: string) => (podsOn.get(name) ?? []).toSorted(byAge)[0]
  const seen = nodes.map((node) => ({
    shouldRun: fitnessOf(set, node).shouldRun,
    pod: oldestOn(node.metadata.name),
  }))
  const desired = seen.filter(({ shouldRun }) => shouldRun)
  const pods = desired.flatMap(({ pod }) => pod ?? [])
  const ready = pods.filter(isReady)
  const available = ready.filter((pod) => isAvailable(pod, minReadySeconds, nowMs)).length
  const updated = pods.filter((pod) => isUpdated(pod, set, hash)).length
  const missing = desired.length - available
  const { conditions } = set.status ?? {}
  return {
    currentNumberScheduled: pods.length,
    numberMisscheduled: seen.filter(({ shouldRun, pod }) => !shouldRun && pod !== undefined).length,
    desiredNumberScheduled: desired.length,
    numberReady: ready.length,
    observedGeneration: set.metadata.generation ?? 0,
    ...(updated !== 0 && { updatedNumberScheduled: updated }),
    ...(available !== 0 && { numberAvailable: available }),
    ...(missing !== 0 && { numberUnavailable: missing }),
    ...(collisionCount !== undefined && { collisionCount }),
    ...(conditions && { conditions }),
  }
}
