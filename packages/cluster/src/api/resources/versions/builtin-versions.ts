import type { JsonObject } from 'setpoint/schema'
import { applyBuiltinDefaults } from '../../../defaults/index.ts'
import { autoscalerFromV2, autoscalerToV2, withoutCarried } from './autoscaler-versions.ts'
import { coreEventOf, eventsEventOf } from './event-versions.ts'

/** Where the objects of a built-in resource are, and in which version (when it has several). */
interface StorageVersion {
  readonly bucket: string
  readonly apiVersion: string | undefined
}

/** Events are one store with two faces; autoscalers have two versions. Nothing else has. */
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

/** An object in the form that a real server validates, whatever the version it was sent in. */
export function internalForm({ apiVersion }: VersionedKind, object: JsonObject): JsonObject {
  return apiVersion === 'autoscaling/v1' ? autoscalerToV2(object) : object
}

/** An object of one version in another one; undefined for kinds whose versions look the same. */
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

/** An object of another version as it is stored. */
export function toStorageVersion(
  { apiVersion, kind }: VersionedKind,
  object: JsonObject,
): JsonObject {
  if (kind === 'Event' && apiVersion === 'events.k8s.io/v1') return coreEventOf(object)
  if (apiVersion !== 'autoscaling/v1') return object
  // Storage is read with the defaults of its own version.
  const stored = autoscalerToV2(object)
  applyBuiltinDefaults('autoscaling/v2', kind, stored)
  return stored
}

/** A stored object in the version that was asked for. */
export function fromStorageVersion(
  { apiVersion, kind }: VersionedKind,
  object: JsonObject,
): JsonObject {
  if (kind === 'Event' && apiVersion === 'events.k8s.io/v1') return eventsEventOf(object)
  if (apiVersion === 'autoscaling/v1') return autoscalerFromV2(object)
  return object
}

/** An object as it is after a real server has read it into its own form and back. */
export function throughStorage(
  { apiVersion, kind }: VersionedKind,
  object: JsonObject,
): JsonObject {
  if (kind !== 'HorizontalPodAutoscaler') return object
  if (apiVersion === 'autoscaling/v2') return withoutCarried(object)
  return autoscalerFromV2(autoscalerToV2(object))
}
