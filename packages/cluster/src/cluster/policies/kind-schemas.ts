import type { StructuralSchema } from 'setpoint/schema'
import type { Registry } from '../../api/index.ts'
import type { KindSchemas } from '../../controllers/index.ts'
import { builtinSchema, withMetadataSchema } from '../../data/index.ts'

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

function schemaOf({
  schema,
  patchDefinition,
  apiVersion,
  kind,
}: ServedResource): StructuralSchema | undefined {
  if (schema !== undefined) return withMetadataSchema(schema)
  return patchDefinition === undefined ? undefined : builtinSchema(apiVersion, kind)
}
