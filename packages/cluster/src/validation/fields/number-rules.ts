import type { FieldPath } from '../go/field-path.ts'

/** Reports a negative number; a missing one is zero. */
export function checkNonnegative(value: number | undefined, at: FieldPath): void {
  if (value !== undefined && value < 0) at.invalid(value, 'must be greater than or equal to 0')
}

/** Checks several fields of one object, in the given order. */
export function checkNonnegativeFields<K extends string>(
  object: { readonly [Key in K]?: number },
  fields: readonly K[],
  at: FieldPath,
): void {
  for (const field of fields) {
    const value = object[field]
    if (value !== undefined && value < 0) checkNonnegative(value, at.child(field))
  }
}

/** Reports a number that is not positive. */
export function checkPositive(value: number, at: FieldPath): void {
  if (value <= 0) at.invalid(value, 'must be greater than zero')
}
