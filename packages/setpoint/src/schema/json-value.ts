/**
 * The shared operations on plain JSON. The two maps copy only when something changed, so that
 * unchanged parts of an object stay identical (`===`) to the input's.
 */
import type { JsonValue, StructuralSchema } from './structural-schema.ts'

/** A JSON object. */
export interface JsonObject {
  [key: string]: JsonValue
}

/** Narrows to a JSON object: not an array, not null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return hasFields(value)
}

/** Whether a value of unknown origin is an object: not an array, not null. */
export function hasFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is a plain object: not a list, and without a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // Objects of another realm have another `Object`.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Replaces items of a list; returns the same list when no item changed. */
export function mapItems(
  items: JsonValue[],
  change: (item: JsonValue, index: number) => JsonValue,
): JsonValue[] {
  let copy: JsonValue[] | undefined
  for (const [index, item] of items.entries()) {
    const next = change(item, index)
    if (next === item) continue
    copy ??= [...items]
    copy[index] = next
  }
  return copy ?? items
}

/** Replaces or (with `undefined`) removes fields; returns the same object when nothing changed. */
export function mapValues(
  object: JsonObject,
  change: (value: JsonValue, key: string) => JsonValue | undefined,
): JsonObject {
  let copy: JsonObject | undefined
  for (const key of Object.keys(object)) {
    const value = object[key] as JsonValue
    const next = change(value, key)
    if (next === value) continue
    copy ??= { ...object }
    if (next === undefined) Reflect.deleteProperty(copy, key)
    else setField(copy, key, next)
  }
  return copy ?? object
}

/** Sets a field even if its name is `__proto__`, which a plain assignment would ignore. */
export function setField(object: JsonObject, key: string, value: JsonValue): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true })
}

/** Structural equality of two JSON values; the order of keys does not matter. */
export function jsonEquals(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => jsonEquals(item, b[index]))
  }
  if (!hasFields(a) || !hasFields(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && jsonEquals(a[key], b[key]))
  )
}

/** The schema of one field: of a declared property, or the common schema of all other keys. */
export function schemaOfField(
  schema: StructuralSchema | undefined,
  key: string,
): StructuralSchema | undefined {
  if (schema === undefined) return undefined
  const { properties, additionalProperties } = schema
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}
