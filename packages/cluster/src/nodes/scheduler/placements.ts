import type { Frozen } from 'setpoint'
import type { PodAffinityTerm } from 'setpoint/kinds'
import { isTerminating } from '../../object/index.ts'
import type { PodView } from '../behaviour/index.ts'
import { type Amounts, podRequests, weightsOf } from './amounts.ts'
import { portsOf } from './host-ports.ts'

/** What counts of a pod that has a place. */
export interface PlacedPod {
  readonly uid: string
  readonly node: string
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
  readonly requests: Amounts
  readonly ports: readonly string[]
  /** What it does not want near itself. */
  readonly keepsAway: readonly Frozen<PodAffinityTerm>[]
  readonly isTerminating: boolean
}

/** What the pods on one node take together. */
export class NodeUsage {
  readonly pods = new Map<string, PlacedPod>()
  readonly amounts = new Map<string, number>()
  /** The same as it counts when nodes are compared. */
  readonly weights = new Map<string, number>()

  /** Whether another pod has one of these ports of the node. */
  hasPort(ports: readonly string[], clash: (a: string, b: string) => boolean): boolean {
    if (ports.length === 0) return false
    const taken = [...this.pods.values()].flatMap((pod) => pod.ports)
    return taken.some((one) => ports.some((other) => clash(one, other)))
  }

  add(pod: PlacedPod): void {
    this.remove(pod.uid)
    this.pods.set(pod.uid, pod)
    this.#count(pod, 1)
  }

  remove(uid: string): void {
    const pod = this.pods.get(uid)
    if (pod === undefined) return
    this.pods.delete(uid)
    this.#count(pod, -1)
  }

  #count({ requests }: PlacedPod, times: 1 | -1): void {
    addTo(this.amounts, requests, times)
    addTo(this.weights, weightsOf(requests), times)
  }
}

function addTo(sums: Map<string, number>, amounts: Amounts, times: 1 | -1): void {
  for (const [name, number] of amounts) sums.set(name, (sums.get(name) ?? 0) + times * number)
}

const unused = new NodeUsage()

/**
 * Which pods are where, kept up to date pod by pod, so that a decision does not have to look at all of them. A pod counts
 * from the moment its place is decided until it is over or gone.
 */
export class Placements {
  readonly #usages = new Map<string, NodeUsage>()
  readonly #nodeOf = new Map<string, string>()
  /** Those that want others to keep away: the few that every decision has to look at. */
  readonly #aloof = new Map<string, PlacedPod>()

  /** What is on a node. */
  on(node: string): NodeUsage {
    return this.#usages.get(node) ?? unused
  }

  /** All pods that have a place. */
  *all(): Generator<PlacedPod> {
    for (const { pods } of this.#usages.values()) yield* pods.values()
  }

  /** Those that want others to keep away. */
  get aloof(): Iterable<PlacedPod> {
    return this.#aloof.values()
  }

  /** Takes note of a pod as it is now; tells whether something became free by it. */
  note(pod: PodView): boolean {
    const { uid } = pod.metadata
    const isOver = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
    if (isOver || (pod.spec.nodeName ?? '') === '') return this.remove(uid)
    this.place(pod, pod.spec.nodeName ?? '')
    return false
  }

  /** Gives a pod a place. */
  place(pod: PodView, node: string): void {
    const { uid, namespace, labels = {} } = pod.metadata
    const terms = pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution
    const placed: PlacedPod = {
      ...{ uid, node, namespace, labels, keepsAway: terms ?? [] },
      ...{ requests: podRequests(pod), ports: portsOf(pod) },
      isTerminating: isTerminating(pod),
    }
    if (this.#nodeOf.get(uid) !== node) this.remove(uid)
    this.#nodeOf.set(uid, node)
    const usage = this.#usages.get(node) ?? new NodeUsage()
    this.#usages.set(node, usage)
    usage.add(placed)
    if (placed.keepsAway.length > 0) this.#aloof.set(uid, placed)
  }

  /** Forgets a pod; tells whether it had a place. */
  remove(uid: string): boolean {
    const node = this.#nodeOf.get(uid)
    if (node === undefined) return false
    this.#nodeOf.delete(uid)
    this.#aloof.delete(uid)
    this.#usages.get(node)?.remove(uid)
    return true
  }
}
