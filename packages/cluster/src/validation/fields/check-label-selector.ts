import type { LabelSelector } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { labelValueProblems, qualifiedNameProblems } from './name-rules.ts'

/** A map of strings, such as labels. */
export type TextMap = Readonly<Record<string, string | undefined>>

type Selector = Decoded<LabelSelector>
type Requirement = NonNullable<Selector['matchExpressions']>[number]

/** Checks the key of a label, or another field with the same rule. */
export function checkQualifiedName(name: string, at: FieldPath): void {
  at.invalidEach(name, qualifiedNameProblems(name))
}

/** Checks keys and values of labels. All errors are reported at the map itself. */
export function checkLabels(labels: TextMap | undefined, at: FieldPath): void {
  for (const key in labels) {
    const value = labels[key] ?? ''
    at.invalidEach(key, qualifiedNameProblems(key))
    at.invalidEach(value, labelValueProblems(value))
  }
}

/** How strict a check of a selector is. */
interface SelectorOptions {
  /** The stored object already has invalid values. */
  readonly allowInvalidValues?: boolean
}

/** Checks a selector; a missing one has no errors. */
export function checkLabelSelector(
  selector: Selector | undefined,
  at: FieldPath,
  options: SelectorOptions = {},
): void {
  if (selector === undefined) return
  checkLabels(selector.matchLabels, at.child('matchLabels'))
  for (const [index, requirement] of (selector.matchExpressions ?? []).entries()) {
    checkRequirement(requirement, at.child('matchExpressions').index(index), options)
  }
}

function checkRequirement(
  { key = '', operator = '', values = [] }: Requirement,
  at: FieldPath,
  { allowInvalidValues = false }: SelectorOptions,
): void {
  checkOperatorValues(operator, values, at)
  checkQualifiedName(key, at.child('key'))
  if (allowInvalidValues) return
  for (const [index, value] of values.entries()) {
    const problems = labelValueProblems(value)
    if (problems.length > 0) at.child('values').index(index).invalidEach(value, problems)
  }
}

/** Checks the number of values for an operator. */
export function checkOperatorValues(
  operator: string,
  values: readonly string[],
  at: FieldPath,
): void {
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      at.child('values').required("must be specified when `operator` is 'In' or 'NotIn'")
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
      at.child('values').forbidden(detail)
    }
  } else at.child('operator').invalidNamed(operator, 'not a valid selector operator')
}

/** Whether the selector has no requirements. */
export function isEmptySelector(selector: Selector | undefined): boolean {
  if (selector === undefined) return true
  const labels = Object.keys(selector.matchLabels ?? {}).length
  return labels + (selector.matchExpressions?.length ?? 0) === 0
}

/** Whether the selector can be parsed; invalid ones have their own errors. */
export function isReadableSelector(selector: Selector | undefined): boolean {
  const labelsFine = Object.entries(selector?.matchLabels ?? {}).every(
    ([key, value = '']) =>
      qualifiedNameProblems(key).length === 0 && labelValueProblems(value).length === 0,
  )
  return labelsFine && (selector?.matchExpressions ?? []).every(isReadableRequirement)
}

function isReadableRequirement({ key = '', operator = '', values = [] }: Requirement): boolean {
  const isSet = operator === 'In' || operator === 'NotIn'
  const isPresence = operator === 'Exists' || operator === 'DoesNotExist'
  if (!isSet && !isPresence) return false
  if (isSet ? values.length === 0 : values.length > 0) return false
  return (
    qualifiedNameProblems(key).length === 0 &&
    values.every((value) => labelValueProblems(value).length === 0)
  )
}

/**
 * Whether the labels match the selector. A missing selector matches nothing, an empty one
 * everything.
 */
export function selectorMatches(
  selector: Selector | undefined,
  labels: TextMap | undefined,
): boolean {
  if (selector === undefined) return false
  const has = (key: string) => labels !== undefined && Object.hasOwn(labels, key)
  const pairs = Object.entries(selector.matchLabels ?? {})
  if (!pairs.every(([key, value]) => has(key) && labels?.[key] === value)) return false
  return (selector.matchExpressions ?? []).every(({ key = '', operator, values = [] }) => {
    if (operator === 'In') return has(key) && values.includes(labels?.[key] ?? '')
    if (operator === 'NotIn') return !has(key) || !values.includes(labels?.[key] ?? '')
    return operator === 'Exists' ? has(key) : !has(key)
  })
}
