import { KeyFeed } from '../../workloads/key-feed.ts'
import type { PodView } from '../behaviour/index.ts'
import { dependsOnPods } from './pod-affinity.ts'
import { Placements } from './placements.ts'

/** What the scheduler knows between its decisions: who is where, and who waits for a place. */
export class SchedulingBoard {
  readonly placements = new Placements()
  /** Nodes that were chosen for pods, until the cache shows them there. */
  readonly reserved = new Map<string, string>()
  readonly #waiting = new Map<string, { readonly watchesPods: boolean }>()
  /** The keys of those whose chances have changed. */
  readonly due = new KeyFeed()
  isFirst = true

  /** Takes note of the pods there are, before the first decision. */
  begin(pods: readonly PodView[]): void {
    this.isFirst = false
    for (const pod of pods) this.placements.note(pod)
  }

  /** Takes note of a pod as it is now. */
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

  /** Forgets a pod that is gone. */
  forget(pod: PodView): void {
    this.#waiting.delete(keyOf(pod))
    this.reserved.delete(pod.metadata.uid)
    if (this.placements.remove(pod.metadata.uid)) this.#retry(() => true)
  }

  /** Takes back the place of a pod that could not be had. */
  release({ metadata }: PodView): void {
    this.reserved.delete(metadata.uid)
    this.placements.remove(metadata.uid)
  }

  /** A pod has to wait until something changes. */
  wait(pod: PodView): void {
    this.#waiting.set(keyOf(pod), { watchesPods: dependsOnPods(pod) })
  }

  /** The pods that wait for a place. */
  waiting(): string[] {
    return [...this.#waiting.keys()]
  }

  #retry(concerns: (pod: { readonly watchesPods: boolean }) => boolean): void {
    for (const [key, pod] of this.#waiting) if (concerns(pod)) this.due.add(key)
  }
}

function keyOf({ metadata }: PodView): string {
  return `${metadata.namespace}/${metadata.name}`
}
