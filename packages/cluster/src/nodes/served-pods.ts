import type { PodView } from './behaviour/index.ts'
import type { SimulatedNode } from './node-options.ts'
import { PodAddresses } from './pod-addresses.ts'
import type { PodEvent } from './pod-lifecycle/index.ts'

/** The state of the kubelets that is not stored in pods. */
export class ServedPods {
  readonly #addresses = new PodAddresses()
  /** The beginnings that were reported for a pod, by its key. */
  readonly #reported = new Map<string, Set<string>>()
  isFirst = true

  /** Records the addresses of existing pods before the first new one is assigned. */
  begin(pods: readonly PodView[]): void {
    this.isFirst = false
    for (const { metadata, spec, status } of pods) {
      if (spec.hostNetwork === true || status?.podIP === undefined) continue
      this.#addresses.keep(status.podIP, metadata.uid)
    }
  }

  /** The keys of all pods of the simulated nodes. */
  keys(): Iterable<string> {
    return this.#reported.keys()
  }

  /** The address of a pod. Assigns one if it has none. */
  addressOf(pod: PodView, node: SimulatedNode): string {
    const key = keyOf(pod)
    if (!this.#reported.has(key)) this.#reported.set(key, new Set())
    if (pod.spec.hostNetwork === true) return node.hostIP
    return pod.status?.podIP ?? this.#addresses.take(node, pod.metadata.uid)
  }

  /** Whether this beginning has not been reported yet. */
  isUnreported(
    pod: PodView,
    { reason, fieldPath = '', message }: Pick<PodEvent, 'reason' | 'fieldPath' | 'message'>,
  ): boolean {
    const reported = this.#reported.get(keyOf(pod)) ?? new Set()
    const what = `${pod.metadata.uid} ${fieldPath} ${reason} ${message}`
    if (reported.has(what)) return false
    reported.add(what)
    return true
  }

  /** Forgets a deleted pod. */
  forget(pod: PodView): void {
    this.#reported.delete(keyOf(pod))
    const { podIP } = pod.status ?? {}
    if (podIP !== undefined) this.#addresses.free(podIP, pod.metadata.uid)
  }
}

function keyOf({ metadata }: PodView): string {
  return `${metadata.namespace}/${metadata.name}`
}
