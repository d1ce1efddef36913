import type { AnyResourceDefinition } from '../../definition/index.ts'
import type { Outcome } from '../../controller/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import {
  type IndexAccess,
  type IndexDeclaration,
  type IndexMap,
  type ObjectIndex,
} from '../../handlers/index.ts'
import { declaredIndex } from '../../handlers/declare/declare-handler.ts'
import { HandlerMethods } from './handler-methods.ts'
import {
  checkAfter,
  checkedChildName,
  checkOptions,
  checkHttpSourcePath,
} from './check-operator.ts'
import { defaultName } from './default-name.ts'
import type { CacheView, OwnerView, ReconcileContext } from './contexts.ts'
import type { SourceDeclaration } from './external-source.ts'
import type { HttpSourceDeclaration } from './http-source.ts'
import type {
  AnyOperator,
  ChildDeclaration,
  OperatorDeclaration,
  WatchDeclaration,
} from './operator-declaration.ts'
import type { KeysConcerned } from './keys-in.ts'
import type { OperatorOptions } from './operator-options.ts'
import type { ChildOptions, ChildSetOptions, DesiredFunction, DesiredSet } from './child-options.ts'
import type {
  Known,
  ChildMap,
  ChildSet,
  Desired,
  LiveChildren,
  OwnerOf,
  StatedStatus,
  Frozen,
} from './operator-types.ts'
import type { WatchOptions } from './watch-options.ts'
import type { InferResource } from '../../kinds/kind.ts'

/**
 * An operator: what should be true for every object of a resource. It is a value; importing it does nothing. Each
 * method returns another operator with one declaration more.
 */
export class Operator<
  D extends Kind = Kind,
  Children extends ChildMap = ChildMap,
  Owned extends Kind = Kind,
  Read extends Kind = Kind,
  Indexes extends IndexMap = IndexMap,
