import type { JsonObject, JsonValue } from 'setpoint/schema'
import { isTerminating, nameOf } from '../../object/index.ts'
import { ageOf, isSet, timeSince, type Timestamp } from '../age.ts'
import { containerCells, type PodTemplate } from '../container-cells.ts'
import { humanDuration } from '../human-duration.ts'
import { selectorText, type LabelSelector } from '../label-text.ts'
import type { CellPrinters } from '../row-printer.ts'

/** Jobs and cron jobs. */
export const batchPrinters: CellPrinters = {
  'batch/cronjobs': cronJobCells,
  'batch/jobs': jobCells,
}

interface JobSpec {
  readonly completions?: number
  readonly parallelism?: number
  readonly selector?: LabelSelector
  readonly template?: PodTemplate
}

interface Job {
  readonly spec?: JobSpec
  readonly status?: {
    readonly succeeded?: number
    readonly startTime?: Timestamp
    readonly completionTime?: Timestamp
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
  }
}

function jobCells(object: JsonObject, nowMs: number): JsonValue[] {
  const job = object as unknown as Job
  return [
    nameOf(object),
    jobStatus(job, isTerminating(object)),
    completions(job),
    jobDuration(job, nowMs),
    ageOf(object, nowMs),
    ...containerCells(job.spec?.template),
    selectorText(job.spec?.selector),
  ]
}

function jobStatus({ status }: Job, deleting: boolean): string {
  const isTrue = (type: string): boolean =>
    status?.conditions?.find((condition) => condition.type === type)?.status === 'True'
  for (const end of ['Complete', 'Failed']) if (isTrue(end)) return end
  if (deleting) return 'Terminating'
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(isTrue) ?? 'Running'
}

function completions({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`
  const parallelism = spec?.parallelism ?? 0
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function jobDuration({ status }: Job, nowMs: number): string {
  if (!isSet(status?.startTime)) return ''
  const end = isSet(status.completionTime) ? Date.parse(status.completionTime) : nowMs
  return humanDuration(end - Date.parse(status.startTime))
}

interface CronJob {
  readonly spec?: {
    readonly schedule?: string
    readonly timeZone?: string
    readonly suspend?: boolean
    readonly jobTemplate?: { readonly spec?: JobSpec }
  }
  readonly status?: {
    readonly active?: readonly object[]
    readonly lastScheduleTime?: Timestamp
  }
}

function cronJobCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec, status } = object as unknown as CronJob
  const job = spec?.jobTemplate?.spec
  const last = status?.lastScheduleTime
  return [
    nameOf(object),
    spec?.schedule ?? '',
    spec?.timeZone ?? '<none>',
    spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False',
    (status?.active ?? []).length,
    isSet(last) ? timeSince(last, nowMs) : '<none>',
    ageOf(object, nowMs),
    ...containerCells(job?.template),
    selectorText(job?.selector),
  ]
}
