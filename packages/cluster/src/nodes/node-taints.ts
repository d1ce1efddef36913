import type { Frozen } from 'setpoint'
import type { Node, Taint } from 'setpoint/kinds'
import { formatTime } from '../object/index.ts'

const unschedulable = 'node.kubernetes.io/unschedulable'

/** Which status of which condition keeps pods away, and by which taint. */
const byCondition: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: {
    False: 'node.kubernetes.io/not-ready',
    Unknown: 'node.kubernetes.io/unreachable',
  },
  MemoryPressure: { True: 'node.kubernetes.io/memory-pressure' },
  DiskPressure: { True: 'node.kubernetes.io/disk-pressure' },
  NetworkUnavailable: { True: 'node.kubernetes.io/network-unavailable' },
  PIDPressure: { True: 'node.kubernetes.io/pid-pressure' },
}

const ownKeys = new Set([
  unschedulable,
  ...Object.values(byCondition).flatMap((keys) => Object.values(keys)),
])

/**
 * The taints a node should have by its conditions and by being closed, or `undefined` when it has them. New ones come
 * first, as the real controller puts them; those of others stay.
 */
export function nextTaints({ spec, status }: Frozen<Node>, nowMs: number): Taint[] | undefined {
  const keys = (status?.conditions ?? []).flatMap(
    ({ type, status: is }) => byCondition[type]?.[is] ?? [],
  )
  if (spec.unschedulable === true) keys.push(unschedulable)
  const taints = spec.taints ?? []
  const isOwn = ({ key, effect }: Frozen<Taint>): boolean =>
    effect === 'NoSchedule' && ownKeys.has(key)
  const kept = taints.filter((taint) => !isOwn(taint) || keys.includes(taint.key))
  const added = keys
    .filter((key) => !taints.some((taint) => isOwn(taint) && taint.key === key))
    .map((key): Taint => ({ key, effect: 'NoSchedule', timeAdded: formatTime(nowMs) }))
  if (added.length === 0 && kept.length === taints.length) return undefined
  return [...added, ...kept.map((taint) => ({ ...taint }))]
}
