import { ownValue } from '../../object/index.ts'
import type { Frozen } from 'setpoint'
import { type PodAffinityTerm, selects } from 'setpoint/kinds'
import type { PodView } from '../behaviour/index.ts'
import type { NodeView } from '../../controllers/placement/node-selector.ts'
import type { PlacedPod, Placements } from './placements.ts'
import { resolvableFailure, type FilterFailure, filterFailure } from './filter-failure.ts'

type Term = Frozen<PodAffinityTerm>
type Labels = Readonly<Record<string, string>>

/** The cluster state that affinity terms are compared with. */
export interface ClusterState {
  readonly placements: Placements
  readonly nodes: ReadonlyMap<string, NodeView>
  readonly namespaceLabels: (namespace: string) => Labels
}

interface LabelledPod {
  readonly namespace: string
  readonly labels: Labels
}

/** The pod affinity of one pod, computed once and checked for every node. */
export class PodAffinity {
  readonly #pod: PodView
  readonly #cluster: ClusterState
  readonly #near: readonly Set<string>[]
  readonly #away: readonly Set<string>[]
  /** `key=value` of node labels: the topology domains where a pod has anti-affinity to this pod. */
  readonly #rejecting = new Set<string>()

  constructor(pod: PodView, cluster: ClusterState) {
    this.#pod = pod
    this.#cluster = cluster
    this.#near = this.#affinityTerms.map((term) => this.#domainsOf(term))
    this.#away = this.#antiAffinityTerms.map((term) => this.#domainsOf(term))
    const self = labelledPod(pod)
    for (const { node, namespace, antiAffinityTerms } of cluster.placements.withAntiAffinity) {
      for (const term of antiAffinityTerms) {
        const value = cluster.nodes.get(node)?.metadata.labels?.[term.topologyKey]
        if (value === undefined || !this.#termMatches(term, namespace, self)) continue
        this.#rejecting.add(`${term.topologyKey}=${value}`)
      }
    }
  }

  /** Why a pod cannot run on a node because of other pods. */
  fits({ metadata: { labels = {} } }: NodeView): FilterFailure | undefined {
    if (!this.#satisfiesAffinity(labels))
      return filterFailure("node(s) didn't match pod affinity rules")
    const violatesAntiAffinity = this.#antiAffinityTerms.some(({ topologyKey }, index) =>
      this.#away[index]?.has(labels[topologyKey] ?? ''),
    )
    if (violatesAntiAffinity)
      return resolvableFailure("node(s) didn't match pod anti-affinity rules")
    const isRejected =
      this.#rejecting.size > 0 &&
      Object.entries(labels).some(([key, value]) => this.#rejecting.has(`${key}=${value}`))
    return isRejected
      ? resolvableFailure("node(s) didn't satisfy existing pods anti-affinity rules")
      : undefined
  }

  get #affinityTerms(): readonly Term[] {
    const { podAffinity } = this.#pod.spec.affinity ?? {}
    return podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  }

  get #antiAffinityTerms(): readonly Term[] {
    const { podAntiAffinity } = this.#pod.spec.affinity ?? {}
    return podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  }

  #satisfiesAffinity(labels: Labels): boolean {
    if (this.#affinityTerms.some(({ topologyKey }) => labels[topologyKey] === undefined))
      return false
    const isNear = this.#affinityTerms.every(({ topologyKey }, index) =>
      this.#near[index]?.has(labels[topologyKey] ?? ''),
    )
    // The first pod of a group with affinity to itself may run anywhere.
    return isNear || (this.#near.every(({ size }) => size === 0) && this.#matchesItself())
  }

  #matchesItself(): boolean {
    const self = labelledPod(this.#pod)
    return this.#affinityTerms.every((term) => this.#termMatches(term, self.namespace, self))
  }

  /** The topology domains with pods that a term matches: values of its topology key. */
  #domainsOf(term: Term): Set<string> {
    const { placements, nodes } = this.#cluster
    const own = this.#pod.metadata.namespace
    const places = new Set<string>()
    for (const placed of placements.all()) {
      const value = nodes.get(placed.node)?.metadata.labels?.[term.topologyKey]
      if (value === undefined || places.has(value)) continue
      if (this.#termMatches(term, own, placed)) places.add(value)
    }
    return places
  }

  #termMatches(term: Term, namespaceOfTerm: string, { namespace, labels }: LabelledPod): boolean {
    return termMatches(term, { namespaceOfTerm, ...this.#cluster }, { namespace, labels })
  }
}

/** Whether a term matches a pod. Without namespaces it matches pods of its own namespace. */
function termMatches(
  { namespaces = [], namespaceSelector, labelSelector }: Term,
  at: Pick<ClusterState, 'namespaceLabels'> & { readonly namespaceOfTerm: string },
  { namespace, labels }: LabelledPod,
): boolean {
  const isOwn = namespaces.length === 0 && namespaceSelector === undefined
  const isNamed = isOwn ? namespace === at.namespaceOfTerm : namespaces.includes(namespace)
  const isThere =
    isNamed ||
    (namespaceSelector !== undefined && selects(namespaceSelector, at.namespaceLabels(namespace)))
  return isThere && selects(labelSelector, labels)
}

function labelledPod({ metadata: { namespace, labels = {} } }: PodView): LabelledPod {
  return { namespace, labels }
}

/** Whether the scheduling of a pod depends on other pods. */
export function dependsOnPods({ spec }: PodView): boolean {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {}
  return (
    podAffinity !== undefined ||
    podAntiAffinity !== undefined ||
    (spec.topologySpreadConstraints ?? []).length > 0
  )
}

/** The preference of a pod for a node because of other pods. */
export function affinityWeight(pod: PodView, node: NodeView, cluster: ClusterState): number {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {}
  const preferences = [
    ...(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ weight, podAffinityTerm }) => ({ weight: -weight, podAffinityTerm }),
    ),
  ]
  if (preferences.length === 0) return 0
  const at = { ...cluster, namespaceOfTerm: pod.metadata.namespace }
  const placeOf = (name: string, key: string): string | undefined =>
    ownValue(cluster.nodes.get(name)?.metadata.labels, key)
  let total = 0
  for (const { weight, podAffinityTerm: term } of preferences) {
    const place = ownValue(node.metadata.labels, term.topologyKey)
    if (place === undefined) continue
    const isNear = (placed: PlacedPod): boolean =>
      placeOf(placed.node, term.topologyKey) === place && termMatches(term, at, placed)
    for (const placed of cluster.placements.all()) if (isNear(placed)) total += weight
  }
  return total
}
