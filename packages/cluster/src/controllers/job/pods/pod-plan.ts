import { indexesOf } from '../completion-index.ts'
import { IndexSet } from '../index-set.ts'
import { hasLimitPerIndex, isIndexed, onlyReplacesFailed, type JobObject } from '../job-rules.ts'
import { isPodTerminating, type PodObject } from '../../pods/pod-state.ts'
import type { JobTally } from '../job-tally.ts'
import { waitMsAfter, waitMsInIndex, type FailureRecord } from './pod-backoff.ts'
import { surplusPods } from './surplus-pods.ts'

/** The changes to the pods of a running Job. Never both kinds: pods are deleted first. */
interface PodPlan {
  readonly remove: readonly PodObject[]
  /** The indexes of the pods to create; `undefined` for a Job without indexes. */
  readonly create: readonly (number | undefined)[]
  /** The rest of the backoff before a pod may be created. */
  readonly waitMs: number
}

interface Situation {
  readonly job: JobObject
  readonly pods: readonly PodObject[]
  readonly tally: JobTally
  readonly record: FailureRecord
  readonly nowMs: number
}

/** The maximum number of changes in one reconcile, so that other Jobs do not wait for long. */
const changesMax = 500
const nothing: PodPlan = { remove: [], create: [], waitMs: 0 }

/** Decides which pods are deleted and which are created. */
export function planPods(situation: Situation): PodPlan {
  const { job, tally } = situation
  const active = tally.active.length
  if (job.spec.suspend === true) {
    return { ...nothing, remove: surplusPods(job, tally.active, active) }
  }
  const desired = desiredActive(job, tally)
  const surplus = surplusPods(job, tally.active, Math.max(0, active - desired))
  if (surplus.length > 0) return { ...nothing, remove: surplus.slice(0, changesMax) }
  const terminating = onlyReplacesFailed(job) ? tally.terminating : 0
  const missing = desired - terminating - active
  return missing > 0 ? creations(situation, missing) : nothing
}

/**
 * The desired number of active pods: up to `parallelism`, but no more than completions are left.
 */
function desiredActive({ spec }: JobObject, { succeeded, active }: JobTally): number {
  const { parallelism = 1, completions } = spec
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism
  return Math.max(0, Math.min(parallelism, completions - succeeded))
}

function creations(situation: Situation, missing: number): PodPlan {
  const { job, tally, record, nowMs } = situation
  const waitMs = hasLimitPerIndex(job) ? 0 : waitMsAfter(record, nowMs)
  if (waitMs > 0) return { ...nothing, waitMs }
  const count = Math.min(missing, changesMax)
  if (!isIndexed(job)) return { ...nothing, create: Array.from({ length: count }, () => undefined) }
  const pending = occupied(situation).firstMissing(count, job.spec.completions ?? 0)
  if (!hasLimitPerIndex(job)) return { ...nothing, create: pending }
  const waits = pending.map((index) => waitMsInIndex(tally.awaitingReplacement.get(index), nowMs))
  const create = pending.filter((_, at) => waits[at] === 0)
  return create.length > 0 || waits.length === 0
    ? { ...nothing, create }
    : { ...nothing, waitMs: Math.min(...waits) }
}

/** The indexes that need no pod. */
function occupied({ job, pods, tally }: Situation): IndexSet {
  const terminating = onlyReplacesFailed(job) ? pods.filter(isPodTerminating) : []
  return tally.completed
    .union(IndexSet.of(indexesOf([...tally.active, ...terminating])))
    .union(tally.failedIndexes ?? IndexSet.empty)
}
