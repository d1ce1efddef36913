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
  const { not, allOf = [], oneOf = [], anyOf = [], properties = {}, additionalProperties } = schema
  const { items, definitions = {} } = raw(schema)
  const indexed = (name: string, schemas: readonly StructuralSchema[]) =>
    schemas.map((child, index) => [child, `${path}.${name}[${index}]`] as const)
  const keyed = (name: string, schemas: Readonly<Record<string, StructuralSchema>>) =>
    Object.entries(schemas).map(([key, child]) => [child, `${path}.${name}[${key}]`] as const)
  return [
    ...(typeof additionalProperties === 'object'
      ? [[additionalProperties, `${path}.additionalProperties`] as const]
      : []),
    ...keyed('properties', properties),
    ...(not === undefined ? [] : [[not, `${path}.not`] as const]),
    ...indexed('allOf', allOf),
    ...indexed('oneOf', oneOf),
    ...indexed('anyOf', anyOf),
    ...keyed('definitions', definitions),
    ...(Array.isArray(items)
      ? indexed('items', items as readonly StructuralSchema[])
      : items === undefined
        ? []
        : [[items as StructuralSchema, `${path}.items`] as const]),
  ]
}

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
