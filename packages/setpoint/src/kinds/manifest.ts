import type { ApiObject } from './define-kind.ts'
import type { OwnerReference } from './generated/meta-v1.ts'

/** A name, or the beginning of one for the server to complete. */
type ManifestName<M extends ApiObject['metadata']> =
  (Pick<M, 'name'> & { generateName?: never }) | { name?: never; generateName: string }

/** The part of the metadata that a person decides; the server fills in the rest. */
type ManifestMetadata<M extends ApiObject['metadata']> = ManifestName<M> &
  Partial<Pick<M, 'namespace'>> & {
    labels?: Readonly<Record<string, string>>
    annotations?: Readonly<Record<string, string>>
    finalizers?: readonly string[]
    ownerReferences?: readonly OwnerReference[]
  }

/** A text as it is written: quantities may also be numbers, as in YAML. */
export type WrittenText<T extends string> = '~quantity' extends keyof T ? T | number : T

/** The same with lists that need not be one's own to change: what was derived or declared elsewhere may be written as it is. */
type WithAnyLists<T> = T extends string
  ? WrittenText<T>
  : T extends readonly (infer Item)[]
    ? readonly WithAnyLists<Item>[]
    : T extends object
      ? { [Field in keyof T]: WithAnyLists<T[Field]> }
      : T

/** The fields a person writes, still as strict as they are on an object that was read. */
type Written<T extends ApiObject> = Omit<T, 'apiVersion' | 'kind' | 'metadata' | 'status'> & {
  metadata: ManifestMetadata<T['metadata']>
}

/** Makes those fields optional that may just as well be empty: a Namespace needs no `spec: {}`. */
type OptionalWhereEmpty<T> = {
  [K in keyof T as object extends T[K] ? never : K]: WithAnyLists<T[K]>
} & {
  [K in keyof T as object extends T[K] ? K : never]?: WithAnyLists<T[K]>
}

/**
 * What one writes to have an object of a kind: the kind's own fields and the metadata that is yours to
 * choose. Status is absent because it belongs to the controller, and `apiVersion` and `kind` may be
 * left out wherever the kind is known from elsewhere.
 */
export type Manifest<T extends ApiObject> = OptionalWhereEmpty<Written<T>> & {
  apiVersion?: T['apiVersion']
  kind?: T['kind']
}
