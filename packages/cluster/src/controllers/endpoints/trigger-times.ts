import { readyChangedMs, type PodObject } from '../pods/pod-state.ts'
import { formatTime } from '../../object/index.ts'
import type { ServiceObject } from './endpoint-rules.ts'

/**
 * The times of the changes that cause endpoint updates, so that users can measure the latency. It
 * knows only changes that this process has observed: the creation of a service, and pods that
 * became ready or unready.
 */
export class TriggerTimes {
  readonly #seen = new Map<string, ReadonlyMap<string, number>>()

  /** The earliest change since the last call, in the format of the annotation. */
  next(service: ServiceObject, pods: readonly PodObject[]): string | undefined {
    const { uid, creationTimestamp } = service.metadata
    const before = this.#seen.get(uid)
    const times = new Map(
      pods.flatMap((pod): [string, number][] => {
        const sinceMs = readyChangedMs(pod)
        return sinceMs === undefined ? [] : [[pod.metadata.name, sinceMs]]
      }),
    )
    this.#seen.set(uid, times)
    if (before === undefined) return creationTimestamp
    const fresh = [...times].filter(([name, sinceMs]) => sinceMs > (before.get(name) ?? 0))
    return fresh.length === 0 ? undefined : formatTime(Math.min(...fresh.map(([, ms]) => ms)))
  }

  forget(uid: string): void {
    this.#seen.delete(uid)
  }
}
