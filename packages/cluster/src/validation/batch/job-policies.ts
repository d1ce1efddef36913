/** The policies by which Jobs fail or succeed before all their pods finished. */
import type { JobSpec } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import { indexCount } from './job-indexes.ts'
import { checkQualifiedName } from '../fields/check-label-selector.ts'
import { checkNonnegative } from '../fields/number-rules.ts'
import { byteLength } from '../fields/name-rules.ts'

type Spec = Decoded<JobSpec>
type FailureRule = NonNullable<NonNullable<Spec['podFailurePolicy']>['rules']>[number]
type SuccessRule = NonNullable<NonNullable<Spec['successPolicy']>['rules']>[number]

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const operators = ['In', 'NotIn']
const statuses = ['False', 'True', 'Unknown']

function validValues(values: readonly string[]): string {
  return `valid values: [${values.map((value) => `"${value}"`).join(' ')}]`
}

/** Checks the pod failure policy. */
export function checkPodFailurePolicy(spec: Spec, at: FieldPath): void {
  const rules = spec.podFailurePolicy?.rules ?? []
  const { containers = [], initContainers = [] } = spec.template?.spec ?? {}
  const names = new Set([...containers, ...initContainers].map(({ name }) => name))
  if (rules.length > 20) at.child('rules').tooMany(rules.length, 20)
  for (const [index, rule] of rules.entries()) {
    const place = at.child('rules').index(index)
    checkAction(rule, place.child('action'), spec)
    if (rule.onExitCodes !== undefined) {
      checkExitCodes(rule.onExitCodes, place.child('onExitCodes'), names)
    }
    const conditions = rule.onPodConditions ?? []
    checkPatterns(conditions, place.child('onPodConditions'))
    const hasCodes = rule.onExitCodes !== undefined
    if (hasCodes && conditions.length > 0) {
      place.invalidOmitted('specifying both OnExitCodes and OnPodConditions is not supported')
    } else if (!hasCodes && conditions.length === 0) {
      place.invalidOmitted('specifying one of OnExitCodes and OnPodConditions is required')
    }
  }
}

function checkAction({ action = '' }: FailureRule, at: FieldPath, spec: Spec): void {
  if (action === '') at.required(validValues(actions))
  else if (action === 'FailIndex') {
    if (spec.backoffLimitPerIndex !== undefined) return
    at.invalid(action, 'requires the backoffLimitPerIndex to be set')
  } else if (!actions.includes(action)) at.notSupported(action, actions)
}

function checkExitCodes(
  { operator = '', containerName, values: sent }: NonNullable<FailureRule['onExitCodes']>,
  at: FieldPath,
  containers: ReadonlySet<string | undefined>,
): void {
  const values = sent ?? []
  if (operator === '') at.child('operator').required(validValues(operators))
  else if (!operators.includes(operator)) at.child('operator').notSupported(operator, operators)
  if (containerName !== undefined && !containers.has(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template'
    at.child('containerName').invalid(containerName, detail)
  }
  const place = at.child('values')
  if (values.length === 0) place.invalid(sent, 'at least one value is required')
  else if (values.length > 255) place.tooMany(values.length, 255)
  const seen = new Set<number>()
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0) {
      place.index(index).invalid(value, 'must not be 0 for the In operator')
    }
    if (seen.has(value)) place.index(index).duplicate(value)
    seen.add(value)
  }
  if (values.some((value, index) => index > 0 && (values[index - 1] ?? 0) > value)) {
    place.invalid(values, 'must be ordered')
  }
}

function checkPatterns(patterns: NonNullable<FailureRule['onPodConditions']>, at: FieldPath): void {
  if (patterns.length > 20) at.tooMany(patterns.length, 20)
  for (const [index, { type = '', status = '' }] of patterns.entries()) {
    const place = at.index(index)
    checkQualifiedName(type, place.child('type'))
    if (status === '') place.child('status').required(validValues(statuses))
    else if (!statuses.includes(status)) place.child('status').notSupported(status, statuses)
  }
}

/** Checks the success policy. */
export function checkSuccessPolicy(spec: Spec, at: FieldPath): void {
  if (spec.completionMode !== 'Indexed') {
    const printed = printStruct(spec.successPolicy, 'SuccessPolicy')
    return at.invalidPrinted(printed, 'requires indexed completion mode')
  }
  const rules = spec.successPolicy?.rules ?? []
  const place = at.child('rules')
  if (rules.length === 0) {
    place.required('at least one rules must be specified when the successPolicy is specified')
  }
  if (rules.length > 20) place.tooMany(rules.length, 20)
  for (const [index, rule] of rules.entries()) {
    checkSuccessRule(rule, place.index(index), spec.completions ?? 0)
  }
}

function checkSuccessRule(rule: SuccessRule, at: FieldPath, completions: number): void {
  const { succeededCount: count, succeededIndexes: indexes } = rule
  if (count === undefined && indexes === undefined) {
    at.required('at least one of succeededCount or succeededIndexes must be specified')
  }
  let total = 0
  if (indexes !== undefined) {
    const place = at.child('succeededIndexes')
    if (byteLength(indexes) > 64 * 1024) place.tooLong(64 * 1024)
    const result = indexCount(indexes, completions)
    if (typeof result === 'number') total = result
    else place.invalid(indexes, `error parsing succeededIndexes: ${result}`)
  }
  if (count === undefined) return
  const place = at.child('succeededCount')
  checkNonnegative(count, place)
  const atMost = (limit: number, what: string) =>
    place.invalid(count, `must be less than or equal to ${limit} (${what})`)
  if (count > completions) atMost(completions, 'the number of specified completions')
  if (indexes !== undefined && count > total) {
    atMost(total, 'the number of indexes in the specified succeededIndexes field')
  }
}
