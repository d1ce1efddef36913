import type { AppliedOf } from '../../client/index.ts'
import type { AnyResourceDefinition } from '../../definition/index.ts'
import type { InferResource, Kind } from '../../kinds/kind.ts'
import type { WrittenText } from '../../kinds/manifest.ts'

/** A deeply read-only value. Objects of the cache are shared and must not be changed. */
export type Frozen<T> = T extends string | ((...args: never[]) => unknown)
  ? T
  : T extends object
    ? { readonly [Field in keyof T]: Frozen<T[Field]> }
    : T

/** An object of the resource of the operator, as its functions receive it. */
export type OwnerOf<D extends Kind> = Frozen<InferResource<D>>

/** A set of children of one kind (`.children`). */
export interface ChildSet<K extends Kind = Kind> {
  readonly setOf: K
}

/** The kinds of the children that are declared so far, by name. */
export type ChildMap = Readonly<Record<string, Kind | ChildSet>>

/** The live children by name: `undefined` if a child does not exist. Those of a set are by key. */
export type LiveChildren<Children extends ChildMap> = {
  readonly [Name in keyof Children]: Children[Name] extends ChildSet<infer K>
    ? Readonly<Record<string, Frozen<InferResource<K>> | undefined>>
    : Children[Name] extends Kind
      ? Frozen<InferResource<Children[Name]>> | undefined
      : never
}

/**
 * How a child is deleted when it is no longer desired or its owner is deleted. `background`: its
 * dependents are deleted after it. `foreground`: its dependents are deleted before it, and its
 * owner waits. `orphan`: its dependents stay. `retain`: the child stays.
 */
export type DeletionPolicy = 'background' | 'foreground' | 'orphan' | 'retain'

/**
 * The contextual type of a child while the compiler infers its kind. The literal among the strings
 * makes the compiler keep string literals, because otherwise `restartPolicy: 'Never'` would be
 * widened to `string`, and refused.
 */
type AnyDesired =
  | { readonly [field: string]: AnyDesired }
  | readonly AnyDesired[]
  | 'a text that is kept'
  | (string & {})
  | number
  | boolean
  | null
  | undefined

/**
 * The desired fields of a child. Name, namespace and owner reference are filled in. Fields that are
 * `undefined` are not sent.
 */
export type Desired<K extends Kind> =
  K extends Kind<infer Served>
    ? unknown extends Served
      ? { readonly [field: string]: AnyDesired }
      : Omit<AppliedOf<K>, 'metadata' | 'apiVersion' | 'kind' | 'status'> & {
          readonly metadata?: DesiredMetadata | undefined
        }
    : never

/** The metadata of a child. What is left out or `undefined` is filled in, or not sent. */
export interface DesiredMetadata {
  readonly name?: string | undefined
  readonly namespace?: string | undefined
  readonly labels?: Readonly<Record<string, string | undefined>> | undefined
  readonly annotations?: Readonly<Record<string, string | undefined>> | undefined
  readonly finalizers?: readonly string[] | undefined
  readonly ownerReferences?: readonly object[] | undefined
}

/**
 * The same type, but every optional field may also be `undefined`: such a field is not sent.
 * Required fields stay required.
 */
export type AllowUndefined<T> = T extends string
  ? WrittenText<T>
  : T extends readonly (infer Item)[]
    ? readonly AllowUndefined<Item>[]
    : T extends object
      ? {
          readonly [Field in keyof T]: undefined extends T[Field]
            ? AllowUndefined<T[Field]> | undefined
            : AllowUndefined<T[Field]>
        }
      : T

/** The type of an unknown field. The compiler shows its name in the error. */
interface NoSuchField {
  readonly 'the kind has no such field': never
}

/**
 * The type that an author wrote, with `NoSuchField` for unknown fields. The compiler makes no
 * excess property check for values that a function without a return type returns; with this type a
 * misspelt field is an error at that field.
 */
export type Known<Written, Type> = unknown extends Type
  ? Written
  : Written extends string
    ? Written
    : Written extends readonly (infer Item)[]
      ? readonly Known<Item, ItemOf<NonNullable<Type>>>[]
      : Written extends object
        ? {
            readonly [Field in keyof Written]: Field extends keyof NonNullable<Type>
              ? Known<Written[Field], NonNullable<Type>[Field]>
              : NoSuchField
          }
        : Written

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : unknown

/**
 * A condition as `.status` returns it. `lastTransitionTime` and `observedGeneration` are filled in.
 */
export interface StatedCondition {
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
  /** The generation it is about; by default that of the object of the reconcile or the daemon. */
  readonly observedGeneration?: number | undefined
}

/** The status of a resource without its conditions. */
type PlainStatus<D extends Kind> =
  InferResource<D> extends { status?: infer Status }
    ? AllowUndefined<Omit<NonNullable<Status>, 'conditions'>>
    : object

/**
 * What `.status` returns: fields of the status, and the declared conditions by type. The status of
 * a built-in kind has its conditions as a list.
 */
export type StatedStatus<D extends Kind> = D extends AnyResourceDefinition
  ? PlainStatus<D> & {
      readonly conditions?:
        { readonly [Type in D['conditions'][number]]?: StatedCondition | undefined } | undefined
    }
  : InferResource<D> extends { status?: infer Status }
    ? AllowUndefined<Partial<NonNullable<Status>>>
    : never
