import type { FieldPlace } from '../go/field-place.ts'
import { percentComplaints } from './name-rules.ts'
import { checkNonnegative } from './number-rules.ts'

/** A number of pods, or a share of them such as `25%`. */
type IntOrPercent = number | string

/** Complains about negative numbers and about texts that are no percentage. */
export function checkIntOrPercent(value: IntOrPercent, at: FieldPlace): void {
  if (typeof value === 'string') at.complaints(value, percentComplaints(value))
  else checkNonnegative(value, at)
}

function percentOf(value: IntOrPercent): number | undefined {
  if (typeof value !== 'string' || percentComplaints(value).length > 0) return undefined
  return Number(value.slice(0, -1))
}

/** The number in front of `%`, or the number itself: enough to see whether it is zero. */
export function leadingNumber(value: IntOrPercent): number {
  return percentOf(value) ?? (typeof value === 'number' ? value : Number(value) || 0)
}

/** Complains about more than the whole. */
export function checkAtMost100Percent(value: IntOrPercent, at: FieldPlace): void {
  if ((percentOf(value) ?? 0) > 100) at.invalid(value, 'must not be greater than 100%')
}
