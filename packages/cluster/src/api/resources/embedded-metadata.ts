import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type StructuralSchema,
} from 'setpoint/schema'
import { decodeObjectMeta } from '../../codec/index.ts'

/**
 * A value whose embedded objects have well-formed metadata, and the unknown fields that were
 * dropped.
 */
interface CoercedValue {
  readonly value: JsonValue
  readonly unknownFields: readonly string[]
}

/**
 * Decodes the metadata of embedded objects (`x-kubernetes-embedded-resource`) as the metadata of
 * every object. Does not change the given value.
 */
export function coerceEmbedded(schema: StructuralSchema, value: JsonValue): CoercedValue {
  const unknownFields: string[] = []
  if (!hasEmbedded(schema)) return { value, unknownFields }
  return { value: coerced(schema, value, { path: '', unknownFields }), unknownFields }
}

const known = new WeakMap<StructuralSchema, boolean>()

/** Whether a schema contains an embedded resource; most do not. */
function hasEmbedded(schema: StructuralSchema): boolean {
  let found = known.get(schema)
  if (found === undefined) {
    found = schema['x-kubernetes-embedded-resource'] === true || inner(schema).some(hasEmbedded)
    known.set(schema, found)
  }
  return found
}

function inner({ properties, items, additionalProperties }: StructuralSchema): StructuralSchema[] {
  return [
    ...Object.values(properties ?? {}),
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]
}

interface Place {
  readonly path: string
  readonly unknownFields: string[]
}

function coerced(schema: StructuralSchema, value: JsonValue, place: Place): JsonValue {
  if (!hasEmbedded(schema)) return value
  if (Array.isArray(value)) {
    const { items } = schema
    if (items === undefined) return value
    return value.map((item, index) =>
      coerced(items, item, { ...place, path: `${place.path}[${index}]` }),
    )
  }
  if (!isJsonObject(value)) return value
  const result: JsonObject = { ...value }
  for (const [key, item] of Object.entries(value)) {
    const field = fieldSchema(schema, key)
    if (field === undefined) continue
    const path = place.path === '' ? key : `${place.path}.${key}`
    // The key exists already, so this cannot call a setter of the prototype.
    result[key] = coerced(field, item, { ...place, path })
  }
  if (schema['x-kubernetes-embedded-resource'] === true) coerceMetadata(result, place)
  return result
}

function fieldSchema(schema: StructuralSchema, key: string): StructuralSchema | undefined {
  const { properties = {}, additionalProperties } = schema
  if (Object.hasOwn(properties, key)) return properties[key]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

function coerceMetadata(object: JsonObject, { path, unknownFields }: Place): void {
  const given = object['metadata']
  if (!isJsonObject(given)) return
  const decoded = decodeObjectMeta(given)
  object['metadata'] = decoded.metadata
  unknownFields.push(...decoded.unknownFields.map((field) => `${path}.${field}`))
}
