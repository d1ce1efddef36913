import type { FieldPath } from '../go/field-path.ts'

/** A rule for structs with required strings or lists. */
export function checkRequiredFields<K extends string>(
  ...fields: readonly K[]
): (value: { readonly [Key in K]?: string | readonly unknown[] }, at: FieldPath) => void {
  return (value, at) => {
    for (const field of fields) {
      const found = value[field]
      if (found === undefined || found.length === 0) at.child(field).required()
    }
  }
}
