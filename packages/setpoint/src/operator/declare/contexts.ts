import type { AppliedOf, Client, Patch, Propagation } from '../../client/index.ts'
import type { Reason } from '../../controller/index.ts'
import type { RecordedEvent } from '../../events/index.ts'
import type { Workspace } from '../../host/index.ts'
import type { DynamicKind, DynamicObject } from '../../kinds/dynamic-kind.ts'
import type { InferResource, Kind } from '../../kinds/kind.ts'
import type { LabelSelector } from '../../kinds/label-selector.ts'
import type { Logger } from '../../log/index.ts'
import type { MetricsRegistry } from '../../metrics/index.ts'
import type {
  AllowUndefined,
  ChildMap,
  DesiredMetadata,
  Frozen,
  LiveChildren,
  StatedStatus,
} from './operator-types.ts'

/** The second argument of the function of a child. */
export interface ChildContext<
  Children extends ChildMap = ChildMap,
  Read extends Kind = Kind,
> extends CacheView<Read> {
  /** The live children that are declared before it. */
  readonly children: LiveChildren<Children>
  /**
   * Random bytes for passwords and keys. Only a child with `createOnly` may use them, because any
   * other child would change on every reconcile.
   */
  randomBytes(count: number): Uint8Array
  /** The result of a function that `.prepare` declares, in this reconcile. */
  prepared<Result>(run: (owner: never, context: PrepareContext) => Promise<Result>): Result
}

/** The second argument of the function of `.prepare`. */
export type PrepareContext = Pick<
  ReconcileContext,
  'signal' | 'log' | 'now' | 'workspace' | 'client'
>

/**
 * The cached objects of the declared kinds, for `.status`, `.watch` and the functions of children.
 */
export type CacheView<Read extends Kind = Kind> = Pick<ReconcileContext<Read>, 'get' | 'list'>

/**
 * The second argument of `.reconcile` and of cleanups. It reads the kinds that the operator
 * declares, and writes those of `.owns`, `.writes` and `.child`. Other kinds do not compile,
 * because the RBAC role of the operator does not allow them.
 */
export interface ReconcileContext<
  Read extends Kind = Kind,
  Owned extends Kind = Kind,
  Served extends Kind = Kind,
