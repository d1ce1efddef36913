import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { badRequest } from '../status/index.ts'
import { wrongShape } from './patch-error.ts'

/** Applies a JSON merge patch (RFC 7386); throws a 400 error for a patch that is not an object. */
export function applyMergePatch(target: JsonObject, patch: JsonValue): JsonObject {
  if (patch === null) throw badRequest('Invalid JSON Patch')
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
    if (!isJsonObject(value)) merged.set(name, value)
    else merged.set(name, mergeObjects(isJsonObject(own) ? own : {}, value))
  }
  return Object.fromEntries(merged)
}
