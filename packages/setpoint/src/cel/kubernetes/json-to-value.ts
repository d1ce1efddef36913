/** Values of JSON as a schema describes them. Lists and maps are converted when they are read. */
import {
  isJsonObject,
  jsonEquals,
  type JsonObject,
  type JsonValue,
  type StructuralSchema,
} from '../../schema/index.ts'
import { readDuration, readTimestamp } from '../library/time-arithmetic.ts'
import {
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelTimestamp,
  type CelResult,
  type CelValue,
  type Equality,
} from '../values/cel-value.ts'
import { printValue } from '../values/print-value.ts'
import { escapeName, unescapeName } from './escape-name.ts'
import { PlainList, PlainMap } from './schemaless-value.ts'
import { withObjectFields } from './schema-type.ts'

const noSuchOverload = new CelError('no such overload')

/** The value of JSON with this schema, or an error if it does not fit. */
export function jsonToValue(json: JsonValue, schema: StructuralSchema): CelResult {
  if (json === null) {
    if (schema.nullable === true) return null
    return new CelError('invalid data, got null for schema with nullable=false')
  }
  if (schema['x-kubernetes-int-or-string'] === true) {
    if (typeof json === 'string') return json
    return (
      toInt(json) ??
      new CelError('invalid data, expected XIntOrString value to be either a string or integer')
    )
  }
  switch (schema.type) {
    case 'object':
      return objectValue(json, schema)
    case 'array':
      return arrayValue(json, schema)
    case 'string':
      if (typeof json !== 'string') return wrongType('string', json)
      return stringValue(json, schema.format)
    case 'number':
      return typeof json === 'number' || typeof json === 'bigint'
        ? Number(json)
        : wrongType('float', json)
    case 'integer':
      return toInt(json) ?? wrongType('int', json)
    case 'boolean':
      return typeof json === 'boolean' ? json : wrongType('bool', json)
    default:
      return schema['x-kubernetes-preserve-unknown-fields'] === true
        ? new PreservedValue(json)
        : new CelError('invalid type')
  }
}

function toInt(json: JsonValue): bigint | undefined {
  if (typeof json === 'bigint') return json
  return typeof json === 'number' && Number.isInteger(json) ? BigInt(json) : undefined
}

function wrongType(expected: string, json: JsonValue): CelError {
  return new CelError(`invalid data, expected ${expected}, got ${goTypeOf(json)}`)
}

function goTypeOf(json: JsonValue): string {
  if (Array.isArray(json)) return '[]interface {}'
  if (typeof json === 'object') return 'map[string]interface {}'
  if (typeof json === 'string') return 'string'
  if (typeof json === 'boolean') return 'bool'
  return toInt(json) === undefined ? 'float64' : 'int64'
}

function objectValue(json: JsonValue, schema: StructuralSchema): CelResult {
  if (!isJsonObject(json)) {
    return new CelError('invalid data, expected a map for the provided schema with type=object')
  }
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  return new JsonMap(json, isEmbedded ? withObjectFields(schema) : schema)
}

function arrayValue(json: JsonValue, schema: StructuralSchema): CelResult {
  if (!Array.isArray(json)) {
    return new CelError('invalid data, expected an array for the provided schema with type=array')
  }
  const { items } = schema
  if (items === undefined) {
    return new CelError('invalid array type, expected Items with a non-empty Schema')
  }
  switch (schema['x-kubernetes-list-type']) {
    case 'map':
      return new JsonMapList(json, items, schema['x-kubernetes-list-map-keys'] ?? [])
    case 'set':
      return new JsonSetList(json, items)
    default:
      return new JsonList(json, items)
  }
}

