import type { PodView } from '../behaviour/index.ts'
import { type ResourceNumbers, weightsOf } from './resource-numbers.ts'
import { allocatableOf } from './node-filters.ts'
import { matchesTerm, type NodeView } from '../../controllers/placement/node-selector.ts'
import type { NodeUsage } from './placements.ts'
import { untolerated } from '../../controllers/placement/taints.ts'

/** A node that a pod fits on. */
export interface Candidate {
  readonly node: NodeView
  readonly usage: NodeUsage
  /**
   * The preference because of other pods, and the number of matching pods in its topology domains.
   */
  readonly affinity: number
  readonly matchingPods: number
}

/**
 * The nodes for a pod, the best first: nodes with PreferNoSchedule taints come last, then
 * preferences count, then the free resources. Of equal nodes the one with fewer pods comes first,
 * then the first by name.
 */
export function ranked(
  pod: PodView,
  requests: ResourceNumbers,
  candidates: readonly Candidate[],
): NodeView[] {
  const preferences = candidates.map(({ node }) => nodePreference(pod, node))
  const avoided = candidates.map(({ node }) => untolerated(pod, node, ['PreferNoSchedule']).length)
  const affinities = candidates.map(({ affinity }) => affinity)
  const matchingCounts = candidates.map(({ matchingPods }) => matchingPods)
  const scored = candidates.map((candidate, index) => ({
    ...candidate,
    score:
      3 *
        share(
          -(avoided[index] ?? 0),
          avoided.map((count) => -count),
        ) +
      2 * share(preferences[index] ?? 0, preferences) +
      2 * share(affinities[index] ?? 0, affinities) +
      2 *
        share(
          -(matchingCounts[index] ?? 0),
          matchingCounts.map((count) => -count),
        ) +
      freeShare(requests, candidate),
  }))
  const byName = (a: NodeView, b: NodeView): number => (a.metadata.name < b.metadata.name ? -1 : 1)
  return scored
    .sort(
      (a, b) =>
        b.score - a.score || a.usage.pods.size - b.usage.pods.size || byName(a.node, b.node),
    )
    .map(({ node }) => node)
}

/** A value on a scale from 0 to 100 between the least and the greatest; 0 if all are equal. */
function share(value: number, all: readonly number[]): number {
  const least = Math.min(...all)
  const greatest = Math.max(...all)
  return greatest === least ? 0 : (100 * (value - least)) / (greatest - least)
}

function nodePreference({ spec }: PodView, node: NodeView): number {
  const preferences =
    spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
  return preferences.reduce(
    (sum, { weight, preference }) => sum + (matchesTerm(preference, node) ? weight : 0),
    0,
  )
}

/** The free resources of a node with this pod, on a scale from 0 to 100. */
function freeShare(requests: ResourceNumbers, { node, usage }: Candidate): number {
  const has = allocatableOf(node)
  const weights = weightsOf(requests)
  let total = 0
  for (const [name, requested] of weights) {
    const all = has.get(name) ?? 0
    const used = requested + (usage.weights.get(name) ?? 0)
    if (all > used) total += (100 * (all - used)) / all
  }
  return total / weights.size
}
