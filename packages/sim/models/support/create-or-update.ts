import type { InferResource, Kind } from 'setpoint'
import type { ManifestOf } from 'setpoint/client'
import type { Tools } from './start-controller.ts'
import { controllerOf, type ObjectKey, type StoredObject } from './stored-object.ts'

/** Maps that the operator owns completely: a key that it no longer demands is removed. */
const wholeFields = new Set(['data', 'nodeSelector'])

/**
 * Creates a child, or changes the fields that differ, as `controllerutil.CreateOrUpdate` does: it
 * reads from the cache, and the update fails if the cache is old. A child of another owner is an
 * error. Returns the resulting object.
 */
export async function createOrUpdate<K extends Kind>(
  tools: Tools,
  kind: K,
  manifest: ManifestOf<K>,
): Promise<InferResource<K>> {
  const desired = manifest as unknown as StoredObject
  const live = tools.cache.get(kind, desired.metadata as ObjectKey) as StoredObject | undefined
  if (live !== undefined && controllerOf(live)?.uid !== controllerOf(desired)?.uid) {
    throw new Error(`${kind.kind} ${live.metadata.name} belongs to another owner`)
  }
  return createOrTakeOver(tools, kind, manifest)
}

/** Does the same, and also changes a child of another owner. */
export async function createOrTakeOver<K extends Kind>(
  { cache, client }: Tools,
  kind: K,
  manifest: ManifestOf<K>,
): Promise<InferResource<K>> {
  const desired = manifest as unknown as StoredObject
  const cached = cache.get(kind, desired.metadata as ObjectKey)
  if (cached === undefined) return client.create(kind, manifest)
  const live = cached as StoredObject
  if (live.metadata.deletionTimestamp !== undefined) {
    throw new Error(`${kind.kind} ${live.metadata.name} is still being deleted`)
  }
  if (contains(live, desired)) return cached
  return client.replace(kind, merged(live, desired) as InferResource<K>)
}

/** Creates a child unless the cache has it; never changes it. */
export async function createIfMissing<K extends Kind>(
  { cache, client }: Tools,
  kind: K,
  manifest: ManifestOf<K>,
): Promise<InferResource<K>> {
  const place = (manifest as { readonly metadata: object }).metadata as ObjectKey
  return cache.get(kind, place) ?? client.create(kind, manifest)
}

/** Whether the live value has everything that the desired one has. */
function contains(live: unknown, desired: unknown, field = ''): boolean {
  if (desired === undefined) return true
  if (typeof desired !== 'object' || desired === null) return live === desired
  const wanted = Object.entries(desired)
  const present = typeof live === 'object' && live !== null ? live : {}
  const isWhole = Array.isArray(desired) || wholeFields.has(field)
  if (isWhole && Object.keys(present).length !== wanted.length) return false
  return wanted.every(([name, value]) => contains(valueOf(present, name), value, name))
}

/** The live value with the desired fields in it. */
function merged(live: unknown, desired: unknown, field = ''): unknown {
  if (desired === undefined) return live
  if (Array.isArray(desired)) {
    const items = desired as readonly unknown[]
    return items.map((item, index) => merged(valueOf(live, String(index)), item))
  }
  if (typeof desired !== 'object' || desired === null || wholeFields.has(field)) return desired
  const result: Record<string, unknown> = { ...(live as object | undefined) }
  for (const [name, value] of Object.entries(desired))
    result[name] = merged(result[name], value, name)
  return result
}

function valueOf(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined
  return (object as Readonly<Record<string, unknown>>)[name]
}
