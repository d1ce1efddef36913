import { failuresBefore } from '../completion-index.ts'
import { finishTimeOf } from '../finish-time.ts'
import type { PodObject } from '../../pods/pod-state.ts'

/** The state that the backoff of a Job depends on. */
export interface FailureRecord {
  readonly failuresAfterLastSuccess: number
  readonly lastFailureMs: number
}

/** No pod has failed since the last success. */
export const noFailures: FailureRecord = { failuresAfterLastSuccess: 0, lastFailureMs: 0 }

const firstWaitMs = 10_000
const waitMsMax = 600_000

/** Updates the record with newly finished pods. */
export function recordAfter(
  record: FailureRecord,
  ended: { readonly succeeded: readonly PodObject[]; readonly failed: readonly PodObject[] },
): FailureRecord {
  const failedMs = ended.failed.map(finishTimeOf)
  if (ended.succeeded.length === 0) {
    if (failedMs.length === 0) return record
    return {
      failuresAfterLastSuccess: record.failuresAfterLastSuccess + failedMs.length,
      lastFailureMs: Math.max(...failedMs),
    }
  }
  const successMs = Math.max(...ended.succeeded.map(finishTimeOf))
  const since = failedMs.filter((ms) => ms > successMs)
  if (since.length === 0) return noFailures
  return { failuresAfterLastSuccess: since.length, lastFailureMs: Math.max(...since) }
}

/** The rest of the backoff after failures: 10 s, doubled with each failure, at most 10 minutes. */
export function waitMsAfter(record: FailureRecord, nowMs: number): number {
  const { failuresAfterLastSuccess: failures, lastFailureMs } = record
  if (failures === 0) return 0
  const waitMs = Math.min(waitMsMax, firstWaitMs * 2 ** (failures - 1))
  return Math.max(0, lastFailureMs + waitMs - nowMs)
}

/** The rest of the backoff of one index, by the pod that failed last in it. */
export function waitMsInIndex(lastFailed: PodObject | undefined, nowMs: number): number {
  if (lastFailed === undefined) return 0
  const { counted, ignored } = failuresBefore(lastFailed)
  const record = {
    failuresAfterLastSuccess: counted + ignored + 1,
    lastFailureMs: finishTimeOf(lastFailed),
  }
  return waitMsAfter(record, nowMs)
}
