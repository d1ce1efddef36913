/**
 * A server reads `null` as absent, or, in a list or map, as an empty entry. Nulls of schemas are
 * removed once, so that no other code has to handle them. Data (`default`, `enum`, `example`) keeps
 * its nulls.
 */
import { isJsonObject, mapItems, mapValues } from './json-value.ts'
import type { JsonValue, StructuralSchema } from './structural-schema.ts'

const data: ReadonlySet<string> = new Set(['default', 'enum', 'example'])
const texts: ReadonlySet<string> = new Set(['required', 'x-kubernetes-list-map-keys'])
const schemaMaps: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'definitions'])
/** Keywords that contain a schema or a list of them. */
const schemas: ReadonlySet<string> = new Set(
  'items additionalProperties additionalItems not allOf anyOf oneOf'.split(' '),
)

const known = new WeakMap<StructuralSchema, StructuralSchema>()

/** The schema as a server reads it, computed once per object: the same one if it has no nulls. */
export function schemaWithoutNulls(schema: StructuralSchema): StructuralSchema {
  let clean = known.get(schema)
  if (clean === undefined) {
    clean = cleanSchema(schema as unknown as JsonValue) as unknown as StructuralSchema
    known.set(schema, clean)
  }
  return clean
}

/**
 * Removes the nulls of a value that should be a schema. Other values are not changed: the checks
 * report them.
 */
export function cleanSchema(value: JsonValue): JsonValue {
  if (value === null) return {}
  if (!isJsonObject(value)) return value
  return mapValues(value, (item, keyword) =>
    item === null ? undefined : cleanKeyword(keyword, item),
  )
}

function cleanKeyword(keyword: string, value: JsonValue): JsonValue {
  if (data.has(keyword)) return value
  if (schemaMaps.has(keyword) && isJsonObject(value)) return mapValues(value, cleanSchema)
  if (Array.isArray(value)) {
    if (schemas.has(keyword)) return mapItems(value, cleanSchema)
    if (texts.has(keyword)) return mapItems(value, (item) => item ?? '')
    return keyword === 'x-kubernetes-validations' ? mapItems(value, withoutNullFields) : value
  }
  return schemas.has(keyword) ? cleanSchema(value) : value
}

/** An object without null fields; null itself is an empty one. */
function withoutNullFields(value: JsonValue): JsonValue {
  if (value === null) return {}
  if (!isJsonObject(value)) return value
  return mapValues(value, (item) => item ?? undefined)
}
