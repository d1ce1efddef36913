import type { Frozen } from 'setpoint'
import type { Node, Taint } from 'setpoint/kinds'
import { formatTime } from '../object/index.ts'

const unschedulable = 'node.kubernetes.io/unschedulable'
const notReady = 'node.kubernetes.io/not-ready'
const unreachable = 'node.kubernetes.io/unreachable'

/** Which status of which condition causes which NoSchedule taint. */
const byCondition: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: notReady, Unknown: unreachable },
  MemoryPressure: { True: 'node.kubernetes.io/memory-pressure' },
  DiskPressure: { True: 'node.kubernetes.io/disk-pressure' },
  NetworkUnavailable: { True: 'node.kubernetes.io/network-unavailable' },
  PIDPressure: { True: 'node.kubernetes.io/pid-pressure' },
}

const noScheduleKeys = new Set([
  unschedulable,
  ...Object.values(byCondition).flatMap((keys) => Object.values(keys)),
])

/** The change of the NoExecute taint of a failing node. */
export type EvictionTaint = 'keep' | 'set' | 'clear'

/**
 * The taints of a node by its conditions and `unschedulable`; `undefined` if nothing has to change.
 * New taints are appended, other taints are kept. The caller decides about the NoExecute taint,
 * because that depends on all nodes.
 */
export function nextTaints(
  { spec, status }: Frozen<Node>,
  evictionTaint: EvictionTaint,
  nowMs: number,
): Taint[] | undefined {
  const keys = (status?.conditions ?? []).flatMap(
    ({ type, status: is }) => byCondition[type]?.[is] ?? [],
  )
  if (spec.unschedulable === true) keys.push(unschedulable)
  const desired = keys.map((key): Pick<Taint, 'key' | 'effect'> => ({ key, effect: 'NoSchedule' }))
  if (evictionTaint === 'set') {
    const failing = keys.filter((key) => key === notReady || key === unreachable)
    desired.push(...failing.map((key) => ({ key, effect: 'NoExecute' as const })))
  }
  const taints = spec.taints ?? []
  const isOwn = (taint: Frozen<Taint>): boolean =>
    taint.effect === 'NoSchedule'
      ? noScheduleKeys.has(taint.key)
      : isEvictionTaint(taint) && evictionTaint !== 'keep'
  const kept = taints.filter((taint) => !isOwn(taint) || desired.some((one) => isSame(one, taint)))
  const added = desired
    .filter((one) => !taints.some((taint) => isSame(one, taint)))
    .map((one): Taint => ({ ...one, timeAdded: formatTime(nowMs) }))
  if (added.length === 0 && kept.length === taints.length) return undefined
  return [...kept.map((taint) => ({ ...taint })), ...added]
}

/** Whether a taint evicts pods because their node fails. */
export function isEvictionTaint({ key, effect }: Frozen<Taint>): boolean {
  return effect === 'NoExecute' && (key === notReady || key === unreachable)
}

function isSame(a: Pick<Taint, 'key' | 'effect'>, b: Frozen<Taint>): boolean {
  return a.key === b.key && a.effect === b.effect
}
