import type { JobSpec } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkPodFailurePolicy, checkSuccessPolicy } from './job-policies.ts'
import { byteLength, regexProblem, subdomainProblems } from '../fields/name-rules.ts'
import { checkNonnegativeFields } from '../fields/number-rules.ts'
import type { PodOptions } from '../pod/pod-options.ts'
import { checkTemplate } from '../pod/pod-template.ts'

/** The spec of a Job, or of the template in a CronJob. */
export type Spec = Decoded<JobSpec>

const parallelismMax = 100_000
const manyCompletions = 100_000
const manyCompletionsLimit = 10_000

/** Checks everything but the selector, which CronJobs do not have. */
export function checkJobSpec(spec: Spec, at: FieldPath, options: PodOptions): void {
  const counts = [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ] as const
  checkNonnegativeFields(spec, counts, at)
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    at.child('backoffLimitPerIndex').required('when maxFailedIndexes is specified')
  }
  if (spec.managedBy !== undefined) {
    checkDomainPath(spec.managedBy, at.child('managedBy'))
    if (byteLength(spec.managedBy) > 63) at.child('managedBy').tooLong(63)
  }
  checkCompletionMode(spec, at)
  if (spec.podFailurePolicy !== undefined) checkPodFailurePolicy(spec, at.child('podFailurePolicy'))
  if (spec.successPolicy !== undefined) checkSuccessPolicy(spec, at.child('successPolicy'))
  checkReplacementPolicy(spec, at.child('podReplacementPolicy'))
  checkTemplate(spec.template ?? {}, at.child('template'), options)
  checkRestartPolicy(spec, at.child('template', 'spec', 'restartPolicy'))
}

/** Checks `domain/path`. */
export function checkDomainPath(text: string, at: FieldPath): void {
  if (text === '') return at.required()
  const slash = text.indexOf('/')
  const [domain, path] = [text.slice(0, Math.max(slash, 0)), text.slice(slash + 1)]
  if (slash <= 0 || path === '') {
    return at.invalid(text, 'must be a domain-prefixed path (such as "acme.io/foo")')
  }
  at.invalidEach(domain, subdomainProblems(domain))
  const pattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"
  if (!new RegExp(`^${pattern}$`).test(path)) {
    at.invalid(path, regexProblem('Invalid path', pattern, []))
  }
}

function checkCompletionMode(spec: Spec, at: FieldPath): void {
  const { completionMode: mode, backoffLimitPerIndex, maxFailedIndexes } = spec
  if (mode === 'Indexed') return checkIndexed(spec, at)
  if (mode !== undefined && mode !== 'NonIndexed') {
    return at.child('completionMode').notSupported(mode, ['NonIndexed', 'Indexed'])
  }
  const detail = 'requires indexed completion mode'
  if (backoffLimitPerIndex !== undefined) {
    at.child('backoffLimitPerIndex').invalid(backoffLimitPerIndex, detail)
  }
  if (maxFailedIndexes !== undefined) at.child('maxFailedIndexes').invalid(maxFailedIndexes, detail)
}

function checkIndexed(spec: Spec, at: FieldPath): void {
  const { completions, parallelism = 0, maxFailedIndexes: failed } = spec
  if (completions === undefined) {
    at.child('completions').required('when completion mode is Indexed')
  }
  const atMost = (limit: number, when: string) => `must be less than or equal to ${limit}${when}`
  if (parallelism > parallelismMax) {
    const detail = atMost(parallelismMax, ' when completion mode is Indexed')
    at.child('parallelism').invalid(parallelism, detail)
  }
  if (completions !== undefined && failed !== undefined && failed > completions) {
    at.child('maxFailedIndexes').invalid(failed, 'must be less than or equal to completions')
  }
  if (failed !== undefined && failed > parallelismMax) {
    at.child('maxFailedIndexes').invalid(failed, atMost(parallelismMax, ''))
  }
  if (spec.backoffLimitPerIndex === undefined || (completions ?? 0) <= manyCompletions) return
  const when = ` when completions are above ${manyCompletions} and used with backoff limit per index`
  if (failed === undefined) {
    const detail = `must be specified when completions is above ${manyCompletions}`
    at.child('maxFailedIndexes').required(detail)
  }
  if (parallelism > manyCompletionsLimit) {
    at.child('parallelism').invalid(parallelism, atMost(manyCompletionsLimit, when))
  }
  if (failed !== undefined && failed > manyCompletionsLimit) {
    at.child('maxFailedIndexes').invalid(failed, atMost(manyCompletionsLimit, when))
  }
}

function checkReplacementPolicy(spec: Spec, at: FieldPath): void {
  const { podReplacementPolicy: policy } = spec
  if (policy === undefined) return
  const supported =
    spec.podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed']
  if (!supported.includes(policy)) at.notSupported(policy, supported)
}

function checkRestartPolicy(spec: Spec, at: FieldPath): void {
  const policy = spec.template?.spec?.restartPolicy ?? ''
  if (policy === 'Always' || policy === '') at.required('valid values: "OnFailure", "Never"')
  else if (policy !== 'OnFailure' && policy !== 'Never') {
    at.notSupported(policy, ['OnFailure', 'Never'])
  } else if (spec.podFailurePolicy !== undefined && policy !== 'Never') {
    at.invalid(policy, 'only "Never" is supported when podFailurePolicy is specified')
  }
}