> {
  /** Aborted at the timeout and when the process stops. Pass it to `fetch` and other calls. */
  readonly signal: AbortSignal
  /** Logs with the operator, the object and the reconcile as fields. */
  readonly log: Logger
  /**
   * Metrics of the author, served with those of Setpoint: `ctx.metrics.counter({ name, help
   * }).add({})`. Asking for a metric again returns the same one.
   */
  readonly metrics: MetricsRegistry
  /** Why the object is reconciled: the changes and other triggers since the last reconcile. */
  readonly reasons: readonly Reason[]
  /** The time in epoch milliseconds. On a virtual host it is virtual time. */
  now(): number
  /**
   * Reads an object of a declared kind from the cache: by key `namespace/name`, or by name in the
   * namespace of the owner. In `.watch`, where no owner is known, only by key.
   */
  get<K extends Read>(kind: K, key: string): Frozen<InferResource<K>> | undefined
  /**
   * Lists objects of a declared kind from the cache: all that are watched, those of a namespace, or
   * those with labels.
   */
  list<K extends Read>(kind: K, where?: string | ObjectsWhere): Frozen<InferResource<K>>[]
  /**
   * Finds a kind that is chosen at run time, by the names that manifests have; `undefined` if the
   * server does not serve it.
   */
  kindOf(apiVersion: string, kind: string): Promise<DynamicKind | undefined>
  /**
   * Reads objects of a kind that is chosen at run time, in the namespace of the owner unless given.
   * From now on their changes enqueue the owner, until a reconcile succeeds without following them.
   * The kind is watched meanwhile, and `ctx.get`, `ctx.list`, `ctx.patch` and the others take it.
   * Throws `API_FORBIDDEN` without the rights. Needs `.dynamicKinds`.
   */
  follow(
    kind: Extract<Read, DynamicKind>,
    where?: FollowedObjects,
  ): Promise<Frozen<DynamicObject>[]>
  /** Lists the objects of a kind that the owner owns, from the cache. */
  owned<K extends Owned>(kind: K): Frozen<InferResource<K>>[]
  /**
   * Creates or updates an owned object. Name, namespace and owner reference are filled in; nothing
   * is sent if nothing changes. An existing object without a controller is refused, unless
   * `adopt` is true.
   */
  apply<K extends Owned>(
    kind: K,
    desired: OwnedManifest<K>,
    options?: { readonly adopt?: boolean },
  ): Promise<Frozen<InferResource<K>>>
  /**
   * Creates an owned object, for objects that are never updated. Throws `API_ALREADY_EXISTS` if it
   * exists. With `generateName` the server completes the name.
   */
  create<K extends Owned>(kind: K, desired: CreatedManifest<K>): Promise<Frozen<InferResource<K>>>
  /** Patches an object, or a declared subresource: `.owns(Kind, { subresources: ['scale'] })`. */
  patch<K extends Owned>(
    kind: K,
    object: ObjectOf,
    patch: Patch & { readonly subresource?: string },
  ): Promise<Frozen<InferResource<K>>>
  /** Replaces an object. Optimistic lock: after a conflict the owner is reconciled again. */
  update<K extends Owned>(
    kind: K,
    object: Frozen<InferResource<K>>,
  ): Promise<Frozen<InferResource<K>>>
  /** Deletes an object if it has not changed since it was read. */
  delete(kind: Owned, object: ObjectOf, options?: OwnedDeletion): Promise<void>
  /**
   * Replaces the status of the owner if it differs. For operators that compute their status during
   * the reconcile; use `.status` if it is a function of owner and children. If the resource
   * declares a Ready condition and the status does not state it, the derived Ready is written with
   * it. Conditions may be stated by type, as in `.status`. A function gets the latest status and
   * returns the new one; it is called again when another writer was faster:
   *
   *     await ctx.updateStatus((status) => ({ ...status, served: '17' }))
   */
  updateStatus(
    status:
      | StatusOf<Served>
      | StatedStatus<Served>
      | ((latest: StatusOf<Served>) => StatusOf<Served> | StatedStatus<Served>),
  ): Promise<void>
  /** Records a Kubernetes Event about the owner. Repeated Events are counted in one object. */
  recordEvent(event: RecordedEvent): Promise<void>
  /**
   * Opens a private directory in which other programs run, with files that only this user can read.
   * They are ended when `signal` is aborted. Dispose it: `await using work = await
   * ctx.workspace()`.
   */
  workspace(this: void): Promise<Workspace>
  /** The client, for all other calls. Its writes are not tracked as own writes. */
  readonly client: Client
}

/**
 * An owned object as `ctx.apply` takes it. Name and namespace are filled in if they are missing.
 */
type OwnedManifest<K extends Kind> = Omit<AppliedOf<K>, 'metadata'> & {
  readonly metadata?: OwnedMetadata | undefined
}

/** The metadata of an object that `ctx.apply` writes. */
interface OwnedMetadata extends DesiredMetadata {
  readonly uid?: string | undefined
  readonly resourceVersion?: string | undefined
}

/** The whole status of an object. */
type StatusOf<K extends Kind> =
  InferResource<K> extends { status?: infer Status } ? AllowUndefined<NonNullable<Status>> : object

/** An owned object as `ctx.create` takes it. */
type CreatedManifest<K extends Kind> = Omit<AppliedOf<K>, 'metadata'> & {
  readonly metadata?: (OwnedMetadata & { readonly generateName?: string | undefined }) | undefined
}

/** Options of `ctx.delete`. */
export interface OwnedDeletion {
  /** Delete it even if it has changed since it was read. Its uid must be the same. */
  readonly evenIfChanged?: boolean
  readonly gracePeriodSeconds?: number
  readonly propagation?: Propagation
}

/** Selects objects of a kind. */
export interface ObjectsWhere {
  readonly namespace?: string | undefined
  /** Labels that must be equal, or a label selector. An index finds the objects. */
  readonly labels?: LabelSelector | Readonly<Record<string, string>> | undefined
}

/** The objects that `ctx.follow` reads: one by name, those with labels, or all. */
export interface FollowedObjects {
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  /** Labels that must be equal, or a label selector. */
  readonly labels?: LabelSelector | Readonly<Record<string, string>> | undefined
}

/** An object that was read before. */
interface ObjectOf {
  readonly metadata: { readonly name: string }
}
