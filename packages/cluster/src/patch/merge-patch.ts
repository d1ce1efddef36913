import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { badRequest } from '../status/index.ts'
import { wrongShape } from './patch-error.ts'

/** Applies a JSON merge patch (RFC 7386); throws a 400 error for a patch that is not an object. */
export function applyMergePatch(
  target: JsonObject,
  patch: JsonValue,
  isValidated = true,
): JsonObject {
  if (patch === null || (!isJsonObject(patch) && !isValidated)) {
    throw badRequest('Invalid JSON Patch')
  }
  if (!isJsonObject(patch)) throw wrongShape(patch, 'value of type map[string]interface {}')
  return mergeObjects(target, patch)
}

function mergeObjects(target: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map(Object.entries(target))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) {
      merged.delete(name)
      continue
    }
    const own = merged.get(name)
    if (isJsonObject(own)) merged.set(name, isJsonObject(value) ? mergeObjects(own, value) : value)
    else merged.set(name, withoutNullFields(value))
  }
  return Object.fromEntries(merged)
}

/** Go's patch library removes null fields from new values, including objects in lists. */
export function withoutNullFields(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNullFields)
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(([, item]) => item !== null)
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutNullFields(item)]))
}
