import type { JsonObject, StructuralSchema } from 'setpoint/schema'
import type { Registry } from '../../api/index.ts'
import type { KindSchemas } from '../../controllers/index.ts'
import { builtinData } from '../../data/index.ts'

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

type CheckedKind = NonNullable<ReturnType<KindSchemas['ofKind']>>
type ServedResource = NonNullable<ReturnType<Registry['find']>>

/** The schemas with which expressions of policies are checked. */
export function kindSchemas(registry: Registry): KindSchemas {
  const known = (resource: ServedResource | undefined): CheckedKind | undefined => {
    const schema = resource && schemaOf(resource)
    if (resource === undefined || schema === undefined) return undefined
    const { group, version, kind } = resource
    return { group, version, kind, schema }
  }
  return {
    ofResource: (group, version, plural) => known(registry.find(group, version, plural)),
    ofKind: (apiVersion, kind) =>
      known(registry.all().find((each) => each.apiVersion === apiVersion && each.kind === kind)),
  }
}

function schemaOf({ schema, patchDefinition }: ServedResource): StructuralSchema | undefined {
  if (schema === undefined) {
    return patchDefinition === undefined ? undefined : resolved(patchDefinition, new Set())
  }
  const text: StructuralSchema = { type: 'string' }
  const properties = {
    ...schema.properties,
    apiVersion: text,
    kind: text,
    metadata: resolved(objectMeta, new Set()),
  }
  return { ...schema, properties }
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
