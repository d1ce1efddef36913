/**
 * The types of mutating policies: `Object`, `Object.spec` and so on, whose fields can be anything,
 * and `JSONPatch`, an operation.
 */
import type { JsonObject, JsonValue } from '../../schema/index.ts'
import { CelMessage } from '../values/cel-message.ts'
import { celTypes, objectType, type CelType } from '../types/cel-type.ts'
import type { FindMessageType, MessageType } from '../types/message-type.ts'
import {
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelTimestamp,
  CelUint,
  type CelResult,
  type CelValue,
} from '../values/cel-value.ts'
import { printValue } from '../values/print-value.ts'
import { typeOfValue } from '../evaluate/runtime-type.ts'
import { printDuration } from '../library/conversions.ts'
import { printTimestamp } from '../library/time-arithmetic.ts'
import { PlainList, PlainMap } from './schemaless-value.ts'

/** The type of the object that a mutation applies. */
export const appliedObjectType = objectType('Object')

/** The type of one operation of a JSON Patch. */
export const jsonPatchType = objectType('JSONPatch')

const operationFields = new Map<string, CelType>([
  ['op', celTypes.string],
  ['path', celTypes.string],
  ['from', celTypes.string],
  ['value', celTypes.dyn],
])

/** A real server knows a type without a name for other fields, which no value has. */
const unknownField = objectType('')

const jsonPatch: MessageType = {
  type: jsonPatchType,
  fieldType: (name) => operationFields.get(name) ?? unknownField,
  create: (fields) => new CelMessage(jsonPatchType, fields),
}

/** Finds the types of mutating policies. */
export const patchTypes: FindMessageType = (name) => {
  if (name === jsonPatchType.name) return jsonPatch
  if (name !== 'Object' && !name.startsWith('Object.')) return undefined
  const type = name === 'Object' ? appliedObjectType : objectType(name)
  return {
    type,
    fieldType: () => celTypes.dyn,
    create: (fields) => new CelMessage(type, fields),
  }
}

/** Literals whose type has another name than the path of their field, such as `Object.spec`. */
export function typeNameProblems(value: CelResult, path?: string): string[] {
  if (value instanceof CelMessage) {
    const expected = path ?? value.type.name
    const { name } = value.type
    const own =
      name === expected
        ? []
        : [
            `unexpected type name "${name}", expected "${expected}", which matches field name path from root Object type`,
          ]
    const below = [...value.fields].flatMap(([field, part]) =>
      typeNameProblems(part, `${expected}.${field}`),
    )
    return [...own, ...below]
  }
  if (value instanceof PlainList || value instanceof PlainMap) return []
  if (value instanceof CelList) return [...value].flatMap((part) => typeNameProblems(part, path))
  if (!(value instanceof CelMap)) return []
  return [...value.keys()].flatMap((key) => typeNameProblems(value.find(key) ?? null, path))
}

/** The JSON of a value that a policy writes into an object. */
export function patchJson(value: CelResult): JsonValue | CelError {
  if (value instanceof CelError) return value
  if (value instanceof PlainList) return value.json as JsonValue[]
  if (value instanceof PlainMap) return value.json
  if (value instanceof CelMessage) return fieldsJson(value.fields)
  if (value instanceof CelList) return listJson(value)
  if (value instanceof CelMap) return mapJson(value)
  return scalarJson(value)
}

function scalarJson(value: CelValue): JsonValue | CelError {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return value
  const integer = value instanceof CelUint ? value.value : value
  if (typeof integer === 'bigint') {
    return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer
  }
  if (value instanceof Uint8Array) return btoa(String.fromCharCode(...value))
  if (value instanceof CelTimestamp) return printTimestamp(value)
  if (value instanceof CelDuration) return printDuration(value)
  const name = typeOfValue(value).name.split('.').at(-1) ?? ''
  return new CelError(`type conversion error from '${name}' to '*structpb.Value'`)
}

function fieldsJson(fields: ReadonlyMap<string, CelValue>): JsonObject | CelError {
  const entries: [string, JsonValue][] = []
  for (const [name, part] of fields) {
    const json = patchJson(part)
    if (json instanceof CelError) return json
    entries.push([name, json])
  }
  return Object.fromEntries(entries)
}

function listJson(list: CelList): JsonValue[] | CelError {
  const items: JsonValue[] = []
  for (const part of list) {
    const json = patchJson(part)
    if (json instanceof CelError) return json
    items.push(json)
  }
  return items
}

function mapJson(map: CelMap): JsonObject | CelError {
  const fields = new Map<string, CelValue>()
  for (const key of map.keys()) {
    const value = map.find(key) ?? null
    if (value instanceof CelError) return value
    fields.set(printValue(key), value)
  }
  return fieldsJson(fields)
}
