import type { JsonObject } from 'setpoint/schema'
import { recordUpdate } from '../../apply/index.ts'
import { formatTime } from '../../object/index.ts'
import type { ApiRequest } from '../api-request.ts'
import type { ServedResource } from '../resources/served-resource.ts'

/** A plain write (not an apply), for the record of who wrote what. */
interface RecordedWrite {
  readonly live: JsonObject | undefined
  readonly updated: JsonObject
  readonly manager: string
  readonly subresource: string
}

/** Brings `metadata.managedFields` up to date with a plain write. */
export function withManagedFields(
  request: ApiRequest,
  resource: ServedResource,
  write: RecordedWrite,
): JsonObject {
  return recordUpdate({
    live: write.live,
    updated: write.updated,
    schema: resource.applySchema(),
    schemaOfVersion: resource.applySchemaOf,
    by: managerIdentity(request, resource, write),
    reset: resource.resetFields(write.subresource),
  })
}

/** Who writes, as managedFields will name it. */
export function managerIdentity(
  request: ApiRequest,
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
