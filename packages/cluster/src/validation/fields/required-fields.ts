import type { FieldPlace } from '../go/field-place.ts'

/** A rule for structs of which some texts or lists must not be empty. */
export function checkRequiredFields<K extends string>(
  ...fields: readonly K[]
): (value: { readonly [Key in K]?: string | readonly unknown[] }, at: FieldPlace) => void {
  return (value, at) => {
    for (const field of fields) {
      const found = value[field]
      if (found === undefined || found.length === 0) at.child(field).required()
    }
  }
}
