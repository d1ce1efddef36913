import { ownValue } from '../../object/index.ts'
import type { Frozen } from 'setpoint'
import { type AnyLabelSelector, selects, type TopologySpreadConstraint } from 'setpoint/kinds'
import type { PodView } from '../behaviour/index.ts'
import {
  satisfiesNodeRequirements,
  type NodeView,
} from '../../controllers/placement/node-selector.ts'
import type { Placements } from './placements.ts'
import { untolerated } from '../../controllers/placement/taints.ts'
import { resolvableFailure, type FilterFailure, filterFailure } from './filter-failure.ts'

type Constraint = Frozen<TopologySpreadConstraint>

interface Spread {
  readonly constraint: Constraint
  /** The number of matching pods in each topology domain. */
  readonly counts: ReadonlyMap<string, number>
  readonly least: number
  /** 1 if the constraint's selector matches the pod itself. */
  readonly own: 0 | 1
}

const mismatch = "node(s) didn't match pod topology spread constraints"

/** The topology spread of a pod, computed once and checked for every node. */
export class TopologySpread {
  readonly #hard: readonly Spread[]
  readonly #soft: readonly Spread[]

  constructor(pod: PodView, nodes: readonly NodeView[], placements: Placements) {
    const constraints = pod.spec.topologySpreadConstraints ?? []
    const spreads = (when: Constraint['whenUnsatisfiable']): Spread[] => {
      const ofKind = constraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === when)
      const hasAllKeys = ({ metadata: { labels = {} } }: NodeView): boolean =>
        ofKind.every(({ topologyKey }) => labels[topologyKey] !== undefined)
      const eligible = ofKind.length === 0 ? [] : nodes.filter(hasAllKeys)
      return ofKind.map((constraint) => spreadOf(pod, constraint, { eligible, placements }))
    }
    this.#hard = spreads('DoNotSchedule')
    this.#soft = spreads('ScheduleAnyway')
  }

  /** Why a pod cannot run on a node because of too many matching pods. */
  fits({ metadata: { labels = {} } }: NodeView): FilterFailure | undefined {
    for (const { constraint, counts, least, own } of this.#hard) {
      const place = labels[constraint.topologyKey]
      if (place === undefined) return filterFailure(`${mismatch} (missing required label)`)
      const skew = (counts.get(place) ?? 0) + own - least
      if (skew > constraint.maxSkew) return resolvableFailure(mismatch)
    }
    return undefined
  }

  /** The number of matching pods in the node's topology domains; fewer are better. */
  matchingPods({ metadata: { labels = {} } }: NodeView): number {
    return this.#soft.reduce((sum, { constraint, counts }) => {
      const place = labels[constraint.topologyKey]
      return sum + (place === undefined ? 0 : (counts.get(place) ?? 0))
    }, 0)
  }
}

function spreadOf(
  pod: PodView,
  constraint: Constraint,
  { eligible, placements }: { eligible: readonly NodeView[]; placements: Placements },
): Spread {
  const { topologyKey, minDomains = 1 } = constraint
  const selector = selectorOf(pod, constraint)
  const counts = new Map<string, number>()
  for (const node of eligible) {
    if (!isIncluded(pod, constraint, node)) continue
    const place = node.metadata.labels?.[topologyKey] ?? ''
    let count = counts.get(place) ?? 0
    for (const placed of placements.on(node.metadata.name).pods.values()) {
      const isSame = placed.namespace === pod.metadata.namespace && !placed.isTerminating
      if (isSame && selects(selector, placed.labels)) count += 1
    }
    counts.set(place, count)
  }
  return {
    constraint,
    counts,
    least: counts.size < minDomains ? 0 : Math.min(...counts.values()),
    own: selects(selector, pod.metadata.labels) ? 1 : 0,
  }
}

/**
 * Whether the pods of a node count. By default nodes that do not match the pod's node affinity are
 * excluded.
 */
function isIncluded(pod: PodView, constraint: Constraint, node: NodeView): boolean {
  const { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' } = constraint
  if (nodeAffinityPolicy === 'Honor' && !satisfiesNodeRequirements(pod, node)) return false
  return (
    nodeTaintsPolicy === 'Ignore' ||
    untolerated(pod, node, ['NoSchedule', 'NoExecute']).length === 0
  )
}

/** The selector of counted pods, extended by the labels of matchLabelKeys. */
function selectorOf(
  { metadata: { labels = {} } }: PodView,
  { labelSelector, matchLabelKeys = [] }: Constraint,
): AnyLabelSelector | undefined {
  if (labelSelector === undefined) return undefined
  const { matchLabels = {}, ...rest } = labelSelector
  const own = matchLabelKeys.flatMap((key): [string, string][] => {
    const value = ownValue(labels, key)
    return value === undefined ? [] : [[key, value]]
  })
  return { ...rest, matchLabels: { ...matchLabels, ...Object.fromEntries(own) } }
}
