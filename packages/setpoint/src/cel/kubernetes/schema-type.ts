/** The CEL type of a structural schema, with the sizes that cost estimation needs. */
import type { StructuralSchema } from '../../schema/index.ts'
import { celTypes, listType, mapType, objectType, type CelType } from '../types/cel-type.ts'
import { byteLength } from '../../schema/go/go-print.ts'
import { escapeName } from './escape-name.ts'

/** The largest request, in bytes; sizes without a limit in the schema follow from it. */
const requestSizeMax = 3 * 1024 * 1024

/** A type that a schema declares. */
export interface SchemaType {
  readonly type: CelType
  /** The largest number of characters, elements or entries. */
  readonly sizeMax: number
  /** The smallest number of bytes in JSON. */
  readonly bytesMin: number
  readonly fields?: ReadonlyMap<string, SchemaType>
  readonly key?: SchemaType
  readonly element?: SchemaType
}

const text: StructuralSchema = { type: 'string' }

/** The schema with the fields that the root of every object has. */
export function withObjectFields(schema: StructuralSchema): StructuralSchema {
  const { properties = {} } = schema
  const { metadata } = properties
  const isComplete =
    properties['kind']?.type === 'string' &&
    properties['apiVersion']?.type === 'string' &&
    metadata?.type === 'object' &&
    metadata.properties?.['name']?.type === 'string' &&
    metadata.properties['generateName']?.type === 'string'
  if (isComplete) return schema
  const { items: _items, ...rest } = schema
  return {
    ...rest,
    properties: {
      ...properties,
      kind: text,
      apiVersion: text,
      metadata: { type: 'object', properties: { name: text, generateName: text } },
    },
  }
}

/** The type of a schema, or `undefined` if expressions cannot use its values. */
export function schemaType(
  schema: StructuralSchema,
  isRoot: boolean,
  name = 'selfType',
): SchemaType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) {
    const sizeMax =
      schema.maxLength === undefined ? requestSizeMax - 2 : notNegative(schema.maxLength) * 4
    return { type: celTypes.dyn, sizeMax, bytesMin: 1 }
  }
  const complete = isRoot ? withObjectFields(schema) : schema
  switch (complete.type) {
    case 'array':
      return arrayType(complete, name)
    case 'object':
      return objectOrMapType(complete, name)
    case 'string':
      return stringType(complete)
    case 'boolean':
      return { type: celTypes.bool, sizeMax: 0, bytesMin: 4 }
    case 'number':
      return { type: celTypes.double, sizeMax: 0, bytesMin: 1 }
    case 'integer':
      return { type: celTypes.int, sizeMax: 0, bytesMin: 1 }
    default:
      return undefined
  }
}

function notNegative(value: number): number {
  return Math.max(0, value)
}

function isEmbedded(schema: StructuralSchema): boolean {
  return schema['x-kubernetes-embedded-resource'] === true
}

function arrayType({ items, maxItems }: StructuralSchema, name: string): SchemaType | undefined {
  if (items === undefined) return undefined
  const element = schemaType(items, isEmbedded(items), `${name}.@idx`)
  if (element === undefined) return undefined
  const sizeMax =
    maxItems === undefined
      ? Math.floor((requestSizeMax - 2) / (element.bytesMin + 1))
      : notNegative(maxItems)
  return { type: listType(element.type), sizeMax, bytesMin: 2, element }
}

const keyType: SchemaType = { type: celTypes.string, sizeMax: requestSizeMax, bytesMin: 2 }

