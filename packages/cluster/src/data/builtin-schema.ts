import type { JsonObject, StructuralSchema } from 'setpoint/schema'
import { builtinData } from './builtin-data.ts'

let definitions: Map<string, string> | undefined

/** The name of the definition of a built-in kind, if it has one. */
export function definitionOf(apiVersion: string, kind: string): string | undefined {
  definitions ??= new Map(
    Object.entries(builtinData.schemas().schemas).flatMap(([name, schema]) => {
      const kinds = schema['x-kubernetes-group-version-kind'] as
        { group: string; version: string; kind: string }[] | undefined
      return (kinds ?? []).map(({ group, version, kind: found }) => [
        `${group === '' ? version : `${group}/${version}`} ${found}`,
        name,
      ])
    }),
  )
  return definitions.get(`${apiVersion} ${kind}`)
}

/** The schema of a built-in kind, without references. */
export function builtinSchema(apiVersion: string, kind: string): StructuralSchema | undefined {
  const name = definitionOf(apiVersion, kind)
  return name === undefined ? undefined : resolved(name, new Set())
}

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/** The schema of a custom kind with the fields that every object has. */
export function withMetadataSchema(schema: StructuralSchema): StructuralSchema {
  const text: StructuralSchema = { type: 'string' }
  const metadata = resolved(objectMeta, new Set())
  return {
    ...schema,
    properties: { ...schema.properties, apiVersion: text, kind: text, metadata },
  }
}

/** A definition with those that it refers to; a recursive one ends with an object without fields. */
function resolved(name: string, outer: ReadonlySet<string>): StructuralSchema {
  if (outer.has(name)) return { type: 'object' }
  const definition = builtinData.schemas().schemas[name] ?? {}
  return withoutRefs(definition, new Set([...outer, name]))
}

function withoutRefs(schema: JsonObject, outer: ReadonlySet<string>): StructuralSchema {
  const { ref, properties, items, additionalProperties, format, type } = schema as {
    ref?: string
    properties?: Readonly<Record<string, JsonObject>>
    items?: JsonObject
    additionalProperties?: JsonObject | boolean
    format?: string
    type?: string
  }
  if (ref !== undefined) return resolved(ref, outer)
  if (format === 'int-or-string') return { 'x-kubernetes-int-or-string': true }
  return {
    ...(type === undefined ? {} : { type: type as NonNullable<StructuralSchema['type']> }),
    ...(format === undefined ? {} : { format }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, withoutRefs(part, outer)]),
      ),
    }),
    ...(items && { items: withoutRefs(items, outer) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: withoutRefs(additionalProperties, outer),
    }),
  }
}