function stringValue(text: string, format: string | undefined): CelResult {
  switch (format) {
    case 'duration': {
      const nanoseconds = readDuration(text)
      return nanoseconds === undefined
        ? new CelError(`Invalid duration ${text}`)
        : new CelDuration(nanoseconds)
    }
    case 'date': {
      const time = readTimestamp(`${text}T00:00:00Z`)
      return time ?? new CelError(`Invalid date formatted string ${text}`)
    }
    case 'date-time': {
      const time = readTimestamp(text.replace(/[tz]/g, (letter) => letter.toUpperCase()))
      if (time === undefined) return new CelError(`Invalid date-time formatted string ${text}`)
      return new CelTimestamp(time.nanoseconds, time.offsetSeconds)
    }
    case 'byte':
      return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    default:
      return text
  }
}

/** The JSON of a value of Kubernetes' lists and maps, or of a simple value. */
export function valueToJson(value: CelResult): JsonValue {
  if (value instanceof JsonList) return value.json as JsonValue[]
  if (value instanceof JsonMap) return value.json
  if (typeof value === 'bigint') {
    return Number.isSafeInteger(Number(value)) ? Number(value) : value
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value
  }
  if (value instanceof CelList) return [...value].map(valueToJson)
  if (!(value instanceof CelMap)) return null
  const entries = [...value.keys()].map((key): [string, JsonValue] => [
    printValue(key),
    valueToJson(value.find(key) ?? null),
  ])
  return Object.fromEntries(entries)
}

/** A value of `x-kubernetes-preserve-unknown-fields` without a type; it can only be compared. */
class PreservedValue extends CelMap {
  readonly size = 0
  readonly json: JsonValue
  constructor(json: JsonValue) {
    super()
    this.json = json
  }
  find(): undefined {
    return undefined
  }
  keys(): Iterable<CelValue> {
    return []
  }
  override equals(other: CelValue): boolean {
    const json = other instanceof PreservedValue ? other.json : valueToJson(other)
    return jsonEquals(this.json, json)
  }
}

/** An object: one with properties, whose keys are identifiers, or a map. */
class JsonMap extends CelMap {
  readonly json: JsonObject
  private readonly schema: StructuralSchema

  constructor(json: JsonObject, schema: StructuralSchema) {
    super()
    this.json = json
    this.schema = schema
  }

  get size(): number {
    return Object.keys(this.json).length
  }

  override get unwrapped(): CelMap {
    return new PlainMap(this.json)
  }

  private schemaOf(name: string): StructuralSchema | undefined {
    const { properties, additionalProperties } = this.schema
    if (properties !== undefined) {
      return Object.hasOwn(properties, name) ? properties[name] : undefined
    }
    return typeof additionalProperties === 'object' ? additionalProperties : undefined
  }

  find(key: CelValue): CelResult | undefined {
    if (typeof key !== 'string') return noSuchOverload
    const isObject = this.schema.properties !== undefined
    const name = isObject ? unescapeName(key) : key
    if (name === undefined || !Object.hasOwn(this.json, name)) return undefined
    const value = this.json[name]
    // A null in a nullable field of an object counts as absent.
    if (value === undefined || (isObject && value === null)) return undefined
    const schema = this.schemaOf(name)
    return schema === undefined ? undefined : jsonToValue(value, schema)
  }

  *keys(): Iterable<CelValue> {
    const isObject = this.schema.properties !== undefined
    for (const name of Object.keys(this.json)) {
      if (this.schemaOf(name) === undefined) continue
      yield isObject ? (escapeName(name) ?? name) : name
    }
  }

  override equals(other: CelValue, equal: Equality): boolean | CelError {
    if (!(other instanceof CelMap)) return noSuchOverload
    if (this.size !== other.size) return false
    for (const name of Object.keys(this.json)) {
      const isEqual = this.hasSameField(name, other, equal)
      if (isEqual !== true) return isEqual
    }
    return true
  }

