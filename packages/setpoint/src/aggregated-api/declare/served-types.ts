import type { TypedDefinition, ResourceTypes } from '../../definition/resource-types.ts'
import type { AnyResourceDefinition } from '../../definition/index.ts'
import type { InferResource } from '../../kinds/kind.ts'
import type { ObjectMeta } from '../../kinds/metadata.ts'
import type { Client } from '../../client/index.ts'
import type { Duration } from '../../host/index.ts'
import type { Logger } from '../../log/index.ts'

/** A definition whose types are known. */
export type ServedDefinition = AnyResourceDefinition & TypedDefinition<ResourceTypes>

type ParsedOf<D extends ServedDefinition> =
  D extends TypedDefinition<infer Types> ? Types['parsed'] : never

type Identity = 'apiVersion' | 'kind' | 'metadata'

/**
 * An object as a function of an aggregated API returns it. `apiVersion`, `kind` and the namespace of
 * the request are filled in.
 */
export type ServedObject<D extends ServedDefinition> = Omit<ParsedOf<D>, Identity> &
  Partial<Pick<ParsedOf<D>, 'apiVersion' & keyof ParsedOf<D>>> &
  Partial<Pick<ParsedOf<D>, 'kind' & keyof ParsedOf<D>>> & {
    readonly metadata: ObjectMeta & { readonly name: string }
  }

/** An object that a user writes: with defaults, validated, and with complete metadata. */
export type WrittenObject<D extends ServedDefinition> = Omit<ParsedOf<D>, 'metadata'> & {
  readonly metadata: InferResource<D> extends { metadata: infer Metadata extends object }
    ? Omit<Metadata, 'resourceVersion'> & { readonly resourceVersion?: string }
    : ObjectMeta
}

/** The namespace of one object: text, or `undefined` if the resource is cluster-scoped. */
type NamespaceOf<D extends ServedDefinition> =
  InferResource<D> extends { metadata: { namespace: string } } ? string : undefined

/** The user of a request, as the API server authenticated it. */
export interface ApiUser {
  readonly username: string
  readonly uid?: string | undefined
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

/** What every function of an aggregated API receives. */
export interface ApiCall {
  readonly user: ApiUser
  /** Aborted when the client disconnects, and at the deadline. */
  readonly signal: AbortSignal
  readonly log: Logger
  /** For other objects. `reads` of the API says which kinds it may read. */
  readonly client: Client
  /** Waits; rejects when `signal` is aborted. In tests it waits in virtual time. */
  readonly sleep: (duration: Duration) => Promise<void>
}

/** A request for one object. */
export interface GetCall<D extends ServedDefinition> extends ApiCall {
  readonly name: string
  readonly namespace: NamespaceOf<D>
}

/**
 * A request for many objects. The functions may return more than the selectors select: the server
 * filters them.
 */
export interface ListCall extends ApiCall {
  /** `undefined` means all namespaces, or a cluster-scoped resource. */
  readonly namespace: string | undefined
  /** The name, if one object was selected by `metadata.name`. */
  readonly name: string | undefined
  /** As sent, such as `app=web,tier in (a, b)`; empty without one. */
  readonly labelSelector: string
}

/** A request for changes. */
export interface WatchCall extends ListCall {
  /**
   * The version after which the client needs changes: one that `list` returned. `undefined` if the
   * client has no state; then it gets the result of `list` first.
   */
  readonly resourceVersion: string | undefined
}

/** A request for a change. */
export interface WriteCall<D extends ServedDefinition> extends GetCall<D> {
  /** Whether to answer without a change (`--dry-run=server`). */
  readonly dryRun: boolean
}

/** The result of `list`, with the version of the state. */
export interface ServedList<D extends ServedDefinition> {
  readonly items: readonly ServedObject<D>[]
  /** A watch of the client starts with it. Without one, the current time is used. */
  readonly resourceVersion?: string
}

/** A change of an object. */
export interface ServedEvent<D extends ServedDefinition> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: ServedObject<D>
}

/**
 * The functions behind a resource of an aggregated API. A verb without a function is answered with
 * 405. `patch` is made of `get` and `update`.
 */
export interface ResourceFunctions<D extends ServedDefinition> {
  /** Returns one object; `undefined` if it does not exist. */
  readonly get: (
    call: GetCall<D>,
  ) => Promise<ServedObject<D> | undefined> | ServedObject<D> | undefined
  readonly list: (
    call: ListCall,
  ) =>
    Promise<readonly ServedObject<D>[] | ServedList<D>> | readonly ServedObject<D>[] | ServedList<D>
  /** Yields changes from its first `next` on, until the signal is aborted. */
  readonly watch?: (call: WatchCall) => AsyncIterable<ServedEvent<D>>
  /** Stores an object that `get` did not return before; returns it if it changed it. */
  readonly create?: (
    object: WrittenObject<D>,
    call: WriteCall<D>,
  ) => Promise<ServedObject<D> | void> | ServedObject<D> | void
  /** Stores a new state; `old` is what `get` returned. */
  readonly update?: (
    object: WrittenObject<D>,
    call: WriteCall<D> & { readonly old: ServedObject<D> },
  ) => Promise<ServedObject<D> | void> | ServedObject<D> | void
  /** Deletes an object that `get` returned. */
  readonly delete?: (object: ServedObject<D>, call: WriteCall<D>) => Promise<void> | void
}
