import { KeySource } from '../../controllers/key-source.ts'
import type { PodView } from '../behaviour/index.ts'
import { dependsOnPods } from './pod-affinity.ts'
import { Placements } from './placements.ts'

/** The state of the scheduler between decisions: assigned pods and waiting pods. */
export class SchedulingState {
  readonly placements = new Placements()
  /** The nodes that were chosen for pods, until the cache shows them. */
  readonly reserved = new Map<string, string>()
  readonly #waiting = new Map<string, { readonly watchesPods: boolean }>()
  /** The keys of waiting pods that may fit now. */
  readonly due = new KeySource()
  isFirst = true

  /** Records the existing pods before the first decision. */
  begin(pods: readonly PodView[]): void {
    this.isFirst = false
    for (const pod of pods) this.placements.note(pod)
  }

  /** Updates a pod. */
  note(pod: PodView): void {
    const hasPlace = (pod.spec.nodeName ?? '') !== ''
    if (!hasPlace && this.reserved.has(pod.metadata.uid)) return
    if (hasPlace) {
      this.#waiting.delete(keyOf(pod))
      this.reserved.delete(pod.metadata.uid)
    }
    if (this.placements.note(pod)) this.#retry(() => true)
    else if (hasPlace) this.#retry(({ watchesPods }) => watchesPods)
  }

  /** Forgets a deleted pod. */
  forget(pod: PodView): void {
    this.#waiting.delete(keyOf(pod))
    this.reserved.delete(pod.metadata.uid)
    if (this.placements.remove(pod.metadata.uid)) this.#retry(() => true)
  }

  /** Releases the node of a pod whose binding failed. */
  release({ metadata }: PodView): void {
    this.reserved.delete(metadata.uid)
    this.placements.remove(metadata.uid)
  }

  /** Marks a pod as waiting for a change. */
  wait(pod: PodView): void {
    this.#waiting.set(keyOf(pod), { watchesPods: dependsOnPods(pod) })
  }

  /** The keys of waiting pods. */
  waiting(): string[] {
    return [...this.#waiting.keys()]
  }

  #retry(applies: (pod: { readonly watchesPods: boolean }) => boolean): void {
    for (const [key, pod] of this.#waiting) if (applies(pod)) this.due.add(key)
  }
}

function keyOf({ metadata }: PodView): string {
  return `${metadata.namespace}/${metadata.name}`
}
