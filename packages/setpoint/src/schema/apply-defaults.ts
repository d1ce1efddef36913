/**
 * Defaulting, exactly as on a server: on every write, and on every read from storage. One level at
 * a time: a default sets a missing field of an existing object, then its own children are set; an
 * absent parent without a default gets no children.
 */
import { isJsonObject, mapItems, mapValues, schemaOfField, setField } from './json-value.ts'
import type { JsonObject } from './json-value.ts'
import type { JsonValue, StructuralSchema } from './structural-schema.ts'
import { schemaWithoutNulls } from './without-nulls.ts'
import { spend } from './work-meter.ts'

/**
 * Applies defaults and drops explicit nulls that the schema does not allow (the server treats them
 * as absent; `keepsNulls` keeps those without a default, as a server does for applied objects). The
 * input is never modified and unchanged parts are shared with it. A default is shared with the
 * schema: treat the result as read-only.
 */
export function applyDefaults(
  schema: StructuralSchema,
  value: JsonValue,
  { keepsNulls = false }: { readonly keepsNulls?: boolean } = {},
): JsonValue {
  const clean = schemaWithoutNulls(schema)
  return fill(clean, keepsNulls ? value : dropNulls(clean, value))
}

function isForbiddenNull(
  value: JsonValue,
  schema: StructuralSchema | undefined,
): schema is StructuralSchema {
  return value === null && schema !== undefined && schema.nullable !== true
}

/** Nulls with a default stay for `fill` to replace; nulls inside lists stay, as on a server. */
function dropNulls(schema: StructuralSchema | undefined, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return mapItems(value, (item) => dropNulls(schema?.items, item))
  if (!isJsonObject(value)) return value
  return mapValues(value, (item, key) => {
    const known = schemaOfField(schema, key)
    if (isForbiddenNull(item, known) && known.default === undefined) return undefined
    return dropNulls(known, item)
  })
}

function fill(schema: StructuralSchema | undefined, value: JsonValue): JsonValue {
  if (schema === undefined) return value
  if (Array.isArray(value)) {
    return mapItems(value, (item) => fill(schema.items, orDefault(schema.items, item)))
  }
  if (!isJsonObject(value)) return value
  return mapValues(withDefaults(schema, value), (item, key) => {
    const known = schemaOfField(schema, key)
    return fill(known, orDefault(known, item))
  })
}

function orDefault(schema: StructuralSchema | undefined, value: JsonValue): JsonValue {
  return isForbiddenNull(value, schema) ? (schema.default ?? null) : value
}

/** What a meter counts for each default that is set. */
const stepsPerDefault = 10

function withDefaults(schema: StructuralSchema, object: JsonObject): JsonObject {
  let copy: JsonObject | undefined
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const fallback = property.default
    if (fallback === undefined || Object.hasOwn(object, key)) continue
    spend(stepsPerDefault)
    copy ??= { ...object }
    setField(copy, key, fallback)
  }
  return copy ?? object
}
