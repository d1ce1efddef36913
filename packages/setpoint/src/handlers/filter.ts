import type { JsonValue } from '../schema/index.ts'
import { jsonEquals } from '../schema/json-value.ts'

/** In a filter: any value, but there must be one. */
export const present: unique symbol = Symbol('present')

/** In a filter: there must be no value. */
export const absent: unique symbol = Symbol('absent')

/** A required value: this one, `present`, `absent`, or one that a function accepts. */
export type ValueFilter<T = JsonValue> =
  T | typeof present | typeof absent | ((value: T | undefined) => boolean)

/** Whether a filter accepts a value, or its absence. */
export function isAccepted<T>(filter: ValueFilter<T>, value: unknown): boolean {
  if (filter === present) return value !== undefined
  if (filter === absent) return value === undefined
  if (typeof filter === 'function') return (filter as (value: unknown) => boolean)(value)
  return jsonEquals(filter, value)
}

/** Whether filters accept labels or annotations. */
export function areAccepted(
  filters: Readonly<Record<string, ValueFilter<string>>> = {},
  values: Readonly<Record<string, string>> = {},
): boolean {
  return Object.entries(filters).every(([name, filter]) =>
    isAccepted(filter, Object.hasOwn(values, name) ? values[name] : undefined),
  )
}