  private hasSameField(name: string, other: CelMap, equal: Equality): boolean | CelError {
    if (this.schemaOf(name) === undefined) {
      if (!(other instanceof JsonMap)) return noSuchOverload
      if (!Object.hasOwn(other.json, name)) return true
      return jsonEquals(this.json[name] ?? null, other.json[name] ?? null)
    }
    const mine = this.find(name)
    const theirs = other.find(name)
    if (mine === undefined || theirs === undefined) return mine === theirs
    if (mine instanceof CelError) return mine
    return theirs instanceof CelError ? theirs : equal(mine, theirs)
  }
}

/** A list whose elements have an order. */
class JsonList extends CelList {
  readonly json: readonly JsonValue[]
  protected readonly items: StructuralSchema

  constructor(json: readonly JsonValue[], items: StructuralSchema) {
    super()
    this.json = json
    this.items = items
  }

  get size(): number {
    return this.json.length
  }

  at(index: number): CelResult {
    return jsonToValue(this.json[index] ?? null, this.items)
  }

  override get unwrapped(): CelList {
    return new PlainList(this.json)
  }

  override equals(other: CelValue, equal: Equality): boolean | CelError {
    if (!(other instanceof CelList)) return noSuchOverload
    if (this.size !== other.size) return false
    for (let index = 0; index < this.size; index++) {
      const one = this.at(index)
      const another = other.at(index)
      if (one instanceof CelError) return one
      if (another instanceof CelError) return another
      const isEqual = equal(one, another)
      if (isEqual !== true) return isEqual
    }
    return true
  }

  override concat(other: CelList): CelList {
    return new JsonList([...this.json, ...[...other].map(valueToJson)], this.items)
  }
}

function keyOf(json: JsonValue): string {
  return `${typeof json} ${typeof json === 'object' ? JSON.stringify(json) : String(json)}`
}

/** A list of `x-kubernetes-list-type: set`: its order does not count. */
class JsonSetList extends JsonList {
  override equals(other: CelValue): boolean | CelError {
    if (!(other instanceof CelList)) return noSuchOverload
    if (this.size !== other.size) return false
    const known = new Set(this.json.map(keyOf))
    return [...other].every((element) => known.has(keyOf(valueToJson(element))))
  }

  override concat(other: CelList): CelList {
    const known = new Set(this.json.map(keyOf))
    const json = [...this.json]
    for (const element of [...other].map(valueToJson)) {
      if (known.has(keyOf(element))) continue
      known.add(keyOf(element))
      json.push(element)
    }
    return new JsonSetList(json, this.items)
  }
}

/** A list of `x-kubernetes-list-type: map`: keys identify its elements, its order does not count. */
class JsonMapList extends JsonList {
  private readonly keyNames: readonly string[]

  constructor(json: readonly JsonValue[], items: StructuralSchema, keyNames: readonly string[]) {
    super(json, items)
    this.keyNames = keyNames
  }

  private identityOf(json: JsonValue): string {
    if (!isJsonObject(json)) return keyOf(json)
    return this.keyNames.map((name) => keyOf(json[escapeName(name) ?? name] ?? null)).join('\0')
  }

  override equals(other: CelValue, equal: Equality): boolean | CelError {
    if (!(other instanceof CelList)) return noSuchOverload
    if (this.size !== other.size) return false
    const mine = new Map(this.json.map((element) => [this.identityOf(element), element]))
    for (const element of other) {
      if (element instanceof CelError) return element
      const match = mine.get(this.identityOf(valueToJson(element)))
      if (match === undefined) return false
      const value = jsonToValue(match, this.items)
      const isEqual = value instanceof CelError ? value : equal(value, element)
      if (isEqual !== true) return isEqual
    }
    return true
  }

  override concat(other: CelList): CelList {
    const places = new Map(this.json.map((element, index) => [this.identityOf(element), index]))
    const json = [...this.json]
    for (const element of [...other].map(valueToJson)) {
      const place = places.get(this.identityOf(element))
      if (place === undefined) json.push(element)
      else json[place] = element
    }
    return new JsonMapList(json, this.items, this.keyNames)
  }
}
