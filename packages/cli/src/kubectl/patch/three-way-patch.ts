import { isJsonObject, jsonEquals, type JsonObject, type JsonValue } from 'setpoint/schema'

/** The three states that applying a file compares. */
export interface ThreeStates {
  /** What was applied before. */
  readonly original: JsonValue
  /** What is to be applied. */
  readonly modified: JsonValue
  /** What the server has. */
  readonly current: JsonValue
}

/**
 * The merge patch that applies a file: what the file says and the server does not have, and `null` for what the last
 * file said and this one does not. What others wrote stays. Lists are taken as a whole.
 */
export function threeWayMergePatch({ original, modified, current }: ThreeStates): JsonObject {
  const patch: JsonObject = {}
  const before = asObject(original)
  const after = asObject(modified)
  const now = asObject(current)
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name) && Object.hasOwn(now, name)) patch[name] = null
  }
  for (const [name, wanted] of Object.entries(after)) {
    const has = Object.hasOwn(now, name) ? (now[name] as JsonValue) : undefined
    if (wanted === null) {
      if (has !== undefined) patch[name] = null
    } else if (has === undefined) patch[name] = wanted
    else if (isJsonObject(wanted) && isJsonObject(has)) {
      const inner = threeWayMergePatch({
        original: before[name] ?? {},
        modified: wanted,
        current: has,
      })
      if (Object.keys(inner).length > 0) patch[name] = inner
    } else if (!jsonEquals(wanted, has)) patch[name] = wanted
  }
  return patch
}

/** A value as an object; an empty one when it is none. */
export function asObject(value: JsonValue | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {}
}
