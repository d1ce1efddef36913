import type { Job } from 'setpoint/kinds'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import { commonIndex, indexCount } from './job-indexes.ts'
import type { Updated } from '../kind-rules.ts'
import { checkNonnegativeFields } from '../fields/number-rules.ts'
import { sameValue } from '../fields/same-value.ts'

type DecodedJob = Updated<Job>['object']
type Status = NonNullable<DecodedJob['status']>

function isTrue(status: Status, type: string): boolean {
  return (status.conditions ?? []).some(
    (condition) => condition.type === type && condition.status === 'True',
  )
}

function isFinished(status: Status): boolean {
  return isTrue(status, 'Complete') || isTrue(status, 'Failed')
}

/** Both statuses, and which parts of them differ: existing errors are tolerated. */
interface StatusChange {
  readonly job: DecodedJob
  readonly status: Status
  readonly old: Status
  readonly changed: (...parts: readonly (keyof Status | (string & {}))[]) => boolean
}

/** Checks the status of a Job. */
export function checkJobStatus({ object, old, at }: Updated<Job>): void {
  const { status = {} } = object
  const { status: before = {} } = old
  const conditionTypes = ['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet']
  const changed = (...parts: readonly string[]) =>
    parts.some((part) => {
      if (conditionTypes.includes(part)) return isTrue(status, part) !== isTrue(before, part)
      if (part === 'finished') return isFinished(status) !== isFinished(before)
      return !sameValue(status[part as keyof Status], before[part as keyof Status])
    })
  const change: StatusChange = { job: object, status, old: before, changed }
  const place = at.child('status')
  checkCounts(status, place)
  checkConditions(change, place)
  checkFinished(change, place)
  checkIndexes(change, place)
  checkSuccess(change, place)
  checkHistory(change, place)
}

function checkCounts(status: Status, at: FieldPath): void {
  checkNonnegativeFields(status, ['active', 'succeeded', 'failed', 'ready', 'terminating'], at)
  const seen = new Set<string>()
  for (const field of ['succeeded', 'failed'] as const) {
    for (const [index, uid] of (status.uncountedTerminatedPods?.[field] ?? []).entries()) {
      const place = at.child('uncountedTerminatedPods', field).index(index)
      if (uid === '') place.invalid(uid, 'must not be empty')
      else if (seen.has(uid)) place.duplicate(uid)
      seen.add(uid)
    }
  }
}

function checkConditions({ status, changed }: StatusChange, at: FieldPath): void {
  const isComplete = isTrue(status, 'Complete')
  const isFailed = isTrue(status, 'Failed')
  const { completionTime, startTime } = status
  const timeAt = at.child('completionTime')
  const refuse = (detail: string) => at.child('conditions').invalidOmitted(detail)
  if (changed('Complete', 'Failed') && isComplete && isFailed) {
    refuse('cannot set Complete=True and Failed=true conditions')
  }
  if (changed('Complete', 'FailureTarget') && isComplete && isTrue(status, 'FailureTarget')) {
    refuse('cannot set Complete=True and FailureTarget=true conditions')
  }
  if (changed('Complete', 'completionTime')) {
    if (completionTime !== undefined && !isComplete) {
      const detail = 'cannot set completionTime when there is no Complete=True condition'
      timeAt.invalid(completionTime, detail)
    }
    if (completionTime === undefined && isComplete) {
      timeAt.required('completionTime is required for Complete jobs')
    }
  }
  if (changed('startTime', 'completionTime') && startTime !== undefined) {
    if (completionTime !== undefined && Date.parse(completionTime) < Date.parse(startTime)) {
      timeAt.invalid(completionTime, 'must be equal to or after `startTime`')
    }
  }
  if (changed('Failed', 'failedIndexes') && isFailed && !isTrue(status, 'FailureTarget')) {
    refuse('cannot set Failed=True condition without the FailureTarget=true condition')
  }
  if (changed('Complete', 'SuccessCriteriaMet') && isComplete) {
    if (!isTrue(status, 'SuccessCriteriaMet')) {
      refuse('cannot set Complete=True condition without the SuccessCriteriaMet=true condition')
    }
  }
}

function checkFinished({ job, status, changed }: StatusChange, at: FieldPath): void {
  if (!isFinished(status)) return
  const { active = 0, startTime, uncountedTerminatedPods: uncounted } = status
  if (changed('finished', 'active') && active > 0) {
    at.child('active').invalid(active, 'active>0 is invalid for finished job')
  }
  const isEmptyJob = job.spec?.suspend === true && job.spec.completions === 0
  if (changed('finished', 'startTime') && startTime === undefined && !isEmptyJob) {
    at.child('startTime').required('startTime is required for finished job')
  }
  const count = (uncounted?.failed?.length ?? 0) + (uncounted?.succeeded?.length ?? 0)
  if (changed('finished', 'uncountedTerminatedPods') && count > 0) {
    const printed = printStruct(uncounted, 'UncountedTerminatedPods')
    at.child('uncountedTerminatedPods').invalidPrinted(printed, 'must be empty for finished job')
  }
}

