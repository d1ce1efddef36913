import type { JsonValue } from '../schema/index.ts'
import { jsonEquals } from '../schema/json-value.ts'

/** In a filter: any value, but there must be one. */
export const present: unique symbol = Symbol('present')

/** In a filter: there must be no value. */
export const absent: unique symbol = Symbol('absent')

/** A required value: this one, `present`, `absent`, or one that a function accepts. */
export type ValueFilter<T = JsonValue> =
  T | typeof present | typeof absent | ((value: T | undefined) => boolean)

/** A filter of a label or annotation: its function gets the object, too. */
export type TextFilter<Served = never> =
  string | typeof present | typeof absent | ((value: string | undefined, object: Served) => boolean)

/** Whether a filter accepts a value, or its absence. */
export function isAccepted<T>(
  filter: ValueFilter<T> | TextFilter,
  value: unknown,
  object?: unknown,
): boolean {
  if (filter === present) return value !== undefined
  if (filter === absent) return value === undefined
  if (typeof filter === 'function')
    return (filter as (value: unknown, object: unknown) => boolean)(value, object)
  return jsonEquals(filter, value)
}

/** Whether filters accept the labels or annotations of an object. */
export function areAccepted(
  filters: Readonly<Record<string, TextFilter>> = {},
  values: Readonly<Record<string, string>> = {},
  object: unknown,
): boolean {
  return Object.entries(filters).every(([name, filter]) =>
    isAccepted(filter, Object.hasOwn(values, name) ? values[name] : undefined, object),
  )
}
