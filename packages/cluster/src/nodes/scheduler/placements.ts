import type { Frozen } from 'setpoint'
import type { PodAffinityTerm } from 'setpoint/kinds'
import { isTerminating } from '../../object/index.ts'
import type { PodView } from '../behaviour/index.ts'
import { type ResourceNumbers, podRequests, weightsOf } from './resource-numbers.ts'
import { portsOf } from './host-ports.ts'

/** The data of an assigned pod. */
export interface PlacedPod {
  readonly uid: string
  readonly node: string
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
  readonly requests: ResourceNumbers
  readonly ports: readonly string[]
  /** Its required anti-affinity terms. */
  readonly antiAffinityTerms: readonly Frozen<PodAffinityTerm>[]
  readonly isTerminating: boolean
}

/** The resources that the pods of a node use. */
export class NodeUsage {
  readonly pods = new Map<string, PlacedPod>()
  readonly amounts = new Map<string, number>()
  /** The amounts with assumed requests for pods without requests, to compare nodes. */
  readonly weights = new Map<string, number>()

  /** Whether a pod of the node uses one of these host ports. */
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

function addTo(sums: Map<string, number>, amounts: ResourceNumbers, times: 1 | -1): void {
  for (const [name, number] of amounts) sums.set(name, (sums.get(name) ?? 0) + times * number)
}

const unused = new NodeUsage()

/**
 * The pods of each node, updated pod by pod, so that a decision does not have to read all of them.
 * A pod counts from the decision about its node until it is finished or deleted.
 */
export class Placements {
  readonly #usages = new Map<string, NodeUsage>()
  readonly #nodeOf = new Map<string, string>()
  /** Pods with required anti-affinity, which every decision has to check. */
  readonly #withAntiAffinity = new Map<string, PlacedPod>()

  /** The usage of a node. */
  on(node: string): NodeUsage {
    return this.#usages.get(node) ?? unused
  }

  /** All assigned pods. */
  *all(): Generator<PlacedPod> {
    for (const { pods } of this.#usages.values()) yield* pods.values()
  }

  /** Pods with required anti-affinity. */
  get withAntiAffinity(): Iterable<PlacedPod> {
    return this.#withAntiAffinity.values()
  }

  /** Updates a pod. Returns whether resources became free. */
  note(pod: PodView): boolean {
    const { uid } = pod.metadata
    const isFinished = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
    if (isFinished || (pod.spec.nodeName ?? '') === '') return this.remove(uid)
    this.place(pod, pod.spec.nodeName ?? '')
    return false
  }

  /** Assigns a pod to a node. */
  place(pod: PodView, node: string): void {
    const { uid, namespace, labels = {} } = pod.metadata
    const terms = pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution
    const placed: PlacedPod = {
      uid,
      node,
      namespace,
      labels,
      antiAffinityTerms: terms ?? [],
      requests: podRequests(pod),
      ports: portsOf(pod),
      isTerminating: isTerminating(pod),
    }
    if (this.#nodeOf.get(uid) !== node) this.remove(uid)
    this.#nodeOf.set(uid, node)
    const usage = this.#usages.get(node) ?? new NodeUsage()
    this.#usages.set(node, usage)
    usage.add(placed)
    if (placed.antiAffinityTerms.length > 0) this.#withAntiAffinity.set(uid, placed)
  }

  /** Forgets a pod. Returns whether it had a node. */
  remove(uid: string): boolean {
    const node = this.#nodeOf.get(uid)
    if (node === undefined) return false
    this.#nodeOf.delete(uid)
    this.#withAntiAffinity.delete(uid)
    this.#usages.get(node)?.remove(uid)
    return true
  }
}
