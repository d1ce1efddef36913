import { gunzipSync } from 'node:zlib'
import type { JsonObject } from 'setpoint/schema'
import { builtinData } from '../../data/index.ts'
import { metaDefinition, scaleDefinition } from './definition-names.ts'

const metaNames = [
  'DeleteOptions',
  'FieldsV1',
  'ListMeta',
  'ManagedFieldsEntry',
  'ObjectMeta',
  'OwnerReference',
  'Patch',
  'Preconditions',
  'ShardInfo',
  'Status',
  'StatusCause',
  'StatusDetails',
  'Time',
].map(metaDefinition)

const scaleNames = [scaleDefinition, `${scaleDefinition}Spec`, `${scaleDefinition}Status`]

/** The definitions that documents of custom resources share with those of built-in ones. */
export function sharedDefinitions({
  hasScale,
}: {
  readonly hasScale: boolean
}): [string, JsonObject][] {
  const names = hasScale ? [...scaleNames, ...metaNames] : metaNames
  return names.map((name) => [name, builtinDefinitions()[name] ?? {}])
}

let definitions: Readonly<Record<string, JsonObject>> | undefined

/** Any document of a group with scale has all of them. */
function builtinDefinitions(): Readonly<Record<string, JsonObject>> {
  if (definitions === undefined) {
    const packed = builtinData.openApiDocuments()['apis/apps/v1'] ?? ''
    const text = gunzipSync(Buffer.from(packed, 'base64')).toString('utf8')
    const document = JSON.parse(text) as { components: { schemas: Record<string, JsonObject> } }
    definitions = document.components.schemas
  }
  return definitions
}
