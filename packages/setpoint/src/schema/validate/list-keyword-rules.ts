/** `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`: which lists may be sets and maps. */
import {
  forbidden,
  invalid,
  notSupported,
  required,
  wrongType,
  type FieldError,
} from '../field-error.ts'
import { raw, type RawSchema } from '../crd/raw-schema.ts'
import type { JsonValue, StructuralSchema } from '../structural-schema.ts'

const listTypes = ['atomic', 'set', 'map']

/** The problems of one node's list keywords, in the server's order. */
export function listKeywordProblems(schema: StructuralSchema, path: string): FieldError[] {
  const { type, 'x-kubernetes-list-type': listType } = raw(schema)
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const items = Array.isArray(raw(schema).items) ? undefined : schema.items
  const errors: FieldError[] = []
  if (listType !== undefined && type !== 'array') {
    errors.push(
      wrongType(`${path}.type`, type, 'must be array if x-kubernetes-list-type is specified'),
    )
  } else if (listType === 'set' && items !== undefined) {
    errors.push(...setItemProblems(raw(items), `${path}.items`))
  }
  if (listType !== undefined && !listTypes.includes(listType)) {
    errors.push(notSupported(`${path}.x-kubernetes-list-type`, listType, listTypes))
  }
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty'
    errors.push(wrongType(`${path}.x-kubernetes-list-type`, listType, detail))
  }
  if (listType === 'map') errors.push(...mapProblems(schema, items, path))
  if ((listType === 'set' || listType === 'map') && items?.nullable === true) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`
    errors.push(forbidden(`${path}.items.nullable`, detail))
  }
  if (listType === 'map' && items !== undefined) errors.push(...keyProblems(keys, items, path))
  return errors
}

function setItemProblems(items: RawSchema, path: string): FieldError[] {
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  const listType = items['x-kubernetes-list-type']
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [invalid(`${path}.x-kubernetes-list-type`, listType, detail)]
  }
  if (items.type !== 'object' || items['x-kubernetes-map-type'] === 'atomic') return []
  // The server prints the list type here, not the map type that is wrong.
  return [invalid(`${path}.x-kubernetes-map-type`, listType ?? null, detail)]
}

function mapProblems(
  schema: StructuralSchema,
  items: StructuralSchema | undefined,
  path: string,
): FieldError[] {
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const keysField = `${path}.x-kubernetes-list-map-keys`
  const errors: FieldError[] = []
  if (keys.length === 0) {
    errors.push(required(keysField, 'must not be empty if x-kubernetes-list-type is map'))
  }
  if (items === undefined) {
    const detail = 'must have a schema if x-kubernetes-list-type is map'
    return raw(schema).items === undefined ? [...errors, required(`${path}.items`, detail)] : errors
  }
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map"
    return [...errors, invalid(`${path}.items.type`, items.type ?? '', detail)]
  }
  const { properties = {} } = items
  for (const [index, key] of keys.entries()) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (property === undefined) {
      const detail = 'entries must all be names of item properties'
      errors.push(invalid(keysField, [...keys] as JsonValue, detail))
    } else if (property.type === 'array' || property.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map"
      errors.push(invalid(`${path}.items.properties[${key}].type`, items.type, detail))
    }
    if (keys.indexOf(key) < index) {
      errors.push(invalid(keysField, [...keys] as JsonValue, 'must not contain duplicate entries'))
    }
  }
  return errors
}

/** Every item must have all its keys, because they identify it. */
function keyProblems(keys: readonly string[], items: StructuralSchema, path: string): FieldError[] {
  const { properties = {}, required: requiredKeys = [] } = items
  return keys.flatMap((key) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (property === undefined) return []
    const field = `${path}.items.properties[${key}]`
    const isMissing = !requiredKeys.includes(key) && property.default === undefined
    const missing = required(
      `${field}.default`,
      'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
    )
    const nullable = forbidden(
      `${field}.nullable`,
      'this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
    )
    return [...(isMissing ? [missing] : []), ...(property.nullable === true ? [nullable] : [])]
  })
}
