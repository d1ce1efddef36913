import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

/**
 * Go's semantic equality: a missing list, an empty one and null are equal. An empty object differs
 * from a missing one, because `emptyDir: {}` has a meaning.
 */
export function semanticEquals(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b)
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, index) => semanticEquals(item, b[index]))
  }
  return isJsonObject(a) && isJsonObject(b) && sameFields(a, b)
}

function isNothing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

function sameFields(a: JsonObject, b: JsonObject): boolean {
  const fieldOf = (object: JsonObject, key: string): JsonValue | undefined =>
    Object.hasOwn(object, key) ? object[key] : undefined
  return (
    Object.keys(a).every((key) => semanticEquals(a[key], fieldOf(b, key))) &&
    Object.keys(b).every((key) => Object.hasOwn(a, key) || isNothing(b[key]))
  )
}
