import type { JsonObject } from 'setpoint/schema'
import { sortedKeys, toStoredForm } from '../../codec/index.ts'
import { keyOf, metadataOf, nameOf, namespaceOf } from '../../object/index.ts'
import type { StoredObject, StoreWrite } from '../../store/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { storedText } from '../object-text.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { keepServiceAddresses } from '../services/service-ip-objects.ts'

/** A change that is ready to be stored. */
export interface Change {
  readonly resource: ServedResource
  /** In its stored form, in the version of the resource. */
  readonly object: JsonObject
  /** The revision it is based on; 0 for a new object. */
  readonly expected: number
}

/** Stores a new or changed object. */
export function commitPut(request: Pick<ApiRequest, 'server'>, change: Change): StoredObject {
  keepServiceAddresses(request, { ...change, isDeleted: false })
  const stored = request.server.store.put(storeWrite(change))
  request.server.metrics.stored(change.expected === 0 ? 'create' : 'update', change.resource)
  request.server.committed({ resource: change.resource, stored, isDeleted: false })
  return stored
}

/** Deletes an object; watchers get `object` with the revision of its deletion. */
export function commitRemove(request: ApiRequest, change: Change): StoredObject {
  keepServiceAddresses(request, { ...change, isDeleted: true })
  const stored = request.server.store.remove(storeWrite(change))
  request.server.metrics.stored('delete', change.resource)
  request.server.committed({ resource: change.resource, stored, isDeleted: true })
  return stored
}

function storeWrite({ resource, object, expected }: Change): StoreWrite {
  const { isStorageVersion, strategy } = resource
  const stored = isStorageVersion ? object : storedForm(resource, strategy.toStorage(object))
  return {
    bucket: resource.bucket,
    key: keyOf(namespaceOf(stored), nameOf(stored)),
    expected,
    schemaTag: resource.schemaTag,
    labels: metadataOf(stored).labels,
    serialise: (revision) => storedText(stored, revision),
  }
}

/**
 * An object as it will be read back: in Go's order, without values that storage does not
 * distinguish from absent ones.
 */
export function storedForm({ isCustom }: ServedResource, object: JsonObject): JsonObject {
  if (isCustom) return sortedKeys(object)
  const { apiVersion, kind } = object as { apiVersion: string; kind: string }
  return toStoredForm(apiVersion, kind, object)
}
