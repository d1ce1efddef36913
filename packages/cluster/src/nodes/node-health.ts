import type { Frozen } from 'setpoint'
import type { Lease, Node, NodeCondition } from 'setpoint/kinds'
import { formatTime } from '../object/index.ts'

/**
 * How long a node may be without heartbeat, and how long after its creation if it has never
 * reported.
 */
const graceMs = 50_000
const startGraceMs = 60_000

/** The condition types that the kubelet reports. */
const reported = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure']

/** The last heartbeat of a node, and when it was observed. */
export interface NodeHealth {
  readonly heartbeat: string | undefined
  readonly renewTime: string | undefined
  readonly seenMs: number
}

export function readyCondition({ status }: Frozen<Node>): Frozen<NodeCondition> | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready')
}

/** Updates the health of a node. Only a change of the reported times counts, not their values. */
export function nextHealth(
  known: NodeHealth | undefined,
  { node, lease }: { readonly node: Frozen<Node>; readonly lease: Frozen<Lease> | undefined },
  nowMs: number,
): NodeHealth {
  const heartbeat = readyCondition(node)?.lastHeartbeatTime ?? undefined
  const renewTime = lease?.spec.renewTime ?? undefined
  const { creationTimestamp = '' } = node.metadata
  const hasNewHeartbeat =
    known === undefined
      ? heartbeat !== undefined || renewTime !== undefined
      : heartbeat !== known.heartbeat || (renewTime ?? '') > (known.renewTime ?? '')
  const seenMs = hasNewHeartbeat ? nowMs : (known?.seenMs ?? Date.parse(creationTimestamp))
  return { heartbeat, renewTime: renewTime ?? known?.renewTime, seenMs }
}

/**
 * When a node without further heartbeats counts as lost, in epoch milliseconds. In virtual time the
 * simulated nodes have longer Leases and report less often. The default Lease of 40 s results in
 * the default of 50 s.
 */
export function lostAtMs(
  node: Frozen<Node>,
  { seenMs }: NodeHealth,
  lease: Frozen<Lease> | undefined,
): number {
  const usualMs = readyCondition(node) === undefined ? startGraceMs : graceMs
  return seenMs + Math.max(usualMs, (lease?.spec.leaseDurationSeconds ?? 0) * 1_250)
}

/** The conditions of a lost node; `undefined` if it is Unknown already. */
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
      type,
      status: 'Unknown',
      reason: 'NodeStatusNeverUpdated',
      message: 'Kubelet never posted node status.',
      lastHeartbeatTime,
      lastTransitionTime,
    }))
  return [...lost, ...never]
}