function checkIndexes({ job, status, changed }: StatusChange, at: FieldPath): void {
  const { completions, backoffLimitPerIndex, completionMode } = job.spec ?? {}
  const { completedIndexes = '', failedIndexes, terminating = 0, ready, active = 0 } = status
  const completedAt = at.child('completedIndexes')
  const failedAt = at.child('failedIndexes')
  if (changed('completedIndexes') && completions !== undefined) {
    const count = indexCount(completedIndexes, completions)
    if (typeof count === 'string') {
      completedAt.invalid(completedIndexes, `error parsing completedIndexes: ${count}`)
    }
  }
  if (changed('failedIndexes') && completions !== undefined && failedIndexes !== undefined) {
    const count = backoffLimitPerIndex === undefined ? 0 : indexCount(failedIndexes, completions)
    if (typeof count === 'string') {
      failedAt.invalid(failedIndexes, `error parsing failedIndexes: ${count}`)
    }
  }
  if (changed('completedIndexes') && completedIndexes !== '' && completionMode !== 'Indexed') {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode'
    completedAt.invalid(completedIndexes, detail)
  }
  if (changed('failedIndexes') && backoffLimitPerIndex === undefined) {
    const detail = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'
    if (failedIndexes !== undefined) failedAt.invalid(failedIndexes, detail)
  }
  if (changed('failedIndexes', 'completedIndexes') && failedIndexes !== undefined) {
    const index = commonIndex(completedIndexes, failedIndexes, completions ?? 0)
    const detail = `failedIndexes and completedIndexes overlap at index: ${index ?? 0}`
    if (index !== undefined) failedAt.invalid(failedIndexes, detail)
  }
  if (changed('finished', 'terminating') && terminating > 0 && isFinished(status)) {
    at.child('terminating').invalid(terminating, 'terminating>0 is invalid for finished job')
  }
  if (changed('ready', 'active') && ready !== undefined && ready > active) {
    at.child('ready').invalid(ready, 'cannot set more ready pods than active')
  }
}

function checkSuccess({ job, status }: StatusChange, at: FieldPath): void {
  const isMet = isTrue(status, 'SuccessCriteriaMet')
  const refuse = (detail: string) => at.child('conditions').invalidOmitted(detail)
  if (isMet && isTrue(status, 'Failed')) {
    refuse('cannot set SuccessCriteriaMet=True and Failed=true conditions')
  }
  if (isMet && isTrue(status, 'FailureTarget')) {
    refuse('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions')
  }
  if (job.spec?.successPolicy !== undefined && !isMet && isTrue(status, 'Complete')) {
    refuse('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True')
  }
}

function checkHistory({ job, status, old, changed }: StatusChange, at: FieldPath): void {
  const refuse = (detail: string) => at.child('conditions').invalidOmitted(detail)
  for (const type of ['Failed', 'Complete', 'FailureTarget']) {
    if (!isTrue(old, type) || isTrue(status, type)) continue
    refuse(`cannot disable the terminal ${type}=True condition`)
  }
  const { failed = 0, succeeded = 0, completionTime, startTime } = status
  if (failed < (old.failed ?? 0)) {
    at.child('failed').invalid(failed, 'cannot decrease the failed counter')
  }
  const { completionMode, completions, parallelism, suspend } = job.spec ?? {}
  const mayShrink = completionMode === 'Indexed' && completions === parallelism
  if (!mayShrink && succeeded < (old.succeeded ?? 0)) {
    at.child('succeeded').invalid(succeeded, 'cannot decrease the succeeded counter')
  }
  const oldTime = old.completionTime
  if (completionTime !== undefined && oldTime !== undefined && completionTime !== oldTime) {
    at.child('completionTime').invalid(completionTime, 'field is immutable')
  }
  const isResuming =
    isTrue(old, 'Suspended') &&
    (status.conditions ?? []).some(({ type, status }) => type === 'Suspended' && status === 'False')
  if (changed('startTime') && !isResuming && old.startTime !== undefined && suspend !== true) {
    const detail = 'field is immutable for unsuspended job once set'
    at.child('startTime').invalid(startTime, detail)
  }
  if (isTrue(old, 'SuccessCriteriaMet') && !isTrue(status, 'SuccessCriteriaMet')) {
    refuse('cannot disable the SuccessCriteriaMet=True condition')
  }
  const wasComplete = isTrue(old, 'Complete') && !isTrue(old, 'SuccessCriteriaMet')
  if (wasComplete && isTrue(status, 'SuccessCriteriaMet')) {
    refuse('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions')
  }
}
