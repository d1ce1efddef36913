import type { PodObject } from '../pods/pod-state.ts'

/**
 * Pods that were deleted and that the cache does not show as terminating yet, so that no pod is
 * deleted twice.
 */
export class DeletedPods {
  readonly #uids = new Map<string, Set<string>>()

  /** Records that a pod of an owner was deleted. */
  add(owner: string, { metadata }: PodObject): void {
    const known = this.#uids.get(owner)
    if (known === undefined) this.#uids.set(owner, new Set([metadata.uid]))
    else known.add(metadata.uid)
  }

  /** Returns the pods of an owner, with a deletionTimestamp on those that were deleted. */
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

  /** Forgets an owner that no longer exists. */
  forget(owner: string): void {
    this.#uids.delete(owner)
  }
}
