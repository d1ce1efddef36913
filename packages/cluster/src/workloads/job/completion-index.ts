import type { JobObject } from './job-rules.ts'
import type { PodObject } from '../pods/pod-state.ts'
import { judgeFailure } from './pods/pod-failure-policy.ts'

/** On pods of indexed Jobs, as an annotation and as a label. */
export const indexKey = 'batch.kubernetes.io/job-completion-index'
const failuresKey = 'batch.kubernetes.io/job-index-failure-count'
const ignoredFailuresKey = 'batch.kubernetes.io/job-index-ignored-failure-count'
const int32Max = 2 ** 31 - 1

/** The index a pod works on; none if somebody took the annotation away. */
export function completionIndexOf({ metadata }: PodObject): number | undefined {
  const text = metadata.annotations?.[indexKey]
  return text !== undefined && /^\+?\d+$/.test(text) ? Number(text) : undefined
}

/** The index of a pod, if it is one that the Job has. */
export function validIndexOf(pod: PodObject, { spec }: JobObject): number | undefined {
  const index = completionIndexOf(pod)
  return index !== undefined && index < (spec.completions ?? 0) ? index : undefined
}

/** The indexes of pods, each once. */
export function indexesOf(pods: Iterable<PodObject>): Set<number> {
  return new Set([...pods].flatMap((pod) => completionIndexOf(pod) ?? []))
}

/** How often the pods before this one failed in its index; the pods carry it from one to the next. */
export function failuresBefore({ metadata }: PodObject): { counted: number; ignored: number } {
  return {
    counted: countOf(metadata.annotations?.[failuresKey]),
    ignored: countOf(metadata.annotations?.[ignoredFailuresKey]),
  }
}

/** The annotations of a pod that takes the place of a failed one in its index, or is its first. */
export function failureAnnotations(
  job: JobObject,
  replaced: PodObject | undefined,
): Record<string, string> {
  if (replaced === undefined) return { [failuresKey]: '0' }
  const { counted, ignored } = failuresBefore(replaced)
  const { isCounted } = judgeFailure(job.spec.podFailurePolicy, replaced)
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
