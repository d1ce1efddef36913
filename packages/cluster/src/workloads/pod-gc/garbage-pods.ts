import type { Frozen } from 'setpoint'
import type { Node } from 'setpoint/kinds'
import { isTerminating } from '../../object/index.ts'
import { isFinished, type PodObject } from '../pods/pod-state.ts'

/** How long a pod may be without its node, or wait for a node to end it, before it is looked at. */
export const quarantineMs = 40_000
export const checkMs = 20_000

const outOfService = 'node.kubernetes.io/out-of-service'

/** Whether a pod that is being deleted waits for somebody who will not come: it has no node, or its node is given up. */
export function isAbandoned(pod: PodObject, node: Frozen<Node> | undefined): boolean {
  if (!isTerminating(pod)) return false
  if (pod.spec.nodeName === undefined) return true
  if (node === undefined) return false
  const isReady = node.status?.conditions?.some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  )
  return isReady !== true && (node.spec.taints ?? []).some(({ key }) => key === outOfService)
}

/** Those of the pods that have ended which are too many: evicted ones go first, then the oldest. */
export function surplusPods(pods: readonly PodObject[], most: number): PodObject[] {
  const ended = pods.filter(isFinished)
  if (ended.length <= most) return []
  const rank = (pod: PodObject): string => {
    const { creationTimestamp = '', name } = pod.metadata
    return `${pod.status?.reason === 'Evicted' ? 0 : 1} ${creationTimestamp} ${name}`
  }
  return ended
    .map((pod) => ({ pod, rank: rank(pod) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, ended.length - most)
    .map(({ pod }) => pod)
}
