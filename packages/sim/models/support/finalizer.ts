import type { InferResource, Kind } from 'setpoint'
import type { Client } from 'setpoint/client'
import type { StoredObject } from './stored-object.ts'

/** Adds a finalizer with the revision that was read. */
export async function addFinalizer<K extends Kind>(
  client: Client,
  kind: K,
  { object, name }: { readonly object: InferResource<K>; readonly name: string },
): Promise<InferResource<K>> {
  const finalizers = finalizersOf(object)
  if (finalizers.includes(name)) return object
  return client.replace(kind, withFinalizers(kind, object, [...finalizers, name]))
}

/** Removes a finalizer with the revision that was read. */
export async function removeFinalizer<K extends Kind>(
  client: Client,
  kind: K,
  { object, name }: { readonly object: InferResource<K>; readonly name: string },
): Promise<void> {
  const finalizers = finalizersOf(object)
  if (!finalizers.includes(name)) return
  const others = finalizers.filter((each) => each !== name)
  await client.replace(kind, withFinalizers(kind, object, others))
}

function finalizersOf(object: unknown): readonly string[] {
  return (object as StoredObject).metadata.finalizers ?? []
}

function withFinalizers<K extends Kind>(
  _kind: K,
  object: InferResource<K>,
  finalizers: readonly string[],
): InferResource<K> {
  const { metadata } = object as StoredObject
  return { ...(object as object), metadata: { ...metadata, finalizers } } as InferResource<K>
}
