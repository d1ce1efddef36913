import { conditionOf } from 'setpoint/kinds'
import { completionIndexOf } from '../completion-index.ts'
import { isIndexed, type JobObject } from '../job-rules.ts'
import { isReady, type PodObject } from '../../pods/pod-state.ts'

/**
 * The active pods to delete when there are too many. For an indexed Job, the pods with a duplicate,
 * missing or invalid index come first, then the pods with the least progress.
 */
export function surplusPods(
  job: JobObject,
  active: readonly PodObject[],
  atLeast: number,
): PodObject[] {
  const misplaced = isIndexed(job) ? misplacedPods(active, job.spec.completions ?? 0) : []
  if (misplaced.length >= atLeast) return misplaced
  const others = active.filter((pod) => !misplaced.includes(pod)).toSorted(byProgress)
  return [...misplaced, ...others.slice(0, atLeast - misplaced.length)]
}

function misplacedPods(active: readonly PodObject[], completions: number): PodObject[] {
  const best = new Map<number, PodObject>()
  for (const pod of active) {
    const index = completionIndexOf(pod)
    if (index === undefined || index >= completions) continue
    const other = best.get(index)
    if (other === undefined || byProgress(other, pod) < 0) best.set(index, pod)
  }
  const kept = new Set(best.values())
  return active
    .filter((pod) => !kept.has(pod))
    .toSorted((a, b) => (completionIndexOf(a) ?? -1) - (completionIndexOf(b) ?? -1))
}

const phaseRank: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 }

/**
 * Sorts by progress: first unscheduled, pending, unready, recently ready, often restarted and young
 * pods.
 */
function byProgress(a: PodObject, b: PodObject): number {
  return (
    boundRank(a) - boundRank(b) ||
    (phaseRank[a.status?.phase ?? ''] ?? 0) - (phaseRank[b.status?.phase ?? ''] ?? 0) ||
    Number(isReady(a)) - Number(isReady(b)) ||
    readySince(b) - readySince(a) ||
    restartsOf(b) - restartsOf(a) ||
    Date.parse(b.metadata.creationTimestamp) - Date.parse(a.metadata.creationTimestamp)
  )
}

function boundRank({ spec }: PodObject): number {
  return spec.nodeName === undefined || spec.nodeName === '' ? 0 : 1
}

function readySince(pod: PodObject): number {
  const ready = conditionOf(pod, 'Ready')
  return ready?.status === 'True' ? Date.parse(ready.lastTransitionTime ?? '') || 0 : 0
}

function restartsOf({ status }: PodObject): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount))
}
