import type { Outcome } from '../../controller/index.ts'
import type { AnyResourceDefinition } from '../../definition/index.ts'
import { declaredIndex } from '../../handlers/declare/declare-handler.ts'
import {
  type IndexAccess,
  type IndexDeclaration,
  type IndexMap,
  type ObjectIndex,
} from '../../handlers/index.ts'
import type { DynamicKind } from '../../kinds/dynamic-kind.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { InferResource } from '../../kinds/kind.ts'
import type {
  HttpSourceDeclaration,
  KeysConcerned,
  SourceDeclaration,
} from '../../sources/index.ts'
import { checkChild, checkHttpSourcePath, checkOptions, checkRoles } from './check-operator.ts'
import type {
  ChildFunction,
  ChildOptions,
  ChildSetFunction,
  ChildSetOptions,
} from './child-options.ts'
import type { CacheView, PrepareContext, ReconcileContext } from './contexts.ts'
import { emptyDeclaration } from './empty-declaration.ts'
import { defaultName } from './operator-identity.ts'
import type {
  AnyOperator,
  ChildDeclaration,
  DynamicKindsOptions,
  OperatorDeclaration,
  Preparation,
  WatchDeclaration,
} from './operator-declaration.ts'
import type { OperatorOptions } from './operator-options.ts'
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
import { RunbookMethods } from './runbooks/runbook-methods.ts'
import type { WatchOptions } from './watch-options.ts'

/**
 * An operator: the desired state for every object of a resource. It is a value: importing it does
 * nothing, `start` and `run` run it. Each method returns a new operator with one more declaration.
 */
export class Operator<
  D extends Kind = Kind,
  Children extends ChildMap = ChildMap,
  Owned extends Kind = Kind,
  Read extends Kind = Kind,
  Indexes extends IndexMap = IndexMap,
>
  extends RunbookMethods<D, Owned, Read, Indexes>
  implements AnyOperator
{
  readonly declaration: OperatorDeclaration

  constructor(declaration: OperatorDeclaration) {
    super()
    this.declaration = declaration
  }

  /**
   * Declares a function that is called in every reconcile before those of the children, which get
   * its result from `prepared`. They must be pure; this one may wait, for example for another
   * program. If it throws, the children stay as they are. Return the same result while nothing
   * changed.
   *
   *     const render = async (web: Web, { workspace }: PrepareContext) => ...
   *     operator(Web).prepare(render).children('all', ConfigMap, (_, { prepared }) => prepared(render))
   */
  prepare(run: (owner: OwnerOf<D>, context: PrepareContext) => Promise<unknown>): this {
    const preparation = run as unknown as Preparation
    return this.#with({ preparations: [...this.declaration.preparations, preparation] })
  }

  /**
   * Declares a child: an object of a kind that should exist for every owner. `desired` returns its
   * fields, or `null` if it should not exist. Setpoint fills in name, namespace and owner
   * reference, creates it, corrects drift and prunes it. `desired` must be a pure function of its
   * arguments: it is called in every reconcile.
   *
   *     .child('web', Deployment, ({ spec }) => ({ spec: { replicas: spec.replicas, ... } }))
   *     .child('key', Secret, { createOnly: true }, (_, { randomBytes }) => ({ ... }))
   */
  child<const Name extends string, K extends Kind, Written extends Desired<K> | null>(
    name: Name,
    kind: K,
    desired: ChildFunction<Written, K, D, Children, Read>,
  ): Operator<D, Children & { readonly [N in Name]: K }, Owned | K, Read | K, Indexes>
  /** Declares a child with options, which come before the function: see `ChildOptions`. */
  child<const Name extends string, K extends Kind, Written extends Desired<K> | null>(
    name: Name,
    kind: K,
    options: ChildOptions<D, Children, K, Read>,
    desired: ChildFunction<Written, K, D, Children, Read>,
  ): Operator<D, Children & { readonly [N in Name]: K }, Owned | K, Read | K, Indexes>
  child(name: string, kind: Kind, ...rest: ChildArguments): Operator<D> {
    return this.#withChild({ name, kind, isSet: false }, rest)
  }

  /**
   * Declares a set of children of one kind by key, for example one for each shard, tenant or zone.
   * Objects whose key is no longer returned are pruned. With `rollout`, a change is applied to a
   * limited number of objects at a time.
   */
  children<
    const Name extends string,
    K extends Kind,
    Written extends Desired<K> | null | undefined,
  >(
    name: Name,
    kind: K,
    desired: ChildSetFunction<Written, K, D, Children, Read>,
  ): Operator<D, Children & { readonly [N in Name]: ChildSet<K> }, Owned | K, Read | K, Indexes>
  /**
   * Declares a set of children with options, which come before the function: see `ChildSetOptions`.
   */
  children<
    const Name extends string,
    K extends Kind,
    Written extends Desired<K> | null | undefined,
  >(
    name: Name,
    kind: K,
    options: ChildSetOptions<D, Children, K, Read>,
    desired: ChildSetFunction<Written, K, D, Children, Read>,
  ): Operator<D, Children & { readonly [N in Name]: ChildSet<K> }, Owned | K, Read | K, Indexes>
  children(name: string, kind: Kind, ...rest: ChildArguments): Operator<D> {
    return this.#withChild({ name, kind, isSet: true }, rest)
  }

  /**
   * Declares the status as a function of the owner, its live children and a view of the other
   * declared kinds. It returns the fields of the status, and conditions by type. The status is
   * written only when it changes.
   */
  status<Written extends StatedStatus<D>>(
    stated: (
      owner: OwnerOf<D>,
      children: LiveChildren<Children>,
      view: CacheView<Read>,
    ) => Written & Known<Written, StatedStatus<D>>,
  ): this {
    return this.#with({ status: stated as unknown as NonNullable<OperatorDeclaration['status']> })
  }

  /** Declares a kind that `.reconcile` and handlers write. Its changes enqueue the owners. */
  owns<K extends Kind>(
    kind: K,
    { subresources = [] }: PartsOptions = {},
  ): Operator<D, Children, Owned | K, Read | K, Indexes> {
    const { owns, parts } = this.declaration
    return this.#with({ owns: [...owns, kind], parts: [...parts, ...partsOf(kind, subresources)] })
  }

  /**
   * Declares a kind that `.reconcile` and handlers read and write without owner references. Its
   * changes enqueue nothing. Declare the resource of the operator itself if more than its status is
   * written.
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
   * Watches another kind. For each change `keysOf` returns the keys to enqueue, as
   * `namespace/name`; it may read the kinds that are declared before. A change for which the option
   * `filter` returns false enqueues nothing.
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
   * Declares that kinds are chosen at run time, for example by references in the spec: see
   * `ctx.kindOf` and `ctx.follow`. Their rights cannot be derived. They come from all ClusterRoles
   * with the labels in `roles`, which `generate` and `deploy` aggregate.
   */
  dynamicKinds(
    options: DynamicKindsOptions,
  ): Operator<D, Children, Owned | DynamicKind, Read | DynamicKind, Indexes> {
    checkRoles(this.declaration.kind, options.roles)
    return this.#with({ dynamicKinds: options })
  }

  /**
   * Declares an index over all objects of the resource: `ctx.index(name).get(key)` returns the
   * values for a key. It is kept in memory, and is complete before the first handler is called.
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
   * Declares a source of events outside the cluster: a message queue, a database, a file. `open`
   * returns an async iterable; when it ends or throws, it is opened again. `keysOf` returns the
   * keys that an event enqueues, as `namespace/name`.
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
   * Enqueues objects for HTTP POST requests to a path of the server that `start(operators, {
   * httpSources })` opens: for services outside the cluster that send notifications. `keysOf`
   * checks the request and returns the keys to enqueue, as `namespace/name`. This is not an
   * admission webhook.
   */
  httpSource(path: string, keysOf: HttpSourceDeclaration['keysOf']): this {
    checkHttpSourcePath(this.declaration, path)
    return this.#with({ httpSources: [...this.declaration.httpSources, { path, keysOf }] })
  }

  /**
   * Declares a function that is called in every reconcile of an object, after its children and
   * handlers. It must be idempotent. It may return `{ recheckAfter: '5m' }` to be called again
   * without a change.
   */
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
    const [first, desired = first] = rest
    // One object with `desired` in it works, too. The types do not offer it, because the compiler
    // could not point at the wrong field.
    const options = typeof first === 'object' ? first : {}
    // The types describe one call; the declaration holds children of all types.
    const declared = { desired, ...options, ...child } as ChildDeclaration
    checkChild(this.declaration, declared)
    return this.#with({ children: [...this.declaration.children, declared] })
  }

  protected also(change: Partial<OperatorDeclaration>): this {
    return this.#with(change)
  }

  /** Returns a new operator with a changed declaration. The caller's return type is precise. */
  #with<Next extends AnyOperator>(change: Partial<OperatorDeclaration>): Next {
    return new Operator({ ...this.declaration, ...change }) as AnyOperator as Next
  }
}

