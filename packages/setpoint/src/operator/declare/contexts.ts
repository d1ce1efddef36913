import type { AppliedOf, Client, Patch, Propagation } from '../../client/index.ts'
import type { LabelSelector } from '../../kinds/label-selector.ts'
import type { Reason } from '../../controller/index.ts'
import type { InferResource, Kind } from '../../kinds/kind.ts'
import type { Logger } from '../../log/index.ts'
import type { MetricsRegistry } from '../../metrics/index.ts'
import type { RecordedEvent } from '../../events/index.ts'
import type {
  AllowUndefined,
  ChildMap,
  DesiredMetadata,
  Frozen,
  LiveChildren,
} from './operator-types.ts'

/** What a child's function gets besides its owner. */
export interface ChildContext<
  Children extends ChildMap = ChildMap,
  Read extends Kind = Kind,
> extends OwnerView<Read> {
  /** The children declared before it, as they are now. */
  readonly children: LiveChildren<Children>
  /** Chance, for passwords and keys: only a child that is declared `createOnly` may be different each time. */
  randomBytes(count: number): Uint8Array
}

/** What a cleanup gets besides the object that is going away: all that a reconcile gets. */
export type DeleteContext<
  Read extends Kind = Kind,
  Owned extends Kind = Kind,
  Served extends Kind = Kind,
> = ReconcileContext<Read, Owned, Served>

/** What the declared kinds hold, as `.status` and the functions of children see it. */
export type OwnerView<Read extends Kind = Kind> = Pick<ReconcileContext<Read>, 'get' | 'list'>

/**
 * What a reconcile gets besides its object. It reads kinds that the operator declared and writes those that it owns:
 * anything else does not compile, because the operator's role would not permit it.
 */
export interface ReconcileContext<
  Read extends Kind = Kind,
  Owned extends Kind = Kind,
  Served extends Kind = Kind,
> {
  readonly signal: AbortSignal
  /** Says something about this run; records carry the operator, the object and the run. */
  readonly log: Logger
  /**
   * Metrics of the author, served with those of Setpoint: `ctx.metrics.counter({ name, help }).add({})`. Asking for a metric
   * again returns the same one.
   */
  readonly metrics: MetricsRegistry
  /** What led to this run. */
  readonly reasons: readonly Reason[]
  /** The time, as epoch milliseconds: in a simulation it is not the machine's. */
  now(): number
  /** An object of a declared kind, from the cache; by key, or by name in the owner's namespace. */
  get<K extends Read>(kind: K, key: string): Frozen<InferResource<K>> | undefined
  /** All objects of a declared kind, from the cache; of one namespace or of all that are watched, or those with certain labels. */
  list<K extends Read>(kind: K, where?: string | ObjectsWhere): Frozen<InferResource<K>>[]
  /** Those that the object owns. */
  owned<K extends Owned>(kind: K): Frozen<InferResource<K>>[]
  /** Applies an object that belongs to the owner: name, namespace and owner are filled in; nothing is sent when nothing would change. */
  apply<K extends Owned>(kind: K, wanted: OwnedManifest<K>): Promise<Frozen<InferResource<K>>>
  /**
   * Creates an object that belongs to the owner, for what is made once and then left as it is; `API_ALREADY_EXISTS` when it
   * exists. With a `generateName` the server completes the name.
   */
  create<K extends Owned>(kind: K, wanted: CreatedManifest<K>): Promise<Frozen<InferResource<K>>>
  /** Changes some fields of an object, or of a part that it was declared to be written: `.owns(Kind, { subresources: ['scale'] })`. */
  patch<K extends Owned>(
    kind: K,
    object: ObjectOf,
    patch: Patch & { readonly subresource?: string },
  ): Promise<Frozen<InferResource<K>>>
  /** Replaces an object as a whole. Who was faster makes this fail, and the run begin anew. */
  update<K extends Owned>(
    kind: K,
    object: Frozen<InferResource<K>>,
  ): Promise<Frozen<InferResource<K>>>
  /** Deletes an object, if it still is the one that was read. */
  delete(kind: Owned, object: ObjectOf, options?: OwnedDeletion): Promise<void>
  /**
   * Replaces the status of the object of this run, unless it says the same already. For operators that work their status
   * out while they work; `.status` is for those that can state it as a function. A Ready condition that the resource declares
   * and the status does not state is written with it, as it follows from the children.
   */
  updateStatus(status: StatusOf<Served>): Promise<void>
  /** Tells people something about the object, as a Kubernetes Event; repetitions are counted. */
  recordEvent(event: RecordedEvent): Promise<void>
  /** For everything else: calls that the cache and the queue know nothing of. */
  readonly client: Client
}

/** An object that belongs to an owner, as one writes it: what is left out is filled in. */
type OwnedManifest<K extends Kind> = Omit<AppliedOf<K>, 'metadata'> & {
  readonly metadata?: OwnedMetadata | undefined
}

/** The metadata of an object that `ctx.apply` writes. */
interface OwnedMetadata extends DesiredMetadata {
  readonly uid?: string | undefined
  readonly resourceVersion?: string | undefined
}

/** The whole status of an object, as a function that replaces it gives it. */
type StatusOf<K extends Kind> =
  InferResource<K> extends { status?: infer Status } ? AllowUndefined<NonNullable<Status>> : object

/** The same for what is created: the server may complete the name. */
type CreatedManifest<K extends Kind> = Omit<AppliedOf<K>, 'metadata'> & {
  readonly metadata?: (OwnedMetadata & { readonly generateName?: string | undefined }) | undefined
}

/** How an object is deleted. */
export interface OwnedDeletion {
  /** Also if it has changed since it was read, as long as it is the same object. */
  readonly evenIfChanged?: boolean
  readonly gracePeriodSeconds?: number
  readonly propagation?: Propagation
}

/** Which objects of a kind are meant. */
export interface ObjectsWhere {
  readonly namespace?: string | undefined
  /** Labels they have, or a selector as workloads have it. They are found by an index. */
  readonly labels?: LabelSelector | Readonly<Record<string, string>> | undefined
}

/** What a function that only looks can see: the kinds the operator declared, from the cache. */
export type CacheView<Read extends Kind = Kind> = Pick<ReconcileContext<Read>, 'list'> & {
  /** An object by its key: `namespace/name`. */
  get<K extends Read>(kind: K, key: string): Frozen<InferResource<K>> | undefined
}

/** An object that was read. */
interface ObjectOf {
  readonly metadata: { readonly name: string }
}
