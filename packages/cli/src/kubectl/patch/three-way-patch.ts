import { isJsonObject, jsonEquals, type JsonObject, type JsonValue } from 'setpoint/schema'

/** The three states that applying a file compares. */
export interface ThreeStates {
  /** The last applied file. */
  readonly original: JsonValue
  /** The file to apply. */
  readonly modified: JsonValue
  /** The live object. */
  readonly current: JsonValue
}

/**
 * The merge patch that applies a file: fields of the file that differ from the live object, and
 * `null` for fields of the last applied file that this one does not have. Other fields are kept.
 * Lists are replaced as a whole.
 */
export function threeWayMergePatch({ original, modified, current }: ThreeStates): JsonObject {
  const patch: JsonObject = {}
  const before = asObject(original)
  const after = asObject(modified)
  const now = asObject(current)
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name) && Object.hasOwn(now, name)) patch[name] = null
  }
  for (const [name, desired] of Object.entries(after)) {
    const has = Object.hasOwn(now, name) ? (now[name] as JsonValue) : undefined
    if (desired === null) {
      if (has !== undefined) patch[name] = null
    } else if (has === undefined) patch[name] = desired
    else if (isJsonObject(desired) && isJsonObject(has)) {
      const inner = threeWayMergePatch({
        original: before[name] ?? {},
        modified: desired,
        current: has,
      })
      if (Object.keys(inner).length > 0) patch[name] = inner
    } else if (!jsonEquals(desired, has)) patch[name] = desired
  }
  return patch
}

/** The value if it is an object, else an empty object. */
export function asObject(value: JsonValue | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {}
}
