import type { Duration } from '../../controller/index.ts'
import type { CheckedPath } from '../../definition/options/field-path.ts'
import type { Diff, FieldPath, IndexAccess, IndexMap } from '../../handlers/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { ReconcileContext } from './contexts.ts'
import type { OwnerOf } from './operator-types.ts'

/** What a handler may return: it is kept in the status, under the handler's id. */
export type HandlerResult =
  | Readonly<Record<string, unknown>>
  | readonly unknown[]
  | string
  | number
  | boolean
  | undefined
  | void

/** The same for a handler with an `id` that is a field of the status: what this field holds. */
export type ResultOf<
  D extends Kind,
  Id extends string,
  Field = FieldAt<OwnerOf<D>, `status.${Id}`>,
> = unknown extends Field ? HandlerResult : Field | undefined | void

/** What a handler gets besides its object: all that a reconcile gets, the indexes, and how often it was tried. */
export interface HandlerContext<
  Read extends Kind = Kind,
  Owned extends Kind = Kind,
  Indexes extends IndexMap = IndexMap,
>
  extends ReconcileContext<Read, Owned>, IndexAccess<Indexes> {
  /** 1 for the first try of a change, 2 for the second. */
  readonly attempt: number
}

/** What people say about an object: everything but its status and what the system keeps in its metadata. */
export type EssenceOf<D extends Kind> = Omit<
  OwnerOf<D>,
  'apiVersion' | 'kind' | 'metadata' | 'status'
> & {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
}

/** What a handler of updates gets: what changed since it succeeded the last time. */
export interface UpdateContext<
  Old,
  New = Old,
  Read extends Kind = Kind,
  Owned extends Kind = Kind,
  Indexes extends IndexMap = IndexMap,
> extends HandlerContext<Read, Owned, Indexes> {
  /** `undefined` when there was nothing, or when the object is too large to be remembered. */
  readonly old: Old | undefined
  readonly new: New
  readonly diff: Diff
}

/** What a daemon or a timer gets besides its object. */
export interface TaskContext<
  D extends Kind = Kind,
  Read extends Kind = Kind,
  Owned extends Kind = Kind,
  Indexes extends IndexMap = IndexMap,
> extends Omit<HandlerContext<Read, Owned, Indexes>, 'reasons'> {
  /** The object as it is now; `undefined` when it is gone. */
  current(): OwnerOf<D> | undefined
  /** Waits; rejects as soon as the task has to end. */
  sleep(duration: Duration): Promise<void>
}

/** The path itself when it leads to a field of the object, otherwise a text that says what is wrong. */
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

/** The type of the field at a path; `unknown` where types do not tell. */
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
