import type { InferResource, Kind } from '../../kinds/kind.ts'
import type { ChildContext } from './contexts.ts'
import type { ChildMap, DeletionPolicy, Desired, Frozen, Known, OwnerOf } from './operator-types.ts'

/** A function of an owner. It must be a pure function: it is called in every reconcile. */
type OwnerFunction<Result, D extends Kind, Children extends ChildMap, Read extends Kind> = (
  owner: OwnerOf<D>,
  context: ChildContext<Children, Read>,
) => Result

/** Refuses fields that the kind does not have; a kind without the type of its objects has any. */
type KnownFields<Written, K extends Kind> =
  unknown extends InferResource<K> ? Written : Known<Written, Desired<K>>

/** Returns the desired child of an owner. */
export type ChildFunction<
  Written,
  K extends Kind,
  D extends Kind,
  Children extends ChildMap,
  Read extends Kind,
> = OwnerFunction<Written & KnownFields<Written, K>, D, Children, Read>

/** Returns the desired children of an owner by key. */
export type ChildSetFunction<
  Written,
  K extends Kind,
  D extends Kind,
  Children extends ChildMap,
  Read extends Kind,
> = OwnerFunction<DesiredSet<Written & KnownFields<Written, K>>, D, Children, Read>

/** The desired objects of a set by key. A key becomes part of the name of its object. */
export type DesiredSet<Result> = Readonly<Record<string, Result>>

/** The options of `.child`. */
export interface ChildOptions<
  D extends Kind,
  Children extends ChildMap,
  K extends Kind,
  Read extends Kind = Kind,
> {
  /**
   * Create or update it only when these children are ready in their newest state. Children that are
   * not desired count as ready.
   */
  readonly after?: readonly (keyof Children & string)[]
  /** Whether it should exist at all; `true` unless given. */
  readonly includeWhen?: OwnerFunction<boolean, D, Children, Read>
  /** Whether it is ready; unless given, a workload that is rolled out, or any other object. */
  readonly readyWhen?: (child: Frozen<InferResource<K>>) => boolean
  /**
   * What to do when an immutable field must change: delete the child and create it again, or report
   * it in the status (the default).
   */
  readonly onImmutable?: 'replace' | 'report'
  /** Create it if it is missing and never change it: for passwords, keys and the like. */
  readonly createOnly?: boolean
  /**
   * Take over an existing object of its name that has no controller, and delete it with its owner.
   * By default such an object is refused, because a user who may create owners could overwrite and
   * delete it. An object that another one controls is never taken over.
   */
  readonly adopt?: boolean
  /** How it is deleted; `background` unless given. */
  readonly deletion?: DeletionPolicy
  /** It may be in another namespace than its owner. A finalizer of the owner deletes it. */
  readonly crossNamespace?: boolean
}

/** The options of `.children`. */
export interface ChildSetOptions<
  D extends Kind,
  Children extends ChildMap,
  K extends Kind,
  Read extends Kind = Kind,
> extends ChildOptions<D, Children, K, Read> {
  /** How many objects of the set may be unavailable during a rollout; no limit unless given. */
  readonly rollout?: { readonly maxUnavailable: number | `${number}%` }
}
