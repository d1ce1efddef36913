import type { JsonObject } from 'setpoint/schema'

interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

/** One entry of managedFields. */
interface ManagedFieldsEntry {
  manager?: string
  operation?: string
  apiVersion?: string
  time?: string
  fieldsType?: string
  fieldsV1?: JsonObject
  subresource?: string
}

/** The metadata of every object; decoding guarantees the types. */
interface ObjectMetadata {
  name?: string
  generateName?: string
  namespace?: string
  selfLink?: string
  uid?: string
  resourceVersion?: string
  /** A bigint above 2^53: clients may start from any number. */
  generation?: number | bigint
  creationTimestamp?: string | null
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  finalizers?: string[]
  ownerReferences?: OwnerReference[]
  managedFields?: ManagedFieldsEntry[]
}

/** The object's own metadata. Decoded objects always have it. */
export function metadataOf(object: JsonObject): ObjectMetadata {
  return (object['metadata'] ??= {}) as unknown as ObjectMetadata
}

/** The name; empty if there is none yet. */
export function nameOf(object: JsonObject): string {
  return metadataOf(object).name ?? ''
}

/** The namespace; empty for cluster-scoped objects. */
export function namespaceOf(object: JsonObject): string {
  return metadataOf(object).namespace ?? ''
}

/** The key of an object in its bucket of the store. */
export function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`
}

/** Whether an object has a deletionTimestamp. */
export function isTerminating({ metadata }: { readonly metadata?: unknown }): boolean {
  const { deletionTimestamp } = (metadata ?? {}) as { readonly deletionTimestamp?: unknown }
  return deletionTimestamp !== undefined
}

/** The next generation; an int64, as in Go. */
export function nextGeneration(generation: number | bigint | undefined): number | bigint {
  const next = BigInt.asIntN(64, BigInt(generation ?? 0) + 1n)
  return Number.isSafeInteger(Number(next)) ? Number(next) : next
}
