import type { MessageTable } from '../protobuf/message-table.ts'

/** Whether objects of a kind live in a namespace or stand alone in the cluster. */
export type Scope = 'Namespaced' | 'Cluster'

/**
 * What identifies a kind of resource to the API: enough to build every URL, RBAC rule and owner
 * reference. Built-in kinds (`Deployment`) and your own definitions are both values of this type, so
 * everything above takes either. `T` is the type of one object as the API server returns it.
 */
export interface Kind<out T = unknown> {
  /** API group; the empty string is the core group. */
  readonly group: string
  readonly version: string
  /** `group/version`, or just the version for the core group, as manifests spell it. */
  readonly apiVersion: string
  readonly kind: string
  /** The resource name in URLs and RBAC rules. */
  readonly plural: string
  /** The name of one object in commands and messages; kubectl's `deployment/web`. */
  readonly singular?: string
  /** What people type instead of the plural: `deploy`. */
  readonly shortNames?: readonly string[]
  readonly scope: Scope
  /** Subresources the API serves for it: `status`, `scale`, `log`, ... */
  readonly subresources: readonly string[]
  /**
   * Given only where the API does not allow the usual eight (create, delete, deletecollection, get,
   * list, patch, update, watch), so that watching a `TokenReview` can be refused before any request.
   */
  readonly verbs?: readonly string[]
  /**
   * How its objects look in protobuf, for kinds that servers send in it: caches then read that instead of JSON, which costs
   * the server and us less. Custom resources have no such form.
   */
  readonly protobuf?: MessageTable | undefined
  /** Given when only the metadata of its objects is wanted: see `metadataOf`. */
  readonly part?: 'metadata'
  /** Carries the object's type; never present at run time. */
  readonly '~object'?: T
}

/** The type of an object of a kind or definition, as read from the API: `InferResource<typeof Deployment>`. */
export type InferResource<K extends Kind> = K extends Kind<infer T> ? T : never
