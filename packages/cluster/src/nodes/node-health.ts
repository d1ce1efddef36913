import type { Frozen } from 'setpoint'
import type { Lease, Node, NodeCondition } from 'setpoint/kinds'
import { formatTime } from '../object/index.ts'

/** How long a node may be silent; and how long after its creation if it has never said anything. */
const graceMs = 50_000
const startGraceMs = 60_000

/** What a kubelet says about its node, besides what others say. */
const reported = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure']

/** When a sign of life of a node was seen last, and which. */
export interface NodeHealth {
  readonly heartbeat: string | undefined
  readonly renewTime: string | undefined
  readonly seenMs: number
}

/** The condition that says whether a node can run pods. */
export function readyCondition({ status }: Frozen<Node>): Frozen<NodeCondition> | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready')
}

/** What is known of a node after looking at it. Only that something changed counts, not the times that it says. */
export function nextHealth(
  known: NodeHealth | undefined,
  { node, lease }: { readonly node: Frozen<Node>; readonly lease: Frozen<Lease> | undefined },
  nowMs: number,
): NodeHealth {
  const heartbeat = readyCondition(node)?.lastHeartbeatTime ?? undefined
  const renewTime = lease?.spec.renewTime ?? undefined
  const { creationTimestamp = '' } = node.metadata
  const isNews =
    known === undefined
      ? heartbeat !== undefined || renewTime !== undefined
      : heartbeat !== known.heartbeat || (renewTime ?? '') > (known.renewTime ?? '')
  const seenMs = isNews ? nowMs : (known?.seenMs ?? Date.parse(creationTimestamp))
  return { heartbeat, renewTime: renewTime ?? known?.renewTime, seenMs }
}

/**
 * When a node that stays silent counts as lost, as epoch milliseconds. In virtual time the nodes that are played say in
 * their Leases that they are heard of less often; the usual 40 s of a Lease make the usual 50 s.
 */
export function lostAtMs(
  node: Frozen<Node>,
  { seenMs }: NodeHealth,
  lease: Frozen<Lease> | undefined,
): number {
  const usualMs = readyCondition(node) === undefined ? startGraceMs : graceMs
  return seenMs + Math.max(usualMs, (lease?.spec.leaseDurationSeconds ?? 0) * 1_250)
}

/** The conditions of a node that nobody hears of, or `undefined` if they say so already. */
export function lostConditions(
  node: Frozen<Node>,
  nowMs: number,
): Frozen<NodeCondition>[] | undefined {
  if (readyCondition(node)?.status === 'Unknown') return undefined
  const present = node.status?.conditions ?? []
  const lastTransitionTime = formatTime(nowMs)
  const lost = present.map((condition): Frozen<NodeCondition> => {
    if (!reported.includes(condition.type) || condition.status === 'Unknown') return condition
    const [reason, message] = ['NodeStatusUnknown', 'Kubelet stopped posting node status.']
    return { ...condition, status: 'Unknown', reason, message, lastTransitionTime }
  })
  const { creationTimestamp: lastHeartbeatTime = lastTransitionTime } = node.metadata
  const never = reported
    .filter((type) => !present.some((condition) => condition.type === type))
    .map((type) => ({
      ...{ type, status: 'Unknown', reason: 'NodeStatusNeverUpdated' },
      ...{ message: 'Kubelet never posted node status.', lastHeartbeatTime, lastTransitionTime },
    }))
  return [...lost, ...never]
}
