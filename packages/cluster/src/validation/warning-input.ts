import type { FieldPath } from './go/field-path.ts'

/** An accepted write that may cause warnings; `at` is the field path of the object. */
export interface WarningInput<T> {
  readonly object: T
  /** The stored object; undefined for a create. */
  readonly old: T | undefined
  readonly at: FieldPath
}
