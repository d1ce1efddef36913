import type { Frozen } from 'setpoint'
import type { Node, Taint } from 'setpoint/kinds'
import { formatTime } from '../object/index.ts'

const unschedulable = 'node.kubernetes.io/unschedulable'
const notReady = 'node.kubernetes.io/not-ready'
const unreachable = 'node.kubernetes.io/unreachable'

/** Which status of which condition keeps pods away, and by which taint. */
const byCondition: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: notReady, Unknown: unreachable },
  MemoryPressure: { True: 'node.kubernetes.io/memory-pressure' },
  DiskPressure: { True: 'node.kubernetes.io/disk-pressure' },
  NetworkUnavailable: { True: 'node.kubernetes.io/network-unavailable' },
  PIDPressure: { True: 'node.kubernetes.io/pid-pressure' },
}

const keepingAway = new Set([
  unschedulable,
  ...Object.values(byCondition).flatMap((keys) => Object.values(keys)),
])

/** What becomes of the taint that drives pods away from a node that fails. */
export type Expelling = 'keep' | 'set' | 'clear'

/**
 * The taints a node should have by its conditions and by being closed, or `undefined` when it has them. New ones come
 * last, those of others stay. Whether its pods are driven away is decided by who looks at all nodes.
 */
export function nextTaints(
  { spec, status }: Frozen<Node>,
  expelling: Expelling,
  nowMs: number,
): Taint[] | undefined {
  const keys = (status?.conditions ?? []).flatMap(
    ({ type, status: is }) => byCondition[type]?.[is] ?? [],
  )
  if (spec.unschedulable === true) keys.push(unschedulable)
  const wanted = keys.map((key): Pick<Taint, 'key' | 'effect'> => ({ key, effect: 'NoSchedule' }))
  if (expelling === 'set') {
    const failing = keys.filter((key) => key === notReady || key === unreachable)
    wanted.push(...failing.map((key) => ({ key, effect: 'NoExecute' as const })))
  }
  const taints = spec.taints ?? []
  const isOwn = (taint: Frozen<Taint>): boolean =>
    taint.effect === 'NoSchedule'
      ? keepingAway.has(taint.key)
      : isExpelling(taint) && expelling !== 'keep'
  const kept = taints.filter((taint) => !isOwn(taint) || wanted.some((one) => isSame(one, taint)))
  const added = wanted
    .filter((one) => !taints.some((taint) => isSame(one, taint)))
    .map((one): Taint => ({ ...one, timeAdded: formatTime(nowMs) }))
  if (added.length === 0 && kept.length === taints.length) return undefined
  return [...kept.map((taint) => ({ ...taint })), ...added]
}

/** Whether a taint drives pods away because their node fails. */
export function isExpelling({ key, effect }: Frozen<Taint>): boolean {
  return effect === 'NoExecute' && (key === notReady || key === unreachable)
}

function isSame(a: Pick<Taint, 'key' | 'effect'>, b: Frozen<Taint>): boolean {
  return a.key === b.key && a.effect === b.effect
}
