import type { CronJob } from 'setpoint/kinds'
import { scheduleProblem } from './cron-schedule.ts'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import { checkJobSpec } from './job-spec.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import { byteLength } from '../fields/name-rules.ts'
import { checkNonnegativeFields } from '../fields/number-rules.ts'
import { templateOptions } from '../pod/pod-template.ts'
import { isTimeZone } from './time-zone.ts'

type Spec = NonNullable<Created<CronJob>['object']['spec']>

const policies = ['Allow', 'Forbid', 'Replace']
/** The controller appends eleven characters to the names of its Jobs. */
const nameMax = 52

function checkSpec(spec: Spec, at: FieldPath, old?: Spec): void {
  const { schedule = '', timeZone, concurrencyPolicy: policy = '' } = spec
  if (schedule === '') at.child('schedule').required()
  else checkSchedule(spec, at.child('schedule'), old)
  checkNonnegativeFields(spec, ['startingDeadlineSeconds'], at)
  if (timeZone !== undefined && timeZone !== old?.timeZone) {
    checkTimeZone(timeZone, at.child('timeZone'))
  }
  if (policy === '') at.child('concurrencyPolicy').required()
  else if (!policies.includes(policy)) at.child('concurrencyPolicy').notSupported(policy, policies)
  checkJobTemplate(spec, at.child('jobTemplate', 'spec'), old)
  checkNonnegativeFields(spec, ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'], at)
}

function checkSchedule({ schedule = '', timeZone }: Spec, at: FieldPath, old?: Spec): void {
  const problem = scheduleProblem(schedule)
  if (problem !== undefined) at.invalid(schedule, problem)
  if (!schedule.includes('TZ')) return
  if (old?.schedule?.includes('TZ') !== true) {
    at.invalid(schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')
  } else if (timeZone !== undefined) {
    at.invalid(schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule')
  }
}

function checkTimeZone(zone: string, at: FieldPath): void {
  if (zone === '') return at.invalid(zone, 'timeZone must be nil or non-empty string')
  const isMalformed = zone
    .split('/')
    .some(
      (part) =>
        part === '.' ||
        part === '..' ||
        part.startsWith('-') ||
        !/^[A-Za-z.\-_0-9+]{1,14}$/.test(part),
    )
  if (isMalformed) return at.invalid(zone, `unknown time zone ${zone}`)
  if (zone.toLowerCase() === 'local') {
    const detail =
      'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'
    at.invalid(zone, detail)
  }
  if (!isTimeZone(zone)) at.invalid(zone, `unknown time zone ${zone}`)
}

function checkJobTemplate({ jobTemplate }: Spec, at: FieldPath, old?: Spec): void {
  const spec = jobTemplate?.spec ?? {}
  const oldTemplate = old === undefined ? undefined : (old.jobTemplate?.spec?.template ?? {})
  checkJobSpec(spec, at, templateOptions(oldTemplate))
  if (spec.selector !== undefined) {
    const printed = printStruct(spec.selector, 'LabelSelector')
    at.child('selector').invalidPrinted(printed, '`selector` will be auto-generated')
  }
  if (spec.manualSelector === true) at.child('manualSelector').notSupported(true, ['nil', 'false'])
}

/** The rules of CronJobs. */
export const cronJobRules = checkedKind<CronJob>({
  group: 'batch',
  kind: 'CronJob',
  resource: 'cronjobs',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create({ object, at, checkMetadata }) {
    const { name = '' } = object.metadata ?? {}
    checkMetadata()
    checkSpec(object.spec ?? {}, at.child('spec'))
    if (byteLength(name) > nameMax) {
      at.child('metadata', 'name').invalid(name, `must be no more than ${nameMax} characters`)
    }
  },
  update({ object, old, at, checkMetadataUpdate }) {
    checkMetadataUpdate()
    checkSpec(object.spec ?? {}, at.child('spec'), old.spec ?? {})
  },
})
