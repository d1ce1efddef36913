import { conditionOf } from 'setpoint/kinds'
import type { PodObject } from '../pods/pod-state.ts'

/**
 * When a pod finished, in epoch milliseconds: when its last container finished, or else when it
 * became unready, was deleted, or was created.
 */
export function finishTimeOf(pod: PodObject): number {
  return (
    containersEnd(pod) ??
    timeOf(unreadySince(pod)) ??
    deletedAt(pod) ??
    Date.parse(pod.metadata.creationTimestamp)
  )
}

/** Sidecars finish after the other containers. Other init containers finish before them. */
function containersEnd({ spec, status }: PodObject): number | undefined {
  const sidecars = new Set(
    spec.initContainers?.filter((each) => each.restartPolicy === 'Always').map(({ name }) => name),
  )
  const statuses = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  ]
  const ends = statuses.map(({ state }) => timeOf(state?.terminated?.finishedAt))
  if (ends.length === 0 || ends.includes(undefined)) return undefined
  return Math.max(...ends.flatMap((end) => end ?? []))
}

function unreadySince(pod: PodObject): string | null | undefined {
  const ready = conditionOf(pod, 'Ready')
  return ready?.status === 'False' ? ready.lastTransitionTime : undefined
}

function deletedAt({ metadata }: PodObject): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata
  const ends = timeOf(deletionTimestamp)
  return ends === undefined ? undefined : ends - deletionGracePeriodSeconds * 1000
}

function timeOf(text: string | null | undefined): number | undefined {
  return text === undefined || text === null ? undefined : Date.parse(text)
}
