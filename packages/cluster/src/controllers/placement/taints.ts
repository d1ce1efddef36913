import type { Frozen } from 'setpoint'
import type { PodSpec, Taint, Toleration } from 'setpoint/kinds'
import type { NodeView } from './node-selector.ts'

type Effect = Taint['effect']

/** The tolerations of a pod. */
interface Tolerating {
  readonly spec: Pick<Frozen<PodSpec>, 'tolerations'>
}

const unschedulable = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } as const

/** The taints of a node with these effects that a pod does not tolerate. */
export function untolerated(
  pod: Tolerating,
  node: NodeView,
  effects: readonly Effect[],
): readonly Frozen<Taint>[] {
  const taints = node.spec.taints ?? []
  return taints.filter((taint) => effects.includes(taint.effect) && !isTolerated(pod, taint))
}

/** Whether a pod may run on an unschedulable node. */
export function toleratesUnschedulable(pod: Tolerating): boolean {
  return isTolerated(pod, unschedulable)
}

function isTolerated({ spec }: Tolerating, taint: Frozen<Taint>): boolean {
  return (spec.tolerations ?? []).some((toleration) => tolerates(toleration, taint))
}

/** Whether a toleration matches a taint. */
export function tolerates(toleration: Frozen<Toleration>, taint: Frozen<Taint>): boolean {
  const { key = '', operator = 'Equal', value = '', effect } = toleration
  if (effect !== undefined && effect !== taint.effect) return false
  if (key !== '' && key !== taint.key) return false
  if (operator === 'Exists') return true
  const own = taint.value ?? ''
  if (operator === 'Equal') return value === own
  const [limit, given] = [Number.parseInt(value, 10), Number.parseInt(own, 10)]
  return operator === 'Gt' ? given > limit : given < limit
}
