/** The static types of CEL. */

/** What a type is; the parameters say of what. */
type CelTypeKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'duration'
  | 'timestamp'
  | 'dyn'
  | 'error'
  | 'list'
  | 'map'
  | 'type'
  | 'parameter'
  | 'object'
  | 'opaque'

/** A type. */
export interface CelType {
  readonly kind: CelTypeKind
  /** The name at run time. */
  readonly name: string
  readonly parameters: readonly CelType[]
  /** The fields of an object type. */
  readonly fields?: ReadonlyMap<string, CelType>
}

function simple(kind: CelTypeKind, name: string = kind): CelType {
  return { kind, name, parameters: [] }
}

/** The types without parameters. */
export const celTypes = {
  bool: simple('bool'),
  int: simple('int'),
  uint: simple('uint'),
  double: simple('double'),
  string: simple('string'),
  bytes: simple('bytes'),
  null: simple('null', 'null_type'),
  duration: simple('duration', 'google.protobuf.Duration'),
  timestamp: simple('timestamp', 'google.protobuf.Timestamp'),
  dyn: simple('dyn'),
  error: simple('error', 'error'),
  type: simple('type'),
} as const

/** The type of lists with elements of a type. */
export function listType(element: CelType): CelType {
  return { kind: 'list', name: 'list', parameters: [element] }
}

/** The type of maps with keys and values of two types. */
export function mapType(key: CelType, value: CelType): CelType {
  return { kind: 'map', name: 'map', parameters: [key, value] }
}

/** The type of values of a type that might be absent. */
export function optionalType(value: CelType): CelType {
  return { kind: 'opaque', name: 'optional_type', parameters: [value] }
}

/** The type of a type. */
export function typeType(type: CelType): CelType {
  return { kind: 'type', name: 'type', parameters: [type] }
}

/** A type that a call determines, such as `A` in `list(A)`. */
export function parameterType(name: string): CelType {
  return { kind: 'parameter', name, parameters: [] }
}

/** A type with fields. */
export function objectType(name: string, fields?: ReadonlyMap<string, CelType>): CelType {
  return { kind: 'object', name, parameters: [], ...(fields && { fields }) }
}

/** A type of a library. */
export function opaqueType(name: string, ...parameters: CelType[]): CelType {
  return { kind: 'opaque', name, parameters }
}

/** Whether two types are the same. */
export function sameType(one: CelType, other: CelType): boolean {
  if (one === other) return true
  if (one.kind !== other.kind || one.name !== other.name) return false
  if (one.parameters.length !== other.parameters.length) return false
  return one.parameters.every((parameter, index) => {
    const counterpart = other.parameters[index]
    return counterpart !== undefined && sameType(parameter, counterpart)
  })
}

/** Whether the type is `optional_type(...)`. */
export function isOptionalType(type: CelType): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type'
}

/** Prints a type as messages of the checker do. */
export function printType(type: CelType): string {
  switch (type.kind) {
    case 'duration':
    case 'timestamp':
    case 'null':
      return type.kind
    case 'error':
      return '!error!'
    default:
      return type.parameters.length === 0
        ? type.name
        : `${type.name}(${type.parameters.map(printType).join(', ')})`
  }
}
