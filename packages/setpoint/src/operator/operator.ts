import type { AnyResourceDefinition } from '../definition/index.ts'
import type { Outcome } from '../controller/index.ts'
import type { Kind } from '../kinds/kind.ts'
import { checkedChildName } from './check-operator.ts'
import type { ChildContext, DeleteContext, ReconcileContext } from './contexts.ts'
import type {
  AnyOperator,
  ChildDeclaration,
  OperatorDeclaration,
  WatchDeclaration,
} from './operator-declaration.ts'
import type { OperatorOptions } from './operator-options.ts'
import type {
  ChildMap,
  Desired,
  LiveChildren,
  OwnerOf,
  StatedStatus,
  Frozen,
} from './operator-types.ts'
import type { InferResource } from '../kinds/kind.ts'

/** What a child should be, for one owner; `null` when it must not exist. */
type DesiredFunction<D extends Kind, Children extends ChildMap, K extends Kind> = (
  owner: OwnerOf<D>,
  context: ChildContext<Children>,
) => Desired<K> | null

/** A child with more to say about it than what it should be. */
export interface ChildOptions<D extends Kind, Children extends ChildMap, K extends Kind> {
  readonly desired: DesiredFunction<D, Children, K>
  /** Wait until these are ready. */
  readonly after?: readonly (keyof Children & string)[]
  /** When it counts as ready; by default when it exists (a workload: when it is rolled out). */
  readonly readyWhen?: (child: Frozen<InferResource<K>>) => boolean
  /** When a field that cannot be changed must change: make it anew, or say so in the status. */
  readonly onImmutable?: 'replace' | 'report'
}

/**
 * An operator: what should be true for every object of a resource. It is a value; importing it does nothing. Each
 * method returns another operator with one declaration more.
 */
export class Operator<
  D extends Kind = Kind,
  Children extends ChildMap = ChildMap,
  Owned extends Kind = Kind,
  Read extends Kind = Kind,
> implements AnyOperator {
  /** Everything that was declared, for those who run, test or show it. */
  readonly declaration: OperatorDeclaration

  constructor(declaration: OperatorDeclaration) {
    this.declaration = declaration
  }

  /**
   * An object that should exist for every owner: it is named, owned, applied and, when it is no longer wanted, removed.
   * A function of the owner alone, so that what it wants can be shown, tested and compared at any time.
   */
  child<const Name extends string, K extends Kind>(
    name: Name,
    kind: K,
    wanted: DesiredFunction<D, Children, K> | ChildOptions<D, Children, K>,
  ): Operator<D, Children & { readonly [N in Name]: K }, Owned | K, Read | K> {
    checkedChildName(this.declaration, name)
    const options = typeof wanted === 'function' ? { desired: wanted } : wanted
    // The types describe this one call; the declaration holds children of all types.
    const child = { ...options, name, kind } as unknown as ChildDeclaration
    return this.#with({ children: [...this.declaration.children, child] })
  }

  /** What the status says, as a function of the owner and its live children. Written only when it changes. */
  status(stated: (owner: OwnerOf<D>, children: LiveChildren<Children>) => StatedStatus<D>): this {
    return this.#with({ status: stated as unknown as NonNullable<OperatorDeclaration['status']> })
  }

  /**
   * What must happen before an object is gone. A finalizer keeps it until this succeeded: it is called at least once,
   * and again after a failure.
   */
  onDelete(cleanUp: (owner: OwnerOf<D>, context: DeleteContext) => Promise<void>): this {
    const step = cleanUp as unknown as OperatorDeclaration['cleanUps'][number]
    return this.#with({ cleanUps: [...this.declaration.cleanUps, step] })
  }

  /** A kind whose objects are owned by the operator's: their changes run the owner, and `.reconcile` may write them. */
  owns<K extends Kind>(kind: K): Operator<D, Children, Owned | K, Read | K> {
    return this.#with({ owns: [...this.declaration.owns, kind] })
  }

  /** A kind whose changes concern owners in some other way: the function tells which, as keys. */
  watch<K extends Kind>(
    kind: K,
    keysOf: (object: Frozen<InferResource<K>>) => Iterable<string>,
  ): Operator<D, Children, Owned, Read | K> {
    const watch = { kind, keysOf } as unknown as WatchDeclaration
    return this.#with({ watches: [...this.declaration.watches, watch] })
  }

  /** The free form: called whenever something changed, until the world is as it should be. */
  reconcile(
    run: (owner: OwnerOf<D>, context: ReconcileContext<Read, Owned>) => Promise<Outcome>,
  ): this {
    return this.#with({
      reconcile: run as unknown as NonNullable<OperatorDeclaration['reconcile']>,
    })
  }

  /** The same operator with one declaration more; the caller's return type says what it adds to the types. */
  #with<Next extends AnyOperator>(change: Partial<OperatorDeclaration>): Next {
    return new Operator({ ...this.declaration, ...change }) as AnyOperator as Next
  }
}

/** Begins an operator for a resource: one of yours, or one that every cluster has (`operator(Namespace)`). */
export function operator<D extends Kind>(
  kind: D,
  options: OperatorOptions = {},
): Operator<D, Record<never, never>, never, D> {
  const name = options.name ?? (kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`)
  return new Operator({
    kind,
    definition: isDefinition(kind) ? kind : undefined,
    options: { ...options, name },
    children: [],
    owns: [],
    watches: [],
    cleanUps: [],
    status: undefined,
    reconcile: undefined,
  })
}

function isDefinition(kind: Kind): kind is AnyResourceDefinition {
  return 'crd' in kind
}
