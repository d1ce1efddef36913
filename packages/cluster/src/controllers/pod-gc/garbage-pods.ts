import type { Frozen } from 'setpoint'
import type { Node } from 'setpoint/kinds'
import { isTerminating } from '../../object/index.ts'
import { isFinished, type PodObject } from '../pods/pod-state.ts'

/** How long a pod may be without its node before it is deleted. */
export const quarantineMs = 40_000
export const checkMs = 20_000

const outOfService = 'node.kubernetes.io/out-of-service'

/**
 * Whether no kubelet will finish a terminating pod: it has no node, or its node is out of service.
 */
export function isAbandoned(pod: PodObject, node: Frozen<Node> | undefined): boolean {
  if (!isTerminating(pod)) return false
  if (pod.spec.nodeName === undefined) return true
  return node !== undefined && isOutOfService(node)
}

/** Whether a node is down, and an administrator has confirmed it with a taint. */
export function isOutOfService({ spec, status }: Frozen<Node>): boolean {
  const isReady = status?.conditions?.some(
    ({ type, status: value }) => type === 'Ready' && value === 'True',
  )
  return isReady !== true && (spec.taints ?? []).some(({ key }) => key === outOfService)
}

/** The surplus finished pods: evicted pods first, then the oldest. */
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
