import type { PodView } from '../behaviour/index.ts'
import { podRequests } from './resource-numbers.ts'
import { portsOf } from './host-ports.ts'
import { fits } from './node-filters.ts'
import type { NodeView } from '../../controllers/placement/node-selector.ts'
import { affinityNodes } from './affinity-nodes.ts'
import { affinityWeight, PodAffinity, type ClusterState } from './pod-affinity.ts'
import { type Candidate, ranked } from './score.ts'
import { TopologySpread } from './topology-spread.ts'
import { type FilterFailure, filterFailure } from './filter-failure.ts'

/** The requirements of a pod's volumes. */
export interface VolumeRequirements {
  /** Why the pod cannot run on any node. */
  readonly problem?: string | undefined
  /** Why it cannot run on a node. */
  readonly fits: (node: NodeView) => FilterFailure | undefined
}

/**
 * The best node for a pod, or the reason why there is none, with the message of the real scheduler.
 */
type Choice = { readonly node: NodeView } | { readonly message: string }

export function chooseNode(
  pod: PodView,
  cluster: ClusterState,
  volumes: VolumeRequirements,
): Choice {
  const nodes = [...cluster.nodes.values()]
  if (nodes.length === 0) return { message: 'no nodes available to schedule pods' }
  const named = affinityNodes(pod)
  const problem = named?.size === 0 ? 'pod affinity terms conflict' : volumes.problem
  if (problem !== undefined) return { message: `${noneOf(nodes.length)}: ${problem}. not found` }
  const needs = { pod, requests: podRequests(pod), ports: portsOf(pod) }
  const affinity = new PodAffinity(pod, cluster)
  const spread = new TopologySpread(pod, nodes, cluster.placements)
  const failures: FilterFailure[] = []
  const candidates: Candidate[] = []
  for (const node of nodes) {
    const { name } = node.metadata
    const usage = cluster.placements.on(name)
    const failure =
      named?.has(name) === false
        ? filterFailure("node(s) didn't satisfy plugin(s) [NodeAffinity]")
        : (fits(needs, node, usage) ??
          volumes.fits(node) ??
          spread.fits(node) ??
          affinity.fits(node))
    if (failure !== undefined) failures.push(failure)
    else {
      const weight = affinityWeight(pod, node, cluster)
      candidates.push({ node, usage, affinity: weight, matchingPods: spread.matchingPods(node) })
    }
  }
  const [best] = ranked(pod, needs.requests, candidates)
  return best === undefined ? { message: unschedulable(pod, failures) } : { node: best }
}

/**
 * The message for a pod without a node: the reasons with their number of nodes, then why preemption
 * does not help.
 */
function unschedulable({ spec }: PodView, failures: readonly FilterFailure[]): string {
  const none = noneOf(failures.length)
  const reasons = histogram(failures.flatMap((one) => one.reasons))
  const preemption =
    spec.preemptionPolicy === 'Never'
      ? 'not eligible due to preemptionPolicy=Never.'
      : `${none}: ${histogram(
          failures.map(({ isResolvable }) =>
            isResolvable
              ? 'No preemption victims found for incoming pod'
              : 'Preemption is not helpful for scheduling',
          ),
        )}.`
  return `${none}: ${reasons}. no new claims to deallocate, preemption: ${preemption}`
}

function noneOf(count: number): string {
  return `0/${count} nodes are available`
}

/** `1 Insufficient cpu, 2 node(s) were unschedulable`: sorted as text. */
function histogram(reasons: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ')
}
