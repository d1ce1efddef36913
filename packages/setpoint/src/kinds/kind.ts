import type { MessageTable } from '../protobuf/message-table.ts'

/** Whether objects of a kind are namespaced or cluster-scoped. */
export type Scope = 'Namespaced' | 'Cluster'

/**
 * The identity of a kind of resource: enough to build every URL, RBAC rule and owner reference.
 * Built-in kinds (`Deployment`) and your own definitions are both values of this type. `T` is the
 * type of one object as the API server returns it.
 */
export interface Kind<out T = unknown> {
  /** The API group; empty for the core group. */
  readonly group: string
  readonly version: string
  /** `group/version`, or just the version for the core group, as in manifests. */
  readonly apiVersion: string
  readonly kind: string
  /** The resource name in URLs and RBAC rules. */
  readonly plural: string
  /** The name of one object in commands and messages; kubectl's `deployment/web`. */
  readonly singular?: string
  /** Short names for kubectl: `deploy`. */
  readonly shortNames?: readonly string[]
  readonly scope: Scope
  /** The subresources that the API serves for it: `status`, `scale`, `log`, ... */
  readonly subresources: readonly string[]
  /**
   * Set only where the API does not allow the usual eight (create, delete, deletecollection, get,
   * list, patch, update, watch), so that watching a `TokenReview` can be refused before any
   * request.
   */
  readonly verbs?: readonly string[]
  /**
   * The protobuf table of its objects, for kinds that servers send in protobuf: caches then read
   * that instead of JSON, which costs the server and the client less. Custom resources have none.
   */
  readonly protobuf?: MessageTable | undefined
  /** Set when only the metadata of its objects is read: see `metadataOf`. */
  readonly part?: 'metadata'
  /** Carries the object's type; never present at run time. */
  readonly '~object'?: T
}

/**
 * The type of an object of a kind or definition, as read from the API: `InferResource<typeof
 * Deployment>`.
 */
export type InferResource<K extends Kind> = K extends Kind<infer T> ? T : never
