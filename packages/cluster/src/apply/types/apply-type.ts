import type { JsonObject, JsonValue } from 'setpoint/schema'

/** The types of scalars; `untyped` accepts any. */
export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped'

/**
 * A list: owned as a whole (atomic), or item by item, identified by keys or (without keys) by
 * value.
 */
export interface ListType {
  readonly atomic: boolean
  readonly keys: readonly string[]
  readonly element: ApplyType
}

/** A declared field. */
export interface FieldType {
  readonly type: ApplyType
  /** Completes the keys of list items that omit the field. */
  readonly default: JsonValue | undefined
}

/** A struct or a map. */
export interface MapType {
  readonly atomic: boolean
  readonly fields: ReadonlyMap<string, FieldType>
  /** The type of undeclared fields; without it they are errors. */
  readonly element: ApplyType | undefined
}

/** The types that a value may have; a field without a type in its schema may have all three. */
export interface ApplyType {
  readonly scalar?: ScalarType
  readonly list?: ListType
  readonly map?: MapType
}

/** The schema of one version of a kind for apply. */
export interface ApplySchema {
  readonly type: ApplyType
  /** The object with which a created one is compared: the JSON of an empty Go struct. */
  readonly empty: JsonObject
  /**
   * Custom resources refuse managers of a version that does not exist; built-in kinds drop them.
   */
  readonly isCustom: boolean
}

interface GrowingType {
  scalar?: ScalarType
  list?: ListType
  map?: MapType
}

function untypedType(): ApplyType {
  const type: GrowingType = { scalar: 'untyped' }
  type.list = { atomic: true, keys: [], element: type }
  type.map = { atomic: true, fields: new Map(), element: type }
  return type
}

/** Any value, owned as a whole. */
export const untypedAtomic: ApplyType = untypedType()

function deducedType(): ApplyType {
  const type: GrowingType = { scalar: 'untyped' }
  type.list = { atomic: true, keys: [], element: untypedAtomic }
  type.map = { atomic: false, fields: new Map(), element: type }
  return type
}

/** Any value, objects owned field by field and lists as a whole: data without a schema. */
export const deduced: ApplyType = deducedType()

/** A map without declared fields whose values can be anything. */
export function isUnknownMap(map: MapType): boolean {
  if (map.fields.size > 0 || map.element === undefined) return false
  return map.element === deduced || map.element.scalar === 'untyped'
}

/** The type that a value is handled as. */
export type ValueKind = 'map' | 'scalar' | 'list'

function kindOfValue(value: JsonValue | undefined): ValueKind | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object') return 'scalar'
  return Array.isArray(value) ? 'list' : 'map'
}

/** The kind that the value determines, or undefined when several are possible. */
export function decidedKind(type: ApplyType, value: JsonValue | undefined): ValueKind | undefined {
  const count = Number(type.map !== undefined) + Number(type.scalar !== undefined)
  if (count + Number(type.list !== undefined) === 1) return defaultKind(type)
  const kind = kindOfValue(value)
  return kind !== undefined && type[kind] !== undefined ? kind : undefined
}

/** The kind that a null or a mismatched value is handled as. */
export function defaultKind(type: ApplyType): ValueKind {
  if (type.map !== undefined) return 'map'
  return type.scalar === undefined ? 'list' : 'scalar'
}

/** The type of a field of a map; undefined when the field is not allowed. */
export function typeOfField(map: MapType, name: string): ApplyType | undefined {
  return map.fields.get(name)?.type ?? map.element
}
