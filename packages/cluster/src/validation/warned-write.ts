import type { FieldPlace } from './go/field-place.ts'

/** An accepted write whose author may be told something; `at` is the object's own place. */
export interface WarnedWrite<T> {
  readonly object: T
  /** What is there already; undefined for a new object. */
  readonly old: T | undefined
  readonly at: FieldPlace
}
