import { jsonEquals, type JsonObject } from 'setpoint/schema'
import { sortedKeys, toPrintedForm, toStoredForm } from '../../codec/index.ts'
import { keyOf, metadataOf, nameOf, namespaceOf } from '../../object/index.ts'
import { RevisionConflictError, type StoredObject, type StoreWrite } from '../../store/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { readStored, storedText } from '../object-text.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { keepServiceAddresses } from '../services/service-ip-objects.ts'

/** A change that is ready to be stored. */
export interface Change {
  readonly resource: ServedResource
  /** In its stored form, in the version of the resource. */
  readonly object: JsonObject
  /** The revision it is based on; 0 for a new object. */
  readonly expected: number
  /** The object in the stored version, if the caller has converted it already. */
  readonly inStorage?: JsonObject | undefined
  /** What an apply stores if it differs from what is read back. */
  readonly unpruned?: JsonObject | undefined
}

/** Stores a new or changed object. */
export function commitPut(request: Pick<ApiRequest, 'server'>, change: Change): StoredObject {
  keepServiceAddresses(request, { ...change, isDeleted: false })
  const { store, metrics, host } = request.server
  const startMs = host.monotonicMs()
  const stored = store.put(storeWrite(change))
  metrics.stored(change.expected === 0 ? 'create' : 'update', change.resource, startMs)
  request.server.committed({ resource: change.resource, stored, isDeleted: false })
  return stored
}

/** Deletes an object; watchers get `object` with the revision of its deletion. */
export function commitRemove(request: ApiRequest, change: Change): StoredObject {
  keepServiceAddresses(request, { ...change, isDeleted: true })
  const write = change.resource.isCustom ? lastState(request, change) : storeWrite(change)
  const { store, metrics, host } = request.server
  const startMs = host.monotonicMs()
  const stored = store.remove(write)
  metrics.stored('delete', change.resource, startMs)
  request.server.committed({ resource: change.resource, stored, isDeleted: true })
  return stored
}

/**
 * The last state of a custom object stays in the version in which it was stored: a deletion converts
 * nothing.
 */
function lastState({ server }: ApiRequest, { resource, object, expected }: Change): StoreWrite {
  const { bucket } = resource
  const key = keyOf(namespaceOf(object), nameOf(object))
  const last = server.store.get(bucket, key)
  if (last === undefined) throw new RevisionConflictError(0)
  const { schemaTag, labels } = last
  const serialise = (revision: number): string => storedText(readStored(resource, last), revision)
  return { bucket, key, expected, schemaTag, labels, serialise }
}

/**
 * The object in the form and the version in which it is stored. A webhook may have to convert it.
 */
export async function storageForm(
  resource: ServedResource,
  object: JsonObject,
): Promise<JsonObject> {
  const { conversion, isStorageVersion } = resource
  if (isStorageVersion || conversion === undefined) return inStoredVersion(resource, object)
  return storedForm(resource, await conversion.toStored(object))
}

/** The result of a dry run: the object as it would be read back. */
export async function dryRunForm(
  resource: ServedResource,
  object: JsonObject,
  inStorage: JsonObject,
): Promise<JsonObject> {
  const { isCustom, isStorageVersion, conversion, strategy, apiVersion } = resource
  if (!isCustom) return strategy.completedByRead?.(object) ?? object
  if (isStorageVersion) return object
  const { resourceVersion } = metadataOf(object)
  const read =
    conversion === undefined
      ? strategy.fromStorage(inStorage)
      : await conversion.fromStored(inStorage, apiVersion)
  if (resourceVersion === undefined) delete metadataOf(read).resourceVersion
  else metadataOf(read).resourceVersion = resourceVersion
  return storedForm(resource, read)
}

function inStoredVersion(resource: ServedResource, object: JsonObject): JsonObject {
  if (resource.isStorageVersion) return object
  return storedForm(resource, resource.strategy.toStorage(object))
}

function storeWrite({ resource, object, expected, inStorage, unpruned }: Change): StoreWrite {
  const stored = unpruned ?? inStorage ?? inStoredVersion(resource, object)
  const completed = resource.strategy.completedByRead?.(stored)
  const tag = unpruned === undefined ? resource.schemaTag : `${resource.schemaTag}/unpruned`
  return {
    bucket: resource.bucket,
    key: keyOf(namespaceOf(stored), nameOf(stored)),
    expected,
    schemaTag: completed === undefined ? tag : 'completed by reads',
    labels: metadataOf(completed ?? stored).labels,
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

/** Like `storedForm`, for an object that is answered but never stored: empty lists stay. */
export function printedForm({ isCustom }: ServedResource, object: JsonObject): JsonObject {
  if (isCustom) return sortedKeys(object)
  const { apiVersion, kind } = object as { apiVersion: string; kind: string }
  return toPrintedForm(apiVersion, kind, object)
}

/**
 * The stored form of an applied object with fields that its schema does not have. A real server
 * drops them when it reads the object, so that the next update stores it again even without
 * changes.
 */
export function unprunedForm(
  resource: ServedResource,
  object: JsonObject,
  pruned: JsonObject | undefined,
): JsonObject | undefined {
  if (pruned === undefined || !resource.isStorageVersion || jsonEquals(pruned, object)) {
    return undefined
  }
  return storedForm(resource, object)
}