/** The arguments of `.child` and `.children` after name and kind, without types. */
type ChildArguments = readonly [desired: unknown] | readonly [options: object, desired: unknown]

/** Options of `.owns` and `.writes`. */
interface PartsOptions {
  /** The subresources that `ctx.patch` writes, such as `scale`. They need their own RBAC rules. */
  readonly subresources?: readonly string[]
}

function partsOf(kind: Kind, subresources: readonly string[]): OperatorDeclaration['parts'] {
  return subresources.map((subresource) => ({ kind, subresource }))
}

/** An operator without children, watches and indexes. */
type NewOperator<D extends Kind> = Operator<D, Record<never, never>, never, D, Record<never, never>>

type OptionsFor<D extends Kind> = OperatorOptions & Pick<WatchOptions<D>, 'filter'>

/** The name is required for a kind that the program does not define. */
type OptionsArgument<D extends Kind> = D extends AnyResourceDefinition
  ? [options?: OptionsFor<D>]
  : [options: OptionsFor<D> & { readonly name: string }]

/**
 * Begins an operator for a resource: your own definition, or another kind with a name for the
 * operator (`operator(Namespace, { name: 'team-quotas' })`). A change of an object for which the
 * option `filter` returns false enqueues nothing.
 */
export function operator<D extends Kind>(
  kind: D,
  ...[given = {}]: OptionsArgument<D>
): NewOperator<D> {
  const { filter, ...options }: OptionsFor<D> = given
  const definition = isDefinition(kind) ? kind : undefined
  const name = options.name ?? (definition === undefined ? '' : defaultName(kind))
  checkOptions(kind, { ...options, name })
  const declaration = emptyDeclaration(kind, { ...options, name })
  return new Operator({ ...declaration, definition, filter })
}

function isDefinition(kind: Kind): kind is AnyResourceDefinition {
  return 'crd' in kind
}