>
  extends HandlerMethods<D, Owned, Read, Indexes>
  implements AnyOperator
{
  readonly declaration: OperatorDeclaration

  constructor(declaration: OperatorDeclaration) {
    super()
    this.declaration = declaration
  }

  /**
   * An object that should exist for every owner: it is named, owned, applied and, when it is no longer wanted, removed.
   * A function of the owner alone, so that what it wants can be shown, tested and compared at any time.
   */
  child<const Name extends string, K extends Kind, Written extends Desired<K> | null>(
    name: Name,
    kind: K,
    desired: DesiredFunction<D, Children, Written & Known<Written, Desired<K>>, Read>,
  ): Operator<D, Children & { readonly [N in Name]: K }, Owned | K, Read | K, Indexes>
  child<const Name extends string, K extends Kind, Written extends Desired<K> | null>(
    name: Name,
    kind: K,
    options: ChildOptions<D, Children, K, Read>,
    desired: DesiredFunction<D, Children, Written & Known<Written, Desired<K>>, Read>,
  ): Operator<D, Children & { readonly [N in Name]: K }, Owned | K, Read | K, Indexes>
  child(name: string, kind: Kind, ...rest: ChildArguments): Operator<D> {
    return this.#withChild({ name, kind, isSet: false }, rest)
  }

  /**
   * A set of objects of one kind for every owner, by key: one for each shard, tenant or zone. What is no longer among
   * them is removed. With `rollout`, a change reaches only as many at a time as may be unavailable.
   */
  children<
    const Name extends string,
    K extends Kind,
    Written extends Desired<K> | null | undefined,
  >(
    name: Name,
    kind: K,
    desired: DesiredFunction<D, Children, DesiredSet<Written & Known<Written, Desired<K>>>, Read>,
  ): Operator<D, Children & { readonly [N in Name]: ChildSet<K> }, Owned | K, Read | K, Indexes>
  children<
    const Name extends string,
    K extends Kind,
    Written extends Desired<K> | null | undefined,
  >(
    name: Name,
    kind: K,
    options: ChildSetOptions<D, Children, K, Read>,
    desired: DesiredFunction<D, Children, DesiredSet<Written & Known<Written, Desired<K>>>, Read>,
  ): Operator<D, Children & { readonly [N in Name]: ChildSet<K> }, Owned | K, Read | K, Indexes>
  children(name: string, kind: Kind, ...rest: ChildArguments): Operator<D> {
    return this.#withChild({ name, kind, isSet: true }, rest)
  }

  /**
   * What the status says, as a function of the owner, its live children and, where those do not tell, of what else the
   * operator declared that it reads. Written only when it changes.
   */
  status<Written extends StatedStatus<D>>(
    stated: (
      owner: OwnerOf<D>,
      children: LiveChildren<Children>,
      view: OwnerView<Read>,
    ) => Written & Known<Written, StatedStatus<D>>,
  ): this {
    return this.#with({ status: stated as unknown as NonNullable<OperatorDeclaration['status']> })
  }

  /** A kind whose objects are owned by the operator's: their changes run the owner, and `.reconcile` may write them. */
  owns<K extends Kind>(
    kind: K,
    { subresources = [] }: PartsOptions = {},
  ): Operator<D, Children, Owned | K, Read | K, Indexes> {
    const { owns, parts } = this.declaration
    return this.#with({ owns: [...owns, kind], parts: [...parts, ...partsOf(kind, subresources)] })
  }

  /**
   * A kind that `.reconcile` may read and write without owning it; its changes run nobody. The resource of the operator
   * itself is one, if more than its status is written.
   */
  writes<K extends Kind>(
    kind: K,
    { subresources = [] }: PartsOptions = {},
  ): Operator<D, Children, Owned | K, Read | K, Indexes> {
    const { writes, parts } = this.declaration
    return this.#with({
      writes: [...writes, kind],
      parts: [...parts, ...partsOf(kind, subresources)],
    })
  }

  /**
   * A kind whose changes concern owners in some other way: the function tells which, as keys, and may look at what the
   * operator declared before to find out. Changes for which `filter` is false concern nobody.
   */
  watch<K extends Kind>(
    kind: K,
    keysOf: (
      object: Frozen<InferResource<K>>,
      view: CacheView<Read | K> & IndexAccess<Indexes>,
    ) => KeysConcerned,
    options: WatchOptions<K> = {},
  ): Operator<D, Children, Owned, Read | K, Indexes> {
    const watch = { ...options, kind, keysOf } as unknown as WatchDeclaration
    return this.#with({ watches: [...this.declaration.watches, watch] })
  }

  /**
   * Values computed from all objects of the resource, found by a key: `ctx.index(name).get(key)` in every handler. It is
   * kept in memory and complete before the first handler is called.
   */
  index<const Name extends string, IndexKey, Value>(
    name: Name,
    pairsOf: (owner: OwnerOf<D>) => Iterable<readonly [IndexKey, Value]>,
  ): Operator<
    D,
    Children,
    Owned,
    Read,
    Indexes & { readonly [N in Name]: ObjectIndex<IndexKey, Value> }
  > {
    const index = { name, pairsOf } as unknown as IndexDeclaration
    return this.#with({
      indexes: [...this.declaration.indexes, declaredIndex(this.declaration, index)],
    })
  }

  /**
   * Events from outside the cluster: a queue, a database, a file that changes. `open` gives an async iterable; when it
   * ends or breaks it is opened again. `keysOf` tells which objects an event concerns, as `namespace/name`.
   */
  source<Event>(
    name: string,
    open: (signal: AbortSignal) => AsyncIterable<Event>,
    keysOf: (event: Event) => KeysConcerned,
  ): this {
    const source = { name, open, keysOf: keysOf as SourceDeclaration['keysOf'] }
    return this.#with({ sources: [...this.declaration.sources, source] })
  }

  /**
   * Enqueues objects for HTTP POST requests to a path of the server that `start(operators, { httpSources })` opens: for
   * services outside the cluster that send notifications. `keysOf` checks the request and returns the keys to enqueue, as
   * `namespace/name`. This is not an admission webhook.
   */
  httpSource(path: string, keysOf: HttpSourceDeclaration['keysOf']): this {
    checkHttpSourcePath(this.declaration, path)
    return this.#with({ httpSources: [...this.declaration.httpSources, { path, keysOf }] })
  }

  /** The free form: called whenever something changed, until the world is as it should be. */
  reconcile(
    run: (
      owner: OwnerOf<D>,
      context: ReconcileContext<Read, Owned, D> & IndexAccess<Indexes>,
    ) => Promise<Outcome>,
  ): this {
    return this.#with({
      reconcile: run as unknown as NonNullable<OperatorDeclaration['reconcile']>,
    })
  }

  #withChild(
    child: Pick<ChildDeclaration, 'name' | 'kind' | 'isSet'>,
    rest: ChildArguments,
  ): Operator<D> {
    checkedChildName(this.declaration, child.name)
    const [options, desired] = rest.length === 1 ? [{}, rest[0]] : rest
    // The types describe one call; the declaration holds children of all types.
    const declared = { ...options, ...child, desired } as ChildDeclaration
    checkAfter(this.declaration, declared)
    return this.#with({ children: [...this.declaration.children, declared] })
  }

  protected also(change: Partial<OperatorDeclaration>): this {
    return this.#with(change)
  }

  /** The same operator with one declaration more; the caller's return type says what it adds to the types. */
  #with<Next extends AnyOperator>(change: Partial<OperatorDeclaration>): Next {
    return new Operator({ ...this.declaration, ...change }) as AnyOperator as Next
  }
}

/** What `.child` and `.children` take after name and kind, without types. */
type ChildArguments = readonly [desired: unknown] | readonly [options: object, desired: unknown]

/** What else of a kind is written. */
interface PartsOptions {
  /** Parts with rights of their own that `ctx.patch` writes: `status`, `scale`. */
  readonly subresources?: readonly string[]
}

function partsOf(kind: Kind, subresources: readonly string[]): OperatorDeclaration['parts'] {
  return subresources.map((subresource) => ({ kind, subresource }))
}

/**
 * Begins an operator for a resource: one of yours, or one that every cluster has (`operator(Namespace)`). Changes of its
 * objects for which `filter` is false run nobody.
 */
export function operator<D extends Kind>(
  kind: D,
  { filter, ...options }: OperatorOptions & Pick<WatchOptions<D>, 'filter'> = {},
): Operator<D, Record<never, never>, never, D, Record<never, never>> {
  const name = options.name ?? defaultName(kind)
  checkOptions(kind, { ...options, name })
  return new Operator({
    kind,
    definition: isDefinition(kind) ? kind : undefined,
    options: { ...options, name },
    filter,
    children: [],
    owns: [],
    writes: [],
    parts: [],
    watches: [],
    sources: [],
    httpSources: [],
    cleanUps: [],
    handlers: [],
    indexes: [],
    status: undefined,
    reconcile: undefined,
  })
}

function isDefinition(kind: Kind): kind is AnyResourceDefinition {
  return 'crd' in kind
}
