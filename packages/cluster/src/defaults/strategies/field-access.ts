import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

/** The object in a field; a new empty one, which is not stored, when it is absent. */
export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = Object.hasOwn(object, key) ? object[key] : undefined
  return isJsonObject(value) ? value : {}
}

/** The list in a field; a new empty one, which is not stored, when it is absent. */
export function listAt(object: JsonObject, key: string): JsonValue[] {
  const value = Object.hasOwn(object, key) ? object[key] : undefined
  return Array.isArray(value) ? value : []
}

/** The value at a path of fields. */
export function valueAt(object: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object
  for (const key of path) {
    value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }
  return value
}

/** Restores a field of `object` from `old`: the same value, or absent. */
export function keepField(object: JsonObject, old: JsonObject, key: string): void {
  const value = Object.hasOwn(old, key) ? old[key] : undefined
  if (value === undefined) Reflect.deleteProperty(object, key)
  // A copy: the old object must not change with the new one.
  else object[key] = structuredClone(value)
}