function objectOrMapType(schema: StructuralSchema, name: string): SchemaType | undefined {
  const { additionalProperties, maxProperties, properties = {}, required = [] } = schema
  if (typeof additionalProperties === 'object') {
    const element = schemaType(
      additionalProperties,
      isEmbedded(additionalProperties),
      `${name}.@elem`,
    )
    if (element === undefined) return undefined
    const sizeMax =
      maxProperties === undefined
        ? Math.floor((requestSizeMax - 2) / (element.bytesMin + 6))
        : notNegative(maxProperties)
    const type = mapType(celTypes.string, element.type)
    return { type, sizeMax, bytesMin: 2, key: keyType, element }
  }
  const fields = new Map<string, SchemaType>()
  let bytesMin = 2
  for (const [field, property] of Object.entries(properties)) {
    const identifier = escapeName(field)
    const fieldType = schemaType(property, isEmbedded(property), `${name}.${identifier ?? ''}`)
    if (fieldType === undefined) continue
    if (identifier !== undefined) fields.set(identifier, fieldType)
    if (required.includes(field) && property.default === undefined) {
      bytesMin += byteLength(field) + fieldType.bytesMin + 4
    }
  }
  const fieldTypes = new Map([...fields].map(([field, { type }]) => [field, type]))
  for (const field of Object.keys(properties)) {
    // A reserved word is also allowed without underscores, if the grammar allows it there.
    const type = fields.get(`__${field}__`)?.type
    if (type !== undefined && escapeName(field) === `__${field}__`) fieldTypes.set(field, type)
  }
  return { type: objectType(name, fieldTypes), sizeMax: 0, bytesMin, fields }
}

function stringType({ format, maxLength, enum: values }: StructuralSchema): SchemaType {
  switch (format) {
    case 'byte': {
      const sizeMax = maxLength === undefined ? requestSizeMax - 2 : notNegative(maxLength)
      return { type: celTypes.bytes, sizeMax, bytesMin: 2 }
    }
    case 'duration':
      return { type: celTypes.duration, sizeMax: 32, bytesMin: 3 }
    case 'date':
      return { type: celTypes.timestamp, sizeMax: 12, bytesMin: 12 }
    case 'date-time':
      return { type: celTypes.timestamp, sizeMax: 32, bytesMin: 21 }
    default:
      return { type: celTypes.string, sizeMax: textSizeMax(maxLength, values), bytesMin: 2 }
  }
}

function textSizeMax(maxLength: number | undefined, values: StructuralSchema['enum']): number {
  if (maxLength !== undefined) return notNegative(maxLength) * 4
  if (values === undefined || values.length === 0) return requestSizeMax - 2
  return Math.max(0, ...values.map((value) => (typeof value === 'string' ? byteLength(value) : 0)))
}

/** The same type with other names for its object types, which start with `name`. */
export function renamedType(type: SchemaType, name: string): SchemaType {
  if (type.fields !== undefined) {
    const fields = new Map(
      [...type.fields].map(([field, part]) => [field, renamedType(part, `${name}.${field}`)]),
    )
    const plain = [...(type.type.fields ?? [])].map(([field, old]): [string, CelType] => [
      field,
      (fields.get(field) ?? fields.get(`__${field}__`))?.type ?? old,
    ])
    return { ...type, fields, type: objectType(name, new Map(plain)) }
  }
  if (type.element === undefined) return type
  const isMap = type.key !== undefined
  const element = renamedType(type.element, `${name}.${isMap ? '@elem' : '@idx'}`)
  const renamed = isMap ? mapType(celTypes.string, element.type) : listType(element.type)
  return { ...type, element, type: renamed }
}

/** How often a value of this size can occur in one request. */
export function cardinalityMax(bytesMin: number): bigint {
  return BigInt(Math.floor(requestSizeMax / (bytesMin + 1)))
}

/** The object types in a type, by name. */
export function objectTypesIn(root: SchemaType): ReadonlyMap<string, CelType> {
  const found = new Map<string, CelType>()
  const pending = [root]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.fields !== undefined) {
      found.set(next.type.name, next.type)
      pending.push(...next.fields.values())
    }
    if (next.element !== undefined) pending.push(next.element)
  }
  return found
}

/** The size of the value at a path below `self` or `oldSelf`. */
export function sizeAt(
  root: SchemaType,
  path: readonly string[],
): { readonly min: bigint; readonly max: bigint } | undefined {
  let current: SchemaType | undefined = root
  for (const step of path.slice(1)) {
    if (step === '@items' || step === '@values') current = current.element
    else if (step === '@keys') current = current.key
    else current = current.fields?.get(step)
    if (current === undefined) return undefined
  }
  return { min: 0n, max: BigInt(current.sizeMax) }
}
