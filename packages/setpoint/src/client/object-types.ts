import type { ResourceTypes } from '../definition/index.ts'
import type { ApiObject } from '../kinds/define-kind.ts'
import type { InferResource, Kind } from '../kinds/kind.ts'
import type { Manifest, WrittenText } from '../kinds/manifest.ts'

/** The manifest to create an object of a kind or definition. */
export type ManifestOf<K extends Kind> = K extends { readonly '~types'?: infer Types }
  ? Types extends ResourceTypes
    ? Types['manifest']
    : never
  : InferResource<K> extends ApiObject
    ? Manifest<InferResource<K>>
    : never

/** Every field is optional: an apply contains only the fields to own. */
type Part<T> = T extends string
  ? WrittenText<T>
  : T extends readonly (infer Item)[]
    ? readonly Part<Item>[]
    : T extends object
      ? { readonly [Field in keyof T]?: Part<T[Field]> | undefined }
      : T

/** The argument of an apply: the fields to own, of a named object. */
export type AppliedOf<K extends Kind> = Part<
  Omit<InferResource<K> & object, 'metadata' | 'apiVersion' | 'kind'>
> & {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string | undefined
    readonly labels?: Readonly<Record<string, string>> | undefined
    readonly annotations?: Readonly<Record<string, string>> | undefined
    readonly finalizers?: readonly string[] | undefined
    readonly ownerReferences?: readonly object[] | undefined
    readonly uid?: string | undefined
    readonly resourceVersion?: string | undefined
  }
}

/** One event of a watch. */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | {
      readonly type: 'BOOKMARK'
      readonly resourceVersion: string
      /** Everything that existed at the start has been sent. */
      readonly isInitialEnd: boolean
    }

/** A page of a list. */
export interface ListPage<T> {
  readonly items: readonly T[]
  /** The revision of the whole list, from which a watch can start. */
  readonly resourceVersion: string
  /** Where the next page begins; empty for the last page. It expires after some minutes. */
  readonly continue: string
}
