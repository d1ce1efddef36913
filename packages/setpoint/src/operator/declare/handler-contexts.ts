import type { Duration } from '../../controller/index.ts'
import type { CheckedPath } from '../../definition/options/field-path.ts'
import type { Diff, FieldPath, IndexAccess, IndexMap } from '../../handlers/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { ReconcileContext } from './contexts.ts'
import type { OwnerOf } from './operator-types.ts'

/** The result of a handler. It is stored in the status, in the field with the id of the handler. */
export type HandlerResult =
  | Readonly<Record<string, unknown>>
  | readonly unknown[]
  | string
  | number
  | boolean
  | undefined
  | void

/** The result of a handler whose `id` is a field of the status: the type of that field. */
export type ResultOf<
  D extends Kind,
  Id extends string,
  Field = FieldAt<OwnerOf<D>, `status.${Id}`>,
> = unknown extends Field ? HandlerResult : Field | undefined | void

/** The second argument of a handler: that of `.reconcile`, indexes, and the attempt. */
export interface HandlerContext<
  Read extends Kind = Kind,
  Owned extends Kind = Kind,
  Indexes extends IndexMap = IndexMap,
  Served extends Kind = Kind,
>
  extends ReconcileContext<Read, Owned, Served>, IndexAccess<Indexes> {
  /** 1 for the first attempt for a change, 2 for the second. */
  readonly attempt: number
}

/** The part of an object that users write: no status, and of metadata labels and annotations. */
export type EssenceOf<D extends Kind> = Omit<
  OwnerOf<D>,
  'apiVersion' | 'kind' | 'metadata' | 'status'
> & {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
}

/** The second argument of an update handler: what changed since its last success. */
export interface UpdateContext<
  Old,
  New = Old,
  Read extends Kind = Kind,
  Owned extends Kind = Kind,
  Indexes extends IndexMap = IndexMap,
> extends HandlerContext<Read, Owned, Indexes> {
  /** `undefined` if there was no value, or if the object is too large for the handler memory. */
  readonly old: Old | undefined
  readonly new: New
  readonly diff: Diff
}

/** The second argument of a daemon or a timer. */
export interface TaskContext<
  D extends Kind = Kind,
  Read extends Kind = Kind,
  Owned extends Kind = Kind,
  Indexes extends IndexMap = IndexMap,
> extends Omit<HandlerContext<Read, Owned, Indexes, D>, 'reasons'> {
  /** The object from the cache; `undefined` if it is deleted. */
  current(this: void): OwnerOf<D> | undefined
  /** Waits. Rejects when the daemon or timer must end. */
  sleep(this: void, duration: Duration): Promise<void>
  /**
   * Waits until the function returns true, or until the timeout, and returns whether it did. The
   * function is called again in every reconcile of the object, so whenever the object, or anything
   * else that enqueues it, changes. Rejects when the daemon or timer must end.
   */
  until(
    this: void,
    holds: () => boolean,
    options?: { readonly timeout?: Duration },
  ): Promise<boolean>
}

/** The path itself if the object has the field, else a string type with the error message. */
export type CheckedField<T, Path extends FieldPath> = Path extends string
  ? CheckedPath<T, `.${Path}`> extends `.${Path}`
    ? Path
    : `no field of this resource is at ${Path}`
  : HasNames<T, Path> extends true
    ? Path
    : 'this resource has no such field'

type HasNames<T, Names> = Names extends readonly [infer Name extends string, ...infer Rest]
  ? unknown extends T
    ? true
    : Name extends keyof NonNullable<T>
      ? HasNames<NonNullable<T>[Name], Rest>
      : false
  : true

/** The type of the field at a path; `unknown` if it is not known. */
export type FieldAt<T, Path> = Path extends `${infer Name}.${infer Rest}`
  ? FieldAt<FieldOf<T, Name>, Rest>
  : Path extends string
    ? FieldOf<T, Path>
    : Path extends readonly [infer Name extends string, ...infer Rest]
      ? FieldAt<FieldOf<T, Name>, Rest>
      : T

type FieldOf<T, Name extends string> = Name extends keyof NonNullable<T>
  ? NonNullable<T>[Name]
  : unknown
