import type { InferResource, Kind } from './kind.ts'

/** An object of which only the metadata is known. */
export type MetadataOnly<T> = Pick<T, keyof T & ('apiVersion' | 'kind' | 'metadata')>

/** A kind of which only the metadata is read. */
export type MetadataKind<K extends Kind> = Omit<K, '~object'> & Kind<MetadataOnly<InferResource<K>>>

const known = new WeakMap<Kind, Kind>()

/**
 * A kind whose objects are read without their content: enough to know that they exist, their labels
 * and their owners. `.owns(metadataOf(Secret))` keeps no secret in memory; a cache of pods takes a
 * tenth of the space.
 */
export function metadataOf<K extends Kind>(kind: K): MetadataKind<K> {
  const made = known.get(kind) ?? { ...kind, part: 'metadata' }
  known.set(kind, made)
  return made as MetadataKind<K>
}
