import type { AnyResourceDefinition } from '../definition/index.ts'
import type { InferResource, Kind } from '../kinds/kind.ts'
import type { AppliedOf } from '../client/index.ts'

/** A value that is shared and must not be changed. */
export type Frozen<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [Field in keyof T]: Frozen<T[Field]> }
    : T

/** An object of the operator's resource, as its functions get it. */
export type OwnerOf<D extends Kind> = Frozen<InferResource<D>>

/** The children declared so far, by name; `undefined` while one does not exist. */
export type ChildMap = Readonly<Record<string, Kind>>

/** The live children as functions see them. */
export type LiveChildren<Children extends ChildMap> = {
  readonly [Name in keyof Children]: Frozen<InferResource<Children[Name]>> | undefined
}

/** What a child should be: its own fields; name, namespace and owner are filled in. */
export type Desired<K extends Kind> = Omit<
  AppliedOf<K>,
  'metadata' | 'apiVersion' | 'kind' | 'status'
> & {
  readonly metadata?: Partial<AppliedOf<K>['metadata']>
}

/** A condition as an operator states it; time and generation are filled in. */
export interface StatedCondition {
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

/** The status of a resource, without its conditions. */
type PlainStatus<D extends Kind> =
  InferResource<D> extends { status?: infer Status }
    ? Omit<NonNullable<Status>, 'conditions'>
    : object

/**
 * What `.status` returns: fields of the status, and the declared conditions by type. Kinds that every cluster has say
 * themselves what their conditions look like.
 */
export type StatedStatus<D extends Kind> = D extends AnyResourceDefinition
  ? PlainStatus<D> & {
      readonly conditions?: { readonly [Type in D['conditions'][number]]?: StatedCondition }
    }
  : InferResource<D> extends { status?: infer Status }
    ? Partial<NonNullable<Status>>
    : never
