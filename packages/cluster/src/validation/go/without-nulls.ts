import type { JsonObject, JsonValue } from 'setpoint/schema'
import { fieldsSentEmpty } from '../../codec/index.ts'

/**
 * The object without null fields: decoding writes Go's nil for fields that are always printed, and
 * the rules only know absent fields. Fields that were sent empty are restored, because messages may
 * quote them. The raw field stays as it is. Parts without either are shared with the input.
 */
export function withoutNulls(object: JsonObject, rawField?: string): JsonObject {
  const empty = fieldsSentEmpty(object)
  let copy: JsonObject | undefined = empty === undefined ? undefined : { ...empty, ...object }
  for (const key in object) {
    if (key === rawField) continue
    const value = object[key] as JsonValue
    const next = value === null ? undefined : cleaned(value)
    if (next === value) continue
    copy ??= { ...object }
    if (next === undefined) Reflect.deleteProperty(copy, key)
    else copy[key] = next
  }
  return copy ?? object
}

function cleaned(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) return withoutNulls(value)
  let copy: JsonValue[] | undefined
  for (const [index, item] of value.entries()) {
    const next = cleaned(item)
    if (next === item) continue
    copy ??= [...value]
    copy[index] = next
  }
  return copy ?? value
}
