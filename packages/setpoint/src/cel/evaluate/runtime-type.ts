/** The types of values. */
import { celTypes, listType, mapType, optionalType, type CelType } from '../types/cel-type.ts'
import {
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelObject,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from '../values/cel-value.ts'

const dynList = listType(celTypes.dyn)
const dynMap = mapType(celTypes.dyn, celTypes.dyn)
const dynOptional = optionalType(celTypes.dyn)

/** The type of a value; elements of lists and maps count as `dyn`. */
export function typeOfValue(value: CelValue): CelType {
  switch (typeof value) {
    case 'boolean':
      return celTypes.bool
    case 'bigint':
      return celTypes.int
    case 'number':
      return celTypes.double
    case 'string':
      return celTypes.string
    default:
      return typeOfObject(value)
  }
}

function typeOfObject(value: CelValue & (object | null)): CelType {
  if (value === null) return celTypes.null
  if (value instanceof CelMap) return dynMap
  if (value instanceof CelList) return dynList
  if (value instanceof CelUint) return celTypes.uint
  if (value instanceof Uint8Array) return celTypes.bytes
  if (value instanceof CelTimestamp) return celTypes.timestamp
  if (value instanceof CelDuration) return celTypes.duration
  if (value instanceof CelOptional) return dynOptional
  if (value instanceof CelTypeValue) return celTypes.type
  return value instanceof CelObject ? value.type : celTypes.dyn
}

/** Whether a value can be an argument of the type. Of lists and maps the first element counts. */
export function isOfType(type: CelType, value: CelValue): boolean {
  if (type.kind === 'dyn' || type.kind === 'parameter') return true
  if (type.name !== typeOfValue(value).name) return false
  if (value instanceof CelList && type.kind === 'list') {
    const first = value.size === 0 ? undefined : value.at(0)
    const [element = celTypes.dyn] = type.parameters
    return first === undefined || (!(first instanceof CelError) && isOfType(element, first))
  }
  if (value instanceof CelMap && type.kind === 'map') return isMapOf(type, value)
  return true
}

function isMapOf(type: CelType, map: CelMap): boolean {
  const [keyType = celTypes.dyn, valueType = celTypes.dyn] = type.parameters
  for (const key of map.keys()) {
    const value = map.find(key)
    if (value === undefined || value instanceof CelError) return false
    return isOfType(keyType, key) && isOfType(valueType, value)
  }
  return true
}

const goNames: Readonly<Record<string, string>> = {
  bool: 'types.Bool',
  int: 'types.Int',
  uint: 'types.Uint',
  double: 'types.Double',
  string: 'types.String',
  bytes: 'types.Bytes',
  null_type: 'types.Null',
  'google.protobuf.Duration': 'types.Duration',
  'google.protobuf.Timestamp': 'types.Timestamp',
  list: '*types.baseList',
  map: '*types.baseMap',
  type: '*types.Type',
  optional_type: '*types.Optional',
}

/** The name of a value's type in Go, which some messages print. */
export function goTypeName(value: CelValue): string {
  const { name } = typeOfValue(value)
  return goNames[name] ?? name
}
