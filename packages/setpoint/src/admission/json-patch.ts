import { isJsonObject, type JsonObject, type JsonValue } from '../schema/index.ts'
import { pointerToken } from '../patch/index.ts'

/** One operation of a JSON patch. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string }

/**
 * The JSON patch from one object to another. Items of lists are compared by position: an item that
 * is inserted at the beginning changes all items.
 */
export function jsonPatch(before: JsonObject, after: JsonObject): JsonPatchOperation[] {
  return [...valueChanges(before, after, '')]
}

function* valueChanges(
  before: JsonValue,
  after: JsonValue,
  path: string,
): Generator<JsonPatchOperation> {
  if (Object.is(before, after)) return
  if (isJsonObject(before) && isJsonObject(after)) yield* objectChanges(before, after, path)
  else if (Array.isArray(before) && Array.isArray(after)) yield* listChanges(before, after, path)
  else yield { op: 'replace', path, value: after }
}

function* objectChanges(
  before: JsonObject,
  after: JsonObject,
  path: string,
): Generator<JsonPatchOperation> {
  for (const field of Object.keys(before)) {
    if (!Object.hasOwn(after, field)) yield { op: 'remove', path: `${path}/${pointerToken(field)}` }
  }
  for (const [field, value] of Object.entries(after)) {
    const at = `${path}/${pointerToken(field)}`
    const old = Object.hasOwn(before, field) ? before[field] : undefined
    if (old === undefined) yield { op: 'add', path: at, value }
    else yield* valueChanges(old, value, at)
  }
}

function* listChanges(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: string,
): Generator<JsonPatchOperation> {
  const common = Math.min(before.length, after.length)
  for (let index = 0; index < common; index += 1) {
    yield* valueChanges(before[index] ?? null, after[index] ?? null, `${path}/${index}`)
  }
  // From the end, so that the positions of the others stay the same.
  for (let index = before.length - 1; index >= common; index -= 1) {
    yield { op: 'remove', path: `${path}/${index}` }
  }
  for (const value of after.slice(common)) yield { op: 'add', path: `${path}/-`, value }
}
