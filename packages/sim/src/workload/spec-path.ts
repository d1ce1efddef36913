import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

/** The value at a path of names; `undefined` if there is none. */
export function valueAt(object: JsonObject, names: readonly string[]): JsonValue | undefined {
  return names.reduce<JsonValue | undefined>(
    (value, name) => (isJsonObject(value) ? value[name] : undefined),
    object,
  )
}

/** The object with another value at a path, or without one. */
export function withValue(
  object: JsonObject,
  names: readonly string[],
  value: JsonValue | undefined,
): JsonObject {
  const [name = '', ...rest] = names
  const { [name]: inner, ...others } = object
  if (rest.length > 0) {
    return { ...object, [name]: withValue(isJsonObject(inner) ? inner : {}, rest, value) }
  }
  return value === undefined ? others : { ...object, [name]: value }
}
