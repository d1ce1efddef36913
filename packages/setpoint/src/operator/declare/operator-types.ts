import type { AnyResourceDefinition } from '../../definition/index.ts'
import type { InferResource, Kind } from '../../kinds/kind.ts'
import type { AppliedOf } from '../../client/index.ts'
import type { WrittenText } from '../../kinds/manifest.ts'

/** A value that is shared and must not be changed. */
export type Frozen<T> = T extends string | ((...args: never[]) => unknown)
  ? T
  : T extends object
    ? { readonly [Field in keyof T]: Frozen<T[Field]> }
    : T

/** An object of the operator's resource, as its functions get it. */
export type OwnerOf<D extends Kind> = Frozen<InferResource<D>>

/** Children of one kind, told apart by keys. */
export interface ChildSet<K extends Kind = Kind> {
  readonly setOf: K
}

/** The kinds of the children declared so far, by name. */
export type ChildMap = Readonly<Record<string, Kind | ChildSet>>

/** The live children as functions see them: `undefined` while one does not exist; those of a set by key. */
export type LiveChildren<Children extends ChildMap> = {
  readonly [Name in keyof Children]: Children[Name] extends ChildSet<infer K>
    ? Readonly<Record<string, Frozen<InferResource<K>> | undefined>>
    : Children[Name] extends Kind
      ? Frozen<InferResource<Children[Name]>> | undefined
      : never
}

/**
 * How a child goes when it is no longer wanted or its owner goes: `background`, and what it owns after it; `foreground`,
 * after what it owns, and its owner waits for it; `orphan`, while what it owns stays; `retain`: not at all.
 */
export type DeletionPolicy = 'background' | 'foreground' | 'orphan' | 'retain'

/**
 * What the compiler takes a child for before it knows of which kind it is. It has a text of its own among the values, so
 * that the compiler keeps those an author writes: `restartPolicy: 'Never'` would become a string, and be refused.
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

/** What a child should be: its own fields; name, namespace and owner are filled in. */
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

/** The same type, but every optional field may also be `undefined`: such a field is not sent. Required fields stay required. */
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

/** Stands where a field is written that the kind does not have, so that the compiler's message says so. */
interface NoSuchField {
  readonly 'the kind has no such field': never
}

/**
 * What was written, without what does not exist. The compiler looks for surplus fields only in what it knows the type of
 * beforehand, and the results of functions are not among that; this makes a misspelt field an error all the same.
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

/** A condition as an operator states it; time and generation are filled in. */
export interface StatedCondition {
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

/** The status of a resource, without its conditions. */
type PlainStatus<D extends Kind> =
  InferResource<D> extends { status?: infer Status }
    ? AllowUndefined<Omit<NonNullable<Status>, 'conditions'>>
    : object

/**
 * What `.status` returns: fields of the status, and the declared conditions by type. Kinds that every cluster has say
 * themselves what their conditions look like.
 */
export type StatedStatus<D extends Kind> = D extends AnyResourceDefinition
  ? PlainStatus<D> & {
      readonly conditions?:
        { readonly [Type in D['conditions'][number]]?: StatedCondition | undefined } | undefined
    }
  : InferResource<D> extends { status?: infer Status }
    ? AllowUndefined<Partial<NonNullable<Status>>>
    : never
