import { isReady, readySinceMs, type PodObject } from './pod-state.ts'

interface Ranking {
  /** How many ready pods of the same workload share a node with the pod. */
  readonly neighbours: (pod: PodObject) => number
  readonly nowMs: number
}

const phases = ['Pending', 'Unknown', 'Running']

/**
 * Pods in the order in which a controller deletes surplus pods: first those that are not scheduled
 * or not ready, then a lower deletion cost, more ready pods on the same node, and a younger age.
 * Ages are compared by powers of two. The uid decides between pods of about the same age, so that
 * the newest pods of every zone are not deleted first.
 */
export function inDeletionOrder(
  pods: readonly PodObject[],
  { neighbours, nowMs }: Ranking,
): PodObject[] {
  const ageRank = (sinceMs: number): number =>
    nowMs > sinceMs ? Math.floor(Math.log2(nowMs - sinceMs)) : -1
  const measures = (pod: PodObject): (number | string)[] => {
    const readyMs = readySinceMs(pod)
    const createdMs = Date.parse(pod.metadata.creationTimestamp)
    return [
      pod.spec.nodeName === undefined ? 0 : 1,
      phases.indexOf(pod.status?.phase ?? 'Pending'),
      isReady(pod) ? 1 : 0,
      deletionCost(pod),
      -neighbours(pod),
      readyMs === undefined ? 0 : ageRank(readyMs),
      -restarts(pod),
      ageRank(createdMs),
      pod.metadata.uid,
    ]
  }
  return pods
    .map((pod) => ({ pod, by: measures(pod) }))
    .sort((left, right) => firstDifference(left.by, right.by))
    .map(({ pod }) => pod)
}

/** Counts the ready pods of each node, as input for `inDeletionOrder`. */
export function neighboursOf(related: readonly PodObject[]): Ranking['neighbours'] {
  const counts = new Map<string, number>()
  for (const pod of related) {
    const { nodeName } = pod.spec
    if (nodeName === undefined || !isReady(pod)) continue
    counts.set(nodeName, (counts.get(nodeName) ?? 0) + 1)
  }
  return ({ spec }) => (spec.nodeName === undefined ? 0 : (counts.get(spec.nodeName) ?? 0))
}

function firstDifference(
  left: readonly (number | string)[],
  right: readonly (number | string)[],
): number {
  for (const [index, value] of left.entries()) {
    const other = right[index] ?? 0
    if (value !== other) return value < other ? -1 : 1
  }
  return 0
}

/** The pod's deletion cost by its annotation; 0 if that is not an integer. */
function deletionCost({ metadata }: PodObject): number {
  const cost = metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost']
  return cost !== undefined && /^(0|-?[1-9]\d*)$/.test(cost) ? Number(cost) : 0
}

function restarts({ status }: PodObject): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount))
}
