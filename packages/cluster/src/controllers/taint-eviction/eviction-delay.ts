import type { Frozen } from 'setpoint'
import type { Taint, Toleration } from 'setpoint/kinds'
import { tolerates } from '../placement/taints.ts'

/**
 * How long a pod may stay on a node with these taints: 0 if it does not tolerate one of them,
 * Infinity if no toleration has a limit. For each taint the first matching toleration counts.
 */
export function evictionDelayMs(
  tolerations: readonly Frozen<Toleration>[],
  taints: readonly Frozen<Taint>[],
): number {
  const delays = taints.map((taint) => {
    const used = tolerations.find((toleration) => tolerates(toleration, taint))
    if (used === undefined) return 0
    return Math.max(0, used.tolerationSeconds ?? Infinity) * 1_000
  })
  return Math.min(Infinity, ...delays)
}

/** The taints that evict pods. */
export function evictingTaints(taints: readonly Frozen<Taint>[] = []): readonly Frozen<Taint>[] {
  return taints.filter(({ effect }) => effect === 'NoExecute')
}
