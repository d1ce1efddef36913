import type { PodView } from './behaviour/index.ts'
import type { SimulatedNode } from './node-options.ts'
import { PodAddresses } from './pod-addresses.ts'
import type { PodEvent } from './pod-life/index.ts'

/** What the kubelets know of the pods they serve, besides what is stored. */
export class ServedPods {
  readonly #addresses = new PodAddresses()
  /** By key: what was said to begin in the life of a pod. */
  readonly #begun = new Map<string, Set<string>>()
  isFirst = true

  /** Takes note of the pods there are, before the first is given an address. */
  begin(pods: readonly PodView[]): void {
    this.isFirst = false
    for (const { metadata, spec, status } of pods) {
      if (spec.hostNetwork === true || status?.podIP === undefined) continue
      this.#addresses.keep(status.podIP, metadata.uid)
    }
  }

  /** The keys of all pods that are served. */
  keys(): Iterable<string> {
    return this.#begun.keys()
  }

  /** The address of a pod, from now on if it had none. */
  addressOf(pod: PodView, node: SimulatedNode): string {
    const key = keyOf(pod)
    if (!this.#begun.has(key)) this.#begun.set(key, new Set())
    if (pod.spec.hostNetwork === true) return node.hostIP
    return pod.status?.podIP ?? this.#addresses.take(node, pod.metadata.uid)
  }

  /** Whether the beginning of something has not been told yet. */
  isNews(
    pod: PodView,
    { reason, fieldPath = '' }: Pick<PodEvent, 'reason' | 'fieldPath'>,
  ): boolean {
    const begun = this.#begun.get(keyOf(pod)) ?? new Set()
    const what = `${pod.metadata.uid} ${fieldPath} ${reason}`
    if (begun.has(what)) return false
    begun.add(what)
    return true
  }

  /** Forgets a pod that is gone. */
  forget(pod: PodView): void {
    this.#begun.delete(keyOf(pod))
    const { podIP } = pod.status ?? {}
    if (podIP !== undefined) this.#addresses.free(podIP, pod.metadata.uid)
  }
}

function keyOf({ metadata }: PodView): string {
  return `${metadata.namespace}/${metadata.name}`
}
