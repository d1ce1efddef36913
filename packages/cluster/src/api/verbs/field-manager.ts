import type { JsonObject, JsonValue } from 'setpoint/schema'
import { builtinApplySchema, recordUpdate, resetNothing } from '../../apply/index.ts'
import { asDecoded } from '../../codec/index.ts'
import { isLongerThan } from '../../limits/index.ts'
import { formatTime } from '../../object/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { withConversions, type ConvertObject } from '../conversion/with-conversions.ts'
import { storedBytesMax } from '../object-text.ts'
import type { ServedResource } from '../resources/served-resource.ts'

/** A write other than an apply, for managedFields. */
interface RecordedWrite {
  readonly live: JsonObject | undefined
  readonly updated: JsonObject
  readonly manager: string
  readonly subresource: string
}

/**
 * Updates `metadata.managedFields` for a write other than an apply. Managers of other versions may
 * need a webhook.
 */
export async function recordManagers(
  request: Pick<ApiRequest, 'server'>,
  resource: ServedResource,
  write: RecordedWrite,
): Promise<JsonObject> {
  return withConversions(resource, (convert) =>
    withManagedFields(request, resource, { ...write, convert }),
  )
}

/** Like `recordManagers`, for kinds that no webhook converts. */
export function withManagedFields(
  request: Pick<ApiRequest, 'server'>,
  resource: ServedResource,
  write: RecordedWrite & { readonly convert?: ConvertObject | undefined },
): JsonObject {
  // Such an object is refused after its validation. The owners of its fields would take about a second.
  const { managedFields: _sent, ...metadata } = (write.updated['metadata'] ?? {}) as JsonObject
  const bare = { ...write.updated, metadata }
  if (isLongerThan(bare, storedBytesMax)) return bare
  // A real server has no type for the fields of another kind, which a patch of a status can set.
  if (resource.isCustom && write.updated['kind'] !== resource.kind) return bare
  const { convert = resource.convert } = write
  const recorded = recordUpdate({
    live: write.live,
    updated: write.updated,
    schema: resource.applySchema(),
    schemaOfVersion: resource.applySchemaOf,
    ...(convert === undefined ? {} : { convert }),
    by: managerIdentity(request, resource, write),
    reset: resource.resetFields(write.subresource),
  })
  return asDecoded(recorded, write.updated)
}

/** The field manager of a write, as managedFields names it. */
export function managerIdentity(
  request: Pick<ApiRequest, 'server'>,
  resource: ServedResource,
  write: { readonly manager: string; readonly subresource: string },
): { manager: string; apiVersion: string; subresource: string; timeSeconds: string } {
  return {
    manager: write.manager,
    apiVersion: resource.apiVersion,
    subresource: write.subresource,
    timeSeconds: formatTime(request.server.host.now()),
  }
}

/** The managedFields of an object that is answered but never stored. */
export function managedFieldsOfPost(
  request: ApiRequest,
  asked: JsonObject,
  by: { readonly definition: string; readonly manager: string; readonly subresource: string },
): JsonValue[] {
  const schema = builtinApplySchema(by.definition)
  const recorded = recordUpdate({
    live: undefined,
    updated: asked,
    schema,
    schemaOfVersion: () => schema,
    by: {
      manager: by.manager,
      apiVersion: asked['apiVersion'] as string,
      subresource: by.subresource,
      timeSeconds: formatTime(request.server.host.now()),
    },
    reset: resetNothing,
  })
  const { managedFields } = recorded['metadata'] as JsonObject
  return Array.isArray(managedFields) ? managedFields : []
}
