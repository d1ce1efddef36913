import type { FieldPath } from '../go/field-path.ts'
import { percentProblems } from './name-rules.ts'
import { checkNonnegative } from './number-rules.ts'

/** A number of pods, or a percentage such as `25%`. */
type IntOrPercent = number | string

/** Reports negative numbers and strings that are not a percentage. */
export function checkIntOrPercent(value: IntOrPercent, at: FieldPath): void {
  if (typeof value === 'number') return checkNonnegative(value, at)
  for (const problem of percentProblems(value)) at.invalidNamed(value, problem)
}

function percentOf(value: IntOrPercent): number | undefined {
  if (typeof value !== 'string' || percentProblems(value).length > 0) return undefined
  return Number(value.slice(0, -1))
}

/** The number before `%`, or the number itself: enough to compare it with zero. */
export function leadingNumber(value: IntOrPercent): number {
  if (typeof value === 'number') return value
  return percentOf(value) ?? (/^[+-]?\d+$/.test(value) ? Number(value) : 0)
}

/** Reports more than 100%. */
export function checkAtMost100Percent(value: IntOrPercent, at: FieldPath): void {
  if ((percentOf(value) ?? 0) > 100) at.invalid(value, 'must not be greater than 100%')
}
