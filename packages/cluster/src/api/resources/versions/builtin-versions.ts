import type { JsonObject } from 'setpoint/schema'
import { applyBuiltinDefaults } from '../../../defaults/index.ts'
import { autoscalerFromV2, autoscalerToV2, withoutCarried } from './autoscaler-versions.ts'
import { coreEventOf, eventsEventOf } from './event-versions.ts'

/** The bucket of a built-in resource, and its stored version if it has several. */
interface StorageVersion {
  readonly bucket: string
  readonly apiVersion: string | undefined
}

/** Both Event kinds share one store, and autoscalers have two versions. Other kinds have one. */
export function storageVersionOf(group: string, plural: string): StorageVersion {
  if (plural === 'events') return { bucket: '/events', apiVersion: 'v1' }
  if (plural === 'horizontalpodautoscalers') {
    return { bucket: `${group}/${plural}`, apiVersion: 'autoscaling/v2' }
  }
  return { bucket: `${group}/${plural}`, apiVersion: undefined }
}

interface VersionedKind {
  readonly apiVersion: string
  readonly kind: string
}

/** Converts an object to the version that a real server validates. */
export function internalForm({ apiVersion }: VersionedKind, object: JsonObject): JsonObject {
  return apiVersion === 'autoscaling/v1' ? autoscalerToV2(object) : object
}

/** Converts an object between versions; undefined for kinds whose versions have the same fields. */
export function converterOf(
  kind: string,
): ((object: JsonObject, apiVersion: string) => JsonObject) | undefined {
  if (kind !== 'HorizontalPodAutoscaler' && kind !== 'Event') return undefined
  return (object, apiVersion) => {
    const from = { apiVersion: object['apiVersion'] as string, kind }
    const stored = kind === 'Event' ? toStorageVersion(from, object) : internalForm(from, object)
    return { ...fromStorageVersion({ apiVersion, kind }, stored), apiVersion }
  }
}

/** Converts an object to the stored version. */
export function toStorageVersion(
  { apiVersion, kind }: VersionedKind,
  object: JsonObject,
): JsonObject {
  if (kind === 'Event' && apiVersion === 'events.k8s.io/v1') return coreEventOf(object)
  if (apiVersion !== 'autoscaling/v1') return object
  // Storage is read with the defaults of the stored version.
  const stored = autoscalerToV2(object)
  applyBuiltinDefaults('autoscaling/v2', kind, stored)
  return stored
}

/** Converts a stored object to the requested version. */
export function fromStorageVersion(
  { apiVersion, kind }: VersionedKind,
  object: JsonObject,
): JsonObject {
  if (kind === 'Event' && apiVersion === 'events.k8s.io/v1') return eventsEventOf(object)
  if (apiVersion === 'autoscaling/v1') return autoscalerFromV2(object)
  return object
}

/** An object after a round trip through a real server's internal version. */
export function throughStorage(
  { apiVersion, kind }: VersionedKind,
  object: JsonObject,
): JsonObject {
  if (kind !== 'HorizontalPodAutoscaler') return object
  if (apiVersion === 'autoscaling/v2') return withoutCarried(object)
  return autoscalerFromV2(autoscalerToV2(object))
}
