import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { setOwn } from '../json/json-object.ts'
import { compareKeys } from '../json/compare-keys.ts'
import { assemble } from './typed-reader.ts'
import { messageOf, planOf, type FieldPlan } from './type-plan.ts'

/**
 * An object of a built-in kind as a real server's storage returns it. Defaulting and admission add
 * fields anywhere; this sorts them in Go's order and drops empty ones. Storage is protobuf, which
 * does not distinguish an empty list from a missing one: a list that Go always prints (`rules`,
 * `items`) becomes null. Call it last, before an object is stored; until then `[]` counts, because
 * its manager owns the field. Shares values without fields with `object`, which it does not change.
 */
export function toStoredForm(apiVersion: string, kind: string, object: JsonObject): JsonObject {
  const message = messageOf(apiVersion, kind)
  if (message === undefined) return object
  return storedMessage({ message, forgetsEmpty: !isStoredAsJson(apiVersion) }, object)
}

/** Like `toStoredForm`, for an object that is not stored: a list that was sent empty stays so. */
export function toPrintedForm(apiVersion: string, kind: string, object: JsonObject): JsonObject {
  const message = messageOf(apiVersion, kind)
  return message === undefined ? object : storedMessage({ message, forgetsEmpty: false }, object)
}

/** The servers of definitions and API services store JSON, which keeps empty lists. */
function isStoredAsJson(apiVersion: string): boolean {
  return /^(?:apiextensions|apiregistration)\.k8s\.io\//.test(apiVersion)
}

interface Storage {
  readonly message: string
  readonly forgetsEmpty: boolean
}

function storedMessage(storage: Storage, object: JsonObject): JsonObject {
  const { fields, indexByName } = planOf(storage.message)
  const slots = new Array<JsonValue | undefined>(fields.length)
  for (const key of Object.keys(object)) {
    const value = object[key] as JsonValue
    const index = value === null ? undefined : indexByName.get(key)
    const field = index === undefined ? undefined : fields[index]
    if (index === undefined || field === undefined) continue
    slots[index] = storedField(field, value, storage.forgetsEmpty)
  }
  return assemble(fields, slots)
}

function storedField(
  field: FieldPlan,
  value: JsonValue,
  forgetsEmpty: boolean,
): JsonValue | undefined {
  const storage = { message: field.message, forgetsEmpty }
  const storedItem = (item: JsonValue): JsonValue =>
    field.form === 'message' && isJsonObject(item) ? storedMessage(storage, item) : item
  if (field.shape === 'single') return storedItem(value)
  if (Array.isArray(value)) {
    if (value.length === 0) return forgetsEmpty ? undefined : value
    return field.form === 'message' ? value.map(storedItem) : value
  }
  if (!isJsonObject(value)) return value
  const keys = Object.keys(value).sort(compareKeys)
  if (keys.length === 0 && forgetsEmpty) return undefined
  const sorted: JsonObject = {}
  for (const key of keys) setOwn(sorted, key, storedItem(value[key] as JsonValue))
  return sorted
}
