import type { ObjectMeta } from './generated/meta-v1.ts'
import type { Scope } from './kind.ts'

export type { ObjectMeta }

/** The metadata that the API server sets for every stored object, namespaced or not. */
interface StoredObjectMeta extends ObjectMeta {
  name: string
  uid: string
  resourceVersion: string
  creationTimestamp: string
}

interface NamespacedMetadata extends StoredObjectMeta {
  namespace: string
}

interface ClusterMetadata extends StoredObjectMeta {
  namespace?: never
}

/**
 * The metadata of an object that was read from the API: identity, version and creation time are
 * always set, and the namespace exactly when the kind is namespaced.
 */
export type StoredMetadata<S extends Scope> = {
  Namespaced: NamespacedMetadata
  Cluster: ClusterMetadata
}[S]

interface NamespacedRequestMetadata extends ObjectMeta {
  namespace: string
}

interface ClusterRequestMetadata extends ObjectMeta {
  namespace?: never
}

/**
 * The metadata of kinds that can only be created (`TokenReview`, `Binding`): the server responds to
 * such a request but stores nothing, so not even a name is certain.
 */
export type RequestMetadata<S extends Scope> = {
  Namespaced: NamespacedRequestMetadata
  Cluster: ClusterRequestMetadata
}[S]

/** A whole object inside another one, of a kind that the outer schema does not restrict. */
export interface EmbeddedResource {
  apiVersion: string
  kind: string
  metadata?: ObjectMeta
  [field: string]: unknown
}
