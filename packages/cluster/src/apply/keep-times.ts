import { isJsonObject, jsonEquals, type JsonObject, type JsonValue } from 'setpoint/schema'
import { managedFieldsOf, withManagedFields } from './managed-fields.ts'

function withoutTime(entry: JsonValue): JsonValue {
  if (!isJsonObject(entry)) return entry
  const { time: _time, ...rest } = entry
  return rest
}

/**
 * Restores the live managedFields when only their times differ, so that an update without changes
 * is not stored. Called last, after defaulting and admission. What storage does not
 * distinguish does not count as a change.
 */
export function keepManagerTimes(
  live: JsonObject,
  object: JsonObject,
  storedForm: (object: JsonObject) => JsonObject = (given) => given,
): JsonObject {
  const before = managedFieldsOf(live)
  const after = managedFieldsOf(object)
  if (!Array.isArray(before) || !Array.isArray(after)) return object
  if (before.length !== after.length || after.length === 0) return object
  if (!jsonEquals(before.map(withoutTime), after.map(withoutTime))) return object
  const same = jsonEquals(
    withManagedFields(live, undefined),
    withManagedFields(storedForm(object), undefined),
  )
  return same ? withManagedFields(object, before) : object
}
