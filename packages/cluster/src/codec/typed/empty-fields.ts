import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import type { MessagePlan } from './type-plan.ts'

/**
 * Go drops an empty list or map when it encodes it (`omitempty`), not when it decodes it. Our
 * decoding drops it immediately, so that other code need not distinguish the two. Only some error
 * messages and a few rules depend on the difference, so it is recorded separately from the object.
 */
const remembered = new WeakMap<JsonObject, JsonObject>()

/** Selectors are quoted in their encoded form, without empty fields. */
const selectors = new WeakSet<JsonObject>()

/** The fields of a decoded object that were sent empty and were dropped, for messages. */
export function fieldsSentEmpty(object: JsonObject): JsonObject | undefined {
  return selectors.has(object) ? undefined : remembered.get(object)
}

/** Makes a map of a decoded object empty instead of missing if another one was sent empty. */
export function emptyLike(object: JsonObject, name: string, other: string): void {
  const empty = remembered.get(object)
  if (empty?.[other] === undefined || object[name] !== undefined) return
  empty[name] = emptyMap
}

/** Whether a decoded object was sent with empty fields that defaults have not filled since. */
export function hasFieldsSentEmpty(object: JsonObject): boolean {
  const names = Object.keys(remembered.get(object) ?? {})
  return names.some((name) => (object[name] ?? null) === null)
}

/**
 * Lists whose items Go decodes to other values than it reads from storage: with empty lists or maps,
 * or with quantities that are written in another form.
 */
const rewritten = new WeakSet<readonly JsonValue[]>()

/** Records that the items of a decoded list are unlike their stored form. */
export function rememberRewritten(list: readonly JsonValue[]): void {
  rewritten.add(list)
}

/**
 * Whether a value contains such a list. Field owners compare lists as Go values, so that these
 * differ from what is stored.
 */
export function hasRewrittenList(value: JsonValue): boolean {
  if (Array.isArray(value)) return rewritten.has(value) || value.some(hasRewrittenList)
  return isJsonObject(value) && Object.values(value).some(hasRewrittenList)
}

/** The copy of a decoded object, with the record of the fields that were sent empty. */
export function asDecoded(copy: JsonObject, decoded: JsonObject): JsonObject {
  const empty = remembered.get(decoded)
  if (empty !== undefined) remembered.set(copy, empty)
  return copy
}

/** Every map that was sent empty: unlike an empty struct, it is equal to a missing one. */
export const emptyMap: JsonObject = Object.freeze({})

/** Records which fields of an object were sent empty. */
export function rememberEmptyFields(
  object: JsonObject,
  { fields, structName }: MessagePlan,
  slots: readonly (JsonValue | undefined)[],
): void {
  const empty: JsonObject = {}
  for (const [index, { name, shape }] of fields.entries()) {
    const value = slots[index]
    if (shape !== 'single' && value !== undefined && !Object.hasOwn(object, name)) {
      empty[name] = shape === 'map' ? emptyMap : value
    }
  }
  if (Object.keys(empty).length === 0) return
  remembered.set(object, empty)
  if (structName.startsWith('LabelSelector')) selectors.add(object)
}
