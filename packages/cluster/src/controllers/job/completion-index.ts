import type { JobObject } from './job-rules.ts'
import type { PodObject } from '../pods/pod-state.ts'
import { applyFailurePolicy } from './pods/pod-failure-policy.ts'

/** The key of the annotation and of the label on pods of indexed Jobs. */
export const indexKey = 'batch.kubernetes.io/job-completion-index'
const failuresKey = 'batch.kubernetes.io/job-index-failure-count'
const ignoredFailuresKey = 'batch.kubernetes.io/job-index-ignored-failure-count'
const int32Max = 2 ** 31 - 1

/** The completion index of a pod; `undefined` if the annotation was removed. */
export function completionIndexOf({ metadata }: PodObject): number | undefined {
  const text = metadata.annotations?.[indexKey]
  return text !== undefined && /^\+?\d+$/.test(text) ? Number(text) : undefined
}

/** The index of a pod, if it is below the Job's completions. */
export function validIndexOf(pod: PodObject, { spec }: JobObject): number | undefined {
  const index = completionIndexOf(pod)
  return index !== undefined && index < (spec.completions ?? 0) ? index : undefined
}

export function indexesOf(pods: Iterable<PodObject>): Set<number> {
  return new Set([...pods].flatMap((pod) => completionIndexOf(pod) ?? []))
}

/** How often earlier pods failed in this index. Each pod carries the counts of the previous one. */
export function failuresBefore({ metadata }: PodObject): { counted: number; ignored: number } {
  return {
    counted: countOf(metadata.annotations?.[failuresKey]),
    ignored: countOf(metadata.annotations?.[ignoredFailuresKey]),
  }
}

/** The failure counts of the first pod of an index, or of the replacement of a failed one. */
export function failureAnnotations(
  job: JobObject,
  replaced: PodObject | undefined,
): Record<string, string> {
  if (replaced === undefined) return { [failuresKey]: '0' }
  const { counted, ignored } = failuresBefore(replaced)
  const { isCounted } = applyFailurePolicy(job.spec.podFailurePolicy, replaced)
  const ignoredNow = ignored + (isCounted ? 0 : 1)
  return {
    [failuresKey]: String(counted + (isCounted ? 1 : 0)),
    ...(ignoredNow > 0 && { [ignoredFailuresKey]: String(ignoredNow) }),
  }
}

function countOf(text = ''): number {
  const count = /^[+-]?\d+$/.test(text) ? Number(text) : 0
  return count < 0 || count > int32Max ? 0 : count
}
