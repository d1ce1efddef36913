import type { PodObject } from '../pods/pod-state.ts'

/** Pods that were told to go, until the cache shows it: no pod is deleted twice. */
export class LeavingPods {
  readonly #uids = new Map<string, Set<string>>()

  /** A pod of an owner was deleted. */
  add(owner: string, { metadata }: PodObject): void {
    const known = this.#uids.get(owner)
    if (known === undefined) this.#uids.set(owner, new Set([metadata.uid]))
    else known.add(metadata.uid)
  }

  /** The pods of an owner, with what is known of them besides the cache. */
  seen(owner: string, pods: readonly PodObject[], deletionTimestamp: string): PodObject[] {
    const known = this.#uids.get(owner)
    if (known === undefined) return [...pods]
    const there = new Set(pods.map(({ metadata }) => metadata.uid))
    for (const uid of known) if (!there.has(uid)) known.delete(uid)
    if (known.size === 0) this.#uids.delete(owner)
    return pods.map((pod) =>
      known.has(pod.metadata.uid)
        ? { ...pod, metadata: { deletionTimestamp, ...pod.metadata } }
        : pod,
    )
  }

  /** An owner is gone. */
  forget(owner: string): void {
    this.#uids.delete(owner)
  }
}
