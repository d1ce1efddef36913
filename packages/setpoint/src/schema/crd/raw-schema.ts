/** A schema with all keywords of JSON Schema, including those that a CRD must not use. */
import type { JsonValue, StructuralSchema } from '../structural-schema.ts'

/** The keywords beyond `StructuralSchema` that the checks read before they refuse them. */
export type RawSchema = Omit<
  StructuralSchema,
  | 'type'
  | 'items'
  | 'x-kubernetes-preserve-unknown-fields'
  | 'x-kubernetes-list-type'
  | 'x-kubernetes-map-type'
  | 'x-kubernetes-validations'
> & {
  readonly type?: string
  readonly items?: StructuralSchema | readonly StructuralSchema[]
  readonly id?: string
  readonly $schema?: string
  readonly $ref?: string
  readonly definitions?: Readonly<Record<string, StructuralSchema>>
  readonly dependencies?: Readonly<Record<string, JsonValue>>
  readonly patternProperties?: Readonly<Record<string, StructuralSchema>>
  readonly additionalItems?: JsonValue
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-list-type'?: string
  readonly 'x-kubernetes-map-type'?: string
  readonly 'x-kubernetes-validations'?: readonly Readonly<Record<string, JsonValue>>[]
}

/** The schema as a `RawSchema`: its values may have other types than `StructuralSchema` allows. */
export function raw(schema: StructuralSchema): RawSchema {
  return schema as unknown as RawSchema
}

/** The direct child schemas with their paths, in the order in which a server visits them. */
export function childSchemas(
  schema: StructuralSchema,
  path: string,
): (readonly [StructuralSchema, string])[] {
  const { additionalProperties, properties, not, allOf, oneOf, anyOf } = schema
  const { items, definitions } = raw(schema)
  // A definition can have 50,000 schemas, and most of them have no children.
  const children: (readonly [StructuralSchema, string])[] = []
  const add = (child: StructuralSchema, name: string): void => {
    children.push([child, `${path}.${name}`])
  }
  const addAll = (name: string, schemas: SchemaGroup): void => {
    for (const key of Object.keys(schemas)) {
      add((schemas as Readonly<Record<string, StructuralSchema>>)[key] ?? {}, `${name}[${key}]`)
    }
  }
  if (typeof additionalProperties === 'object') add(additionalProperties, 'additionalProperties')
  if (properties !== undefined) addAll('properties', properties)
  if (not !== undefined) add(not, 'not')
  if (allOf !== undefined) addAll('allOf', allOf)
  if (oneOf !== undefined) addAll('oneOf', oneOf)
  if (anyOf !== undefined) addAll('anyOf', anyOf)
  if (definitions !== undefined) addAll('definitions', definitions)
  if (Array.isArray(items)) addAll('items', items as readonly StructuralSchema[])
  else if (items !== undefined) add(items as StructuralSchema, 'items')
  return children
}

/** Schemas by their names or indexes. */
type SchemaGroup = Readonly<Record<string, StructuralSchema>> | readonly StructuralSchema[]

const unstructuralKeywords = [
  'id',
  '$schema',
  '$ref',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
] as const

/** Whether a forbidden keyword has a value; servers ignore some of the empty ones. */
export function isGiven(
  schema: StructuralSchema,
  keyword: (typeof unstructuralKeywords)[number],
): boolean {
  const value = raw(schema)[keyword]
  if (keyword === 'definitions' || keyword === 'patternProperties') {
    return Object.keys(value ?? {}).length > 0
  }
  return value !== undefined && (value !== '' || keyword === '$ref')
}

/** The first keyword in the whole schema that is not structural. */
export function unreadableKeyword(schema: StructuralSchema): string | undefined {
  const { items } = raw(schema)
  const keyword = unstructuralKeywords.find((name) => isGiven(schema, name))
  if (keyword !== undefined) {
    return `OpenAPIV3Schema '${keyword === '$schema' ? 'schema' : keyword}' is not supported`
  }
  if (raw(schema)['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
  }
  if (Array.isArray(items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array"
  for (const [child] of childSchemas(schema, '')) {
    const problem = unreadableKeyword(child)
    if (problem !== undefined) return problem
  }
  return undefined
}
