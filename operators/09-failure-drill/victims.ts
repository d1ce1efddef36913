import type { CacheView, Frozen } from 'setpoint'
import { isTerminating, Pod } from 'setpoint/kinds'

/** The label of isolated pods, with the name of the drill. */
export const isolatedLabel = 'resilience.example.com/isolated-by'

/** The pods that a drill hits, and the state before: the result of a step, kept in the status. */
export interface Victims {
  readonly names: readonly string[]
  readonly uids: readonly string[]
  readonly readyBefore: number
  readonly atMs: number
}

/** The ready pods of an application. */
export function readyPods(
  where: { readonly namespace: string; readonly labels: Readonly<Record<string, string>> },
  list: CacheView<typeof Pod>['list'],
): Frozen<Pod>[] {
  return list(Pod, where).filter((pod) => Pod.isReady(pod) && !isTerminating(pod))
}

/** Chooses pods. The same seed chooses the same pods, so that a repeated step hits no others. */
export function victimsOf(
  ready: readonly Frozen<Pod>[],
  { count, seed, atMs }: { readonly count: number; readonly seed: string; readonly atMs: number },
): Victims {
  const order = (pod: Frozen<Pod>): string => [...`${seed}${pod.metadata.uid}`].reverse().join('')
  const chosen = ready.toSorted((left, right) => order(left).localeCompare(order(right)))
  const hit = chosen.slice(0, count)
  return {
    names: hit.map(({ metadata }) => metadata.name),
    uids: hit.map(({ metadata }) => metadata.uid),
    readyBefore: ready.length,
    atMs,
  }
}
