import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { builtinData } from '../../data/index.ts'
import {
  deduced,
  untypedAtomic,
  type ApplyType,
  type FieldType,
  type ListType,
  type MapType,
  type ScalarType,
} from './apply-type.ts'

interface GrowingType {
  scalar?: ScalarType
  list?: ListType
  map?: MapType
}

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/**
 * Definitions whose Go types have their own JSON encoding, which their schema does not describe.
 */
const wellKnown: ReadonlyMap<string, ApplyType> = new Map<string, ApplyType>([
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', { scalar: 'untyped' }],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', untypedAtomic],
])

const compiled = new Map<string, ApplyType>(wellKnown)

/** The type of a built-in definition, compiled at its first use and then shared. */
export function typeOfDefinition(name: string): ApplyType {
  const known = compiled.get(name)
  if (known !== undefined) return known
  const definition = builtinData.schemas().schemas[name]
  if (definition === undefined) throw new Error(`no definition ${name}`)
  // Registered before it is complete, because definitions can be recursive.
  const type: GrowingType = {}
  compiled.set(name, type)
  Object.assign(type, compileSchema(definition, false))
  return type
}

/** Compiles the schema of a field, an item or a value of a map. */
function compileReference(schema: JsonObject, preserve: boolean): ApplyType {
  const name = schema['ref']
  if (typeof name !== 'string') return compileSchema(schema, preserve)
  const target = typeOfDefinition(name)
  const mapType = schema['x-kubernetes-map-type']
  if (mapType === undefined || target.map === undefined) return target
  return { ...target, map: { ...target.map, atomic: mapType === 'atomic' } }
}

/**
 * Compiles an OpenAPI schema. `preserve` means that an enclosing schema preserves unknown fields,
 * which applies to everything below it.
 */
export function compileSchema(schema: JsonObject, preserve: boolean): ApplyType {
  const keep = preserve || schema['x-kubernetes-preserve-unknown-fields'] === true
  switch (schema['type']) {
    case 'object':
      return { map: compileMap(schema, keep) }
    case 'array':
      return { list: compileList(schema, keep) }
    case 'integer':
    case 'number':
      return { scalar: 'numeric' }
    case 'boolean':
      return { scalar: 'boolean' }
    case 'string': {
      const format = schema['format'] ?? ''
      return { scalar: format === '' || format === 'byte' ? 'string' : 'untyped' }
    }
    default:
      return { scalar: 'untyped', list: compileList(schema, keep), map: compileMap(schema, keep) }
  }
}

function compileMap(schema: JsonObject, preserve: boolean): MapType {
  const fields = new Map<string, FieldType>()
  const properties = schema['properties']
  for (const [name, member] of Object.entries(isJsonObject(properties) ? properties : {})) {
    if (!isJsonObject(member)) continue
    const type = compileReference(member, preserve)
    fields.set(name, { type, default: member['default'] ?? undefined })
  }
  if (schema['x-kubernetes-embedded-resource'] === true) addObjectFields(fields)
  return {
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    fields,
    element: compileElement(schema['additionalProperties'], {
      isFree: preserve || fields.size === 0,
      preserve,
    }),
  }
}

/** Declares the fields that every object has. They replace those of its schema. */
export function addObjectFields(fields: Map<string, FieldType>): void {
  fields.set('apiVersion', { type: { scalar: 'string' }, default: undefined })
  fields.set('kind', { type: { scalar: 'string' }, default: undefined })
  fields.set('metadata', { type: typeOfDefinition(objectMeta), default: undefined })
}

function compileElement(
  additional: JsonValue | undefined,
  options: { readonly isFree: boolean; readonly preserve: boolean },
): ApplyType | undefined {
  if (isJsonObject(additional)) return compileReference(additional, options.preserve)
  if (additional === undefined) return options.isFree ? deduced : undefined
  return additional === true ? deduced : undefined
}

function compileList(schema: JsonObject, preserve: boolean): ListType {
  const items = schema['items']
  const element = isJsonObject(items) ? compileReference(items, preserve) : untypedAtomic
  const keys = mergeKeys(schema)
  return { atomic: keys === undefined, keys: keys ?? [], element }
}

/** The keys of a list that is owned item by item (empty for a set); undefined for an atomic one. */
function mergeKeys(schema: JsonObject): readonly string[] | undefined {
  const listType = schema['x-kubernetes-list-type']
  if (listType === 'set') return []
  if (listType === 'map') {
    const keys = schema['x-kubernetes-list-map-keys']
    return Array.isArray(keys) ? keys.map(String) : []
  }
  if (listType !== undefined) return undefined
  const strategy = schema['x-kubernetes-patch-strategy']
  if (strategy !== 'merge' && strategy !== 'merge,retainKeys') return undefined
  const key = schema['x-kubernetes-patch-merge-key']
  return typeof key === 'string' ? [key] : []
}
