import type { JsonObject } from 'setpoint/schema'
import { autoscalerFromV2, autoscalerToV2 } from './autoscaler-versions.ts'
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

/** An object of another version as it is stored. */
export function toStorageVersion(
  { apiVersion, kind }: VersionedKind,
  object: JsonObject,
): JsonObject {
  if (kind === 'Event' && apiVersion === 'events.k8s.io/v1') return coreEventOf(object)
  if (apiVersion === 'autoscaling/v1') return autoscalerToV2(object)
  return object
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
