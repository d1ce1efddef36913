import type { Frozen } from 'setpoint'
import { type PodAffinityTerm, selects } from 'setpoint/kinds'
import type { PodView } from '../behaviour/index.ts'
import type { NodeView } from '../../workloads/placement/node-selector.ts'
import type { PlacedPod, Placements } from './placements.ts'
import { crowded, type Unfit, unfit } from './unfit.ts'

type Term = Frozen<PodAffinityTerm>
type Labels = Readonly<Record<string, string>>

/** What terms are compared with: the namespaces with their labels, the nodes by name. */
export interface Surroundings {
  readonly placements: Placements
  readonly nodes: ReadonlyMap<string, NodeView>
  readonly namespaceLabels: (namespace: string) => Labels
}

interface Someone {
  readonly namespace: string
  readonly labels: Labels
}

/** Who is near whom, worked out once for a pod and asked for every node. */
export class PodAffinity {
  readonly #pod: PodView
  readonly #around: Surroundings
  readonly #near: readonly Set<string>[]
  readonly #away: readonly Set<string>[]
  /** By `key=value` of labels of nodes: where somebody is who wants this pod to keep away. */
  readonly #unwelcome = new Set<string>()

  constructor(pod: PodView, around: Surroundings) {
    this.#pod = pod
    this.#around = around
    this.#near = this.#wanted.map((term) => this.#placesOf(term))
    this.#away = this.#unwanted.map((term) => this.#placesOf(term))
    const self = someoneOf(pod)
    for (const { node, namespace, keepsAway } of around.placements.aloof) {
      for (const term of keepsAway) {
        const value = around.nodes.get(node)?.metadata.labels?.[term.topologyKey]
        if (value === undefined || !this.#isMeant(term, namespace, self)) continue
        this.#unwelcome.add(`${term.topologyKey}=${value}`)
      }
    }
  }

  /** Why a pod cannot run on a node because of other pods. */
  fits({ metadata: { labels = {} } }: NodeView): Unfit | undefined {
    if (!this.#isNearWanted(labels)) return unfit("node(s) didn't match pod affinity rules")
    const isNearUnwanted = this.#unwanted.some(({ topologyKey }, index) =>
      this.#away[index]?.has(labels[topologyKey] ?? ''),
    )
    if (isNearUnwanted) return crowded("node(s) didn't match pod anti-affinity rules")
    const isUnwelcome =
      this.#unwelcome.size > 0 &&
      Object.entries(labels).some(([key, value]) => this.#unwelcome.has(`${key}=${value}`))
    return isUnwelcome
      ? crowded("node(s) didn't satisfy existing pods anti-affinity rules")
      : undefined
  }

  get #wanted(): readonly Term[] {
    const { podAffinity } = this.#pod.spec.affinity ?? {}
    return podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  }

  get #unwanted(): readonly Term[] {
    const { podAntiAffinity } = this.#pod.spec.affinity ?? {}
    return podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  }

  #isNearWanted(labels: Labels): boolean {
    if (this.#wanted.some(({ topologyKey }) => labels[topologyKey] === undefined)) return false
    const isNear = this.#wanted.every(({ topologyKey }, index) =>
      this.#near[index]?.has(labels[topologyKey] ?? ''),
    )
    // The first of a group that wants to be together may begin anywhere.
    return isNear || (this.#near.every(({ size }) => size === 0) && this.#wantsItself())
  }

  #wantsItself(): boolean {
    const self = someoneOf(this.#pod)
    return this.#wanted.every((term) => this.#isMeant(term, self.namespace, self))
  }

  /** Where those are whom a term of the pod means: values of the label that says what is one place. */
  #placesOf(term: Term): Set<string> {
    const { placements, nodes } = this.#around
    const own = this.#pod.metadata.namespace
    const places = new Set<string>()
    for (const placed of placements.all()) {
      const value = nodes.get(placed.node)?.metadata.labels?.[term.topologyKey]
      if (value === undefined || places.has(value)) continue
      if (this.#isMeant(term, own, placed)) places.add(value)
    }
    return places
  }

  #isMeant(term: Term, namespaceOfTerm: string, { namespace, labels }: Someone): boolean {
    return isMeant(term, { namespaceOfTerm, ...this.#around }, { namespace, labels })
  }
}

/** Whether a term means somebody: without namespaces it means those of its own. */
function isMeant(
  { namespaces = [], namespaceSelector, labelSelector }: Term,
  at: Pick<Surroundings, 'namespaceLabels'> & { readonly namespaceOfTerm: string },
  { namespace, labels }: Someone,
): boolean {
  const isOwn = namespaces.length === 0 && namespaceSelector === undefined
  const isNamed = isOwn ? namespace === at.namespaceOfTerm : namespaces.includes(namespace)
  const isThere =
    isNamed ||
    (namespaceSelector !== undefined && selects(namespaceSelector, at.namespaceLabels(namespace)))
  return isThere && selects(labelSelector, labels)
}

function someoneOf({ metadata: { namespace, labels = {} } }: PodView): Someone {
  return { namespace, labels }
}

/** Whether what a pod wants depends on other pods. */
export function dependsOnPods({ spec }: PodView): boolean {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {}
  return (
    podAffinity !== undefined ||
    podAntiAffinity !== undefined ||
    (spec.topologySpreadConstraints ?? []).length > 0
  )
}

/** How strongly a pod prefers a node because of who is near. */
export function affinityWeight(pod: PodView, node: NodeView, around: Surroundings): number {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {}
  const wishes = [
    ...(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ weight, podAffinityTerm }) => ({ weight: -weight, podAffinityTerm }),
    ),
  ]
  if (wishes.length === 0) return 0
  const at = { ...around, namespaceOfTerm: pod.metadata.namespace }
  const placeOf = (name: string, key: string): string | undefined =>
    around.nodes.get(name)?.metadata.labels?.[key]
  let total = 0
  for (const { weight, podAffinityTerm: term } of wishes) {
    const place = node.metadata.labels?.[term.topologyKey]
    if (place === undefined) continue
    const isNear = (placed: PlacedPod): boolean =>
      placeOf(placed.node, term.topologyKey) === place && isMeant(term, at, placed)
    for (const placed of around.placements.all()) if (isNear(placed)) total += weight
  }
  return total
}
