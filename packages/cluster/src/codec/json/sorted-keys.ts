import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { compareKeys } from './compare-keys.ts'
import { setOwn } from './json-object.ts'

/**
 * An object of a custom kind as a real server prints it: Go keeps it as a map, and prints maps
 * sorted by key. Shares values without keys with `object`, which it does not change.
 */
export function sortedKeys(object: JsonObject): JsonObject {
  const sorted: JsonObject = {}
  for (const key of Object.keys(object).sort(compareKeys)) {
    setOwn(sorted, key, sortedValue(object[key] as JsonValue))
  }
  return sorted
}

function sortedValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortedValue)
  return isJsonObject(value) ? sortedKeys(value) : value
}
