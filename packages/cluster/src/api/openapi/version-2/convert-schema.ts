import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

const prefix = '#/components/schemas/'

/** A schema of OpenAPI v3 in version 2, which has no defaults, no null and no alternatives. */
export function convertSchema(schema: JsonObject): JsonObject {
  const converted: JsonObject = {}
  for (const [name, value] of Object.entries(schema)) {
    Object.assign(converted, convertedField(name, value))
  }
  // A number or a text, such as a quantity, is a text in version 2.
  if (Array.isArray(schema['oneOf'])) converted['type'] = 'string'
  return converted
}

const unknownFields: ReadonlySet<string> = new Set(['default', 'nullable', 'oneOf', 'anyOf', 'not'])

function convertedField(name: string, value: JsonValue): JsonObject {
  if (unknownFields.has(name)) return {}
  switch (name) {
    case '$ref':
      return { $ref: typeof value === 'string' ? value.replace(prefix, '#/definitions/') : value }
    case 'allOf':
      return referenceOf(value)
    case 'properties':
      return { properties: convertEach(value) }
    case 'items':
    case 'additionalProperties':
      return { [name]: isJsonObject(value) ? convertSchema(value) : value }
    default:
      return { [name]: value }
  }
}

/** In version 3 a reference with further fields is in a list of its own. */
function referenceOf(value: JsonValue): JsonObject {
  const [only, ...others] = Array.isArray(value) ? value : []
  return others.length === 0 && isJsonObject(only) && only['$ref'] !== undefined
    ? convertSchema(only)
    : {}
}

/** Converts all schemas of an object. */
export function convertEach(schemas: JsonValue | undefined): JsonObject {
  if (!isJsonObject(schemas)) return {}
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      isJsonObject(schema) ? convertSchema(schema) : {},
    ]),
  )
}
