import type { PodView } from '../behaviour/index.ts'
import { type ResourceNumbers, resourceNumbersOf } from './resource-numbers.ts'
import { portsClash } from './host-ports.ts'
import {
  satisfiesNodeRequirements,
  type NodeView,
} from '../../controllers/placement/node-selector.ts'
import type { NodeUsage } from './placements.ts'
import { toleratesUnschedulable, untolerated } from '../../controllers/placement/taints.ts'
import { resolvableFailure, type FilterFailure, filterFailure } from './filter-failure.ts'

/** The requirements of a pod, computed once for all nodes. */
interface PodNeeds {
  readonly pod: PodView
  readonly requests: ResourceNumbers
  readonly ports: readonly string[]
}

/**
 * Why a pod cannot run on a node because of the node and its pods. The first filter that refuses is
 * reported, in the order of the real scheduler.
 */
export function fits(needs: PodNeeds, node: NodeView, usage: NodeUsage): FilterFailure | undefined {
  const { pod } = needs
  if (node.spec.unschedulable === true && !toleratesUnschedulable(pod)) {
    return filterFailure('node(s) were unschedulable')
  }
  if (untolerated(pod, node, ['NoSchedule', 'NoExecute']).length > 0) {
    return filterFailure('node(s) had untolerated taint(s)')
  }
  if (!satisfiesNodeRequirements(pod, node))
    return filterFailure("node(s) didn't match Pod's node affinity/selector")
  if (usage.hasPort(needs.ports, portsClash)) {
    return resolvableFailure("node(s) didn't have free ports for the requested pod ports")
  }
  return fitsResources(needs.requests, allocatableOf(node), usage)
}

function fitsResources(
  requests: ResourceNumbers,
  has: ResourceNumbers,
  usage: NodeUsage,
): FilterFailure | undefined {
  const reasons: string[] = []
  let isResolvable = true
  if (usage.pods.size + 1 > (has.get('pods') ?? 0)) reasons.push('Too many pods')
  for (const [name, requested] of requests) {
    const all = has.get(name) ?? 0
    if (requested === 0 || requested <= all - (usage.amounts.get(name) ?? 0)) continue
    reasons.push(`Insufficient ${name}`)
    if (requested > all) isResolvable = false
  }
  return reasons.length === 0 ? undefined : { reasons, isResolvable }
}

const known = new WeakMap<object, ResourceNumbers>()

/** The allocatable amounts of a node, computed once for every version of the node. */
export function allocatableOf({ status }: NodeView): ResourceNumbers {
  const { allocatable } = status ?? {}
  if (allocatable === undefined) return new Map()
  let amounts = known.get(allocatable)
  if (amounts === undefined) {
    amounts = resourceNumbersOf(allocatable)
    known.set(allocatable, amounts)
  }
  return amounts
}
