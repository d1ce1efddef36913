import { isJsonObject, type JsonValue } from 'setpoint/schema'

/** Removes maps that only have a directive from a new value; undefined for such a map itself. */
export function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives).filter((item): item is JsonValue => item !== undefined)
  }
  if (!isJsonObject(value)) return value
  if (Object.hasOwn(value, '$patch')) return undefined
  const kept: [string, JsonValue][] = []
  for (const [key, item] of Object.entries(value)) {
    const clean = withoutDirectives(item)
    if (clean !== undefined) kept.push([key, clean])
  }
  return Object.fromEntries(kept)
}
