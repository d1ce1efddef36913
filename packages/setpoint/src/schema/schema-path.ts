/**
 * Follows paths through a schema instead of an object. The definition layer checks columns, scale
 * paths and selectable fields with it and derives a column's type.
 */
import { objectFields } from './prune-unknown-fields.ts'
import type { JsonPathStep } from './json-path.ts'
import type { StructuralSchema } from './structural-schema.ts'
import { schemaWithoutNulls } from './without-nulls.ts'

/** The schema at the end of a path, or the first missing step. */
export type SchemaPath =
  | { readonly schema: StructuralSchema; readonly missing?: undefined }
  | {
      readonly schema?: undefined
      /** How many steps exist before the missing one. */
      readonly missing: number
      /** The names that exist there, for a hint. */
      readonly known: readonly string[]
    }

const text: StructuralSchema = { type: 'string' }
const time: StructuralSchema = { type: 'string', format: 'date-time' }
const texts: StructuralSchema = { type: 'object', additionalProperties: text }
const free: StructuralSchema = { 'x-kubernetes-preserve-unknown-fields': true }

/** The schema of the fields that every object has. */
const objectSchema: Readonly<Record<string, StructuralSchema>> = {
  apiVersion: text,
  kind: text,
  metadata: {
    type: 'object',
    properties: {
      name: text,
      generateName: text,
      namespace: text,
      uid: text,
      resourceVersion: text,
      generation: { type: 'integer', format: 'int64' },
      creationTimestamp: time,
      deletionTimestamp: time,
      deletionGracePeriodSeconds: { type: 'integer', format: 'int64' },
      labels: texts,
      annotations: texts,
      finalizers: { type: 'array', items: text },
      ownerReferences: { type: 'array', items: free },
      managedFields: { type: 'array', items: free },
    },
  },
}

/**
 * Follows a path through the schema of a whole object. Below `x-kubernetes-preserve-unknown-fields`
 * any path exists.
 */
export function resolveSchemaPath(
  schema: StructuralSchema,
  steps: readonly JsonPathStep[],
): SchemaPath {
  const clean = schemaWithoutNulls(schema)
  const root = { ...clean, 'x-kubernetes-embedded-resource': true } as const
  let current: StructuralSchema = root
  for (const [index, step] of steps.entries()) {
    const next = followSchema(current, step)
    if (next === undefined) return { missing: index, known: knownNames(current) }
    current = next
  }
  return { schema: current === root ? clean : current }
}

function followSchema(schema: StructuralSchema, step: JsonPathStep): StructuralSchema | undefined {
  const { properties, additionalProperties, items } = schema
  const fallback = schema['x-kubernetes-preserve-unknown-fields'] === true ? free : undefined
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined
  if (step.kind === 'field') {
    const isObjectField =
      schema['x-kubernetes-embedded-resource'] === true && objectFields.has(step.name)
    if (isObjectField) return objectSchema[step.name]
    if (properties !== undefined && Object.hasOwn(properties, step.name))
      return properties[step.name]
    return values ?? fallback
  }
  if (step.kind !== 'filter')
    return items ?? (step.kind === 'wildcard' ? values : undefined) ?? fallback
  if (items === undefined) return fallback
  let condition: StructuralSchema | undefined = items
  for (const inner of step.path) condition &&= followSchema(condition, inner)
  return condition && items
}

function knownNames(schema: StructuralSchema): string[] {
  const own = Object.keys(schema.properties ?? {})
  const implied = schema['x-kubernetes-embedded-resource'] === true ? [...objectFields] : []
  return [...new Set([...implied, ...own])].sort()
}
