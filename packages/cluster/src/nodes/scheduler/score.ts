import type { PodView } from '../behaviour/index.ts'
import { type Amounts, weightsOf } from './amounts.ts'
import { allocatableOf } from './node-filters.ts'
import { matchesTerm, type NodeView } from '../../workloads/placement/node-selector.ts'
import type { NodeUsage } from './placements.ts'
import { untolerated } from '../../workloads/placement/taints.ts'

/** What is known of a node that a pod fits on. */
export interface Candidate {
  readonly node: NodeView
  readonly usage: NodeUsage
  /** How much it is preferred because of other pods, and how many like it are near. */
  readonly affinity: number
  readonly crowd: number
}

/**
 * How good the nodes are for a pod, the best first: those with taints it should avoid come last, then its own wishes
 * count, then how much would be left. Of equals the one with fewer pods is taken, then the one whose name comes first.
 */
export function ranked(
  pod: PodView,
  requests: Amounts,
  candidates: readonly Candidate[],
): NodeView[] {
  const wishes = candidates.map(({ node }) => nodeWish(pod, node))
  const avoided = candidates.map(({ node }) => untolerated(pod, node, ['PreferNoSchedule']).length)
  const affinities = candidates.map(({ affinity }) => affinity)
  const crowds = candidates.map(({ crowd }) => crowd)
  const scored = candidates.map((candidate, index) => ({
    ...candidate,
    score:
      3 *
        share(
          -(avoided[index] ?? 0),
          avoided.map((count) => -count),
        ) +
      2 * share(wishes[index] ?? 0, wishes) +
      2 * share(affinities[index] ?? 0, affinities) +
      2 *
        share(
          -(crowds[index] ?? 0),
          crowds.map((count) => -count),
        ) +
      leftOver(requests, candidate),
  }))
  const byName = (a: NodeView, b: NodeView): number => (a.metadata.name < b.metadata.name ? -1 : 1)
  return scored
    .sort(
      (a, b) =>
        b.score - a.score || a.usage.pods.size - b.usage.pods.size || byName(a.node, b.node),
    )
    .map(({ node }) => node)
}

/** A value as a share of 100 between the least and the greatest; nothing when all are equal. */
function share(value: number, all: readonly number[]): number {
  const least = Math.min(...all)
  const greatest = Math.max(...all)
  return greatest === least ? 0 : (100 * (value - least)) / (greatest - least)
}

function nodeWish({ spec }: PodView, node: NodeView): number {
  const wishes = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
  return wishes.reduce(
    (sum, { weight, preference }) => sum + (matchesTerm(preference, node) ? weight : 0),
    0,
  )
}

/** How much of a node would be left, as a share of 100. */
function leftOver(requests: Amounts, { node, usage }: Candidate): number {
  const has = allocatableOf(node)
  const weights = weightsOf(requests)
  let total = 0
  for (const [name, wanted] of weights) {
    const all = has.get(name) ?? 0
    const used = wanted + (usage.weights.get(name) ?? 0)
    if (all > used) total += (100 * (all - used)) / all
  }
  return total / weights.size
}
