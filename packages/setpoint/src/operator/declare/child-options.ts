import type { InferResource, Kind } from '../../kinds/kind.ts'
import type { ChildContext } from './contexts.ts'
import type { ChildMap, DeletionPolicy, Desired, Frozen, OwnerOf } from './operator-types.ts'

/** What is wanted for one owner, given the children declared before. It must be a pure function. */
export type DesiredFunction<
  D extends Kind,
  Children extends ChildMap,
  Wanted,
  Read extends Kind = Kind,
> = (owner: OwnerOf<D>, context: ChildContext<Children, Read>) => Wanted

/** The objects of a set by key; keys become part of their names. */
export type DesiredSet<Wanted> = Readonly<Record<string, Wanted>>

/** What can be said about a child besides what it should be. */
interface CommonOptions<
  D extends Kind,
  Children extends ChildMap,
  K extends Kind,
  Read extends Kind,
> {
  /** Wait until these are ready in their newest state; those that are not wanted need not be waited for. */
  readonly after?: readonly (keyof Children & string)[]
  /** Whether it should exist at all. */
  readonly includeWhen?: DesiredFunction<D, Children, boolean, Read>
  /** When it counts as ready; by default when it exists (a workload: when it is rolled out). */
  readonly readyWhen?: (child: Frozen<InferResource<K>>) => boolean
  /** When a field that cannot be changed must change: make it anew, or say so in the status. */
  readonly onImmutable?: 'replace' | 'report'
  /** Made when it is missing and then left as it is, for what is drawn by lot: passwords, keys. */
  readonly createOnly?: boolean
  /** How it goes; `background` unless given. */
  readonly deletion?: DeletionPolicy
  /** It may live in another namespace than its owner: its owner gets a finalizer that cleans it up. */
  readonly crossNamespace?: boolean
}

/** A child with more to say about it than what it should be. */
export interface ChildOptions<
  D extends Kind,
  Children extends ChildMap,
  K extends Kind,
  Read extends Kind = Kind,
  Wanted = Desired<K> | null,
> extends CommonOptions<D, Children, K, Read> {
  readonly desired: DesiredFunction<D, Children, Wanted, Read>
}

/** A set of children with more to say about it than what they should be. */
export interface ChildSetOptions<
  D extends Kind,
  Children extends ChildMap,
  K extends Kind,
  Read extends Kind = Kind,
  Wanted = DesiredSet<Desired<K> | null | undefined>,
> extends CommonOptions<D, Children, K, Read> {
  readonly desired: DesiredFunction<D, Children, Wanted, Read>
  /** How many may be unavailable while a change reaches them; all at once unless given. */
  readonly rollout?: { readonly maxUnavailable: number | `${number}%` }
}
