import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

/** An object, a list or a table without the managed fields of its objects. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const bare = withoutOwn(object)
  const { items, rows } = bare
  if (Array.isArray(items)) return { ...bare, items: items.map(strippedItem) }
  if (!Array.isArray(rows)) return bare
  return {
    ...bare,
    rows: rows.map((row) =>
      isJsonObject(row) && row['object'] !== undefined
        ? { ...row, object: strippedItem(row['object']) }
        : row,
    ),
  }
}

function strippedItem(item: JsonValue): JsonValue {
  return isJsonObject(item) ? withoutOwn(item) : item
}

function withoutOwn(object: JsonObject): JsonObject {
  const { metadata } = object
  if (!isJsonObject(metadata) || metadata['managedFields'] === undefined) return object
  const { managedFields: _dropped, ...rest } = metadata
  return { ...object, metadata: rest }
}
