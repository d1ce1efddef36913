import type { ApiObject } from './define-kind.ts'
import type { OwnerReference } from './generated/meta-v1.ts'

/** A name, or a prefix for a generated one. */
type ManifestName<M extends ApiObject['metadata']> =
  (Pick<M, 'name'> & { generateName?: never }) | { name?: never; generateName: string }

/** The part of the metadata that a user sets; the server sets the rest. */
type ManifestMetadata<M extends ApiObject['metadata']> = ManifestName<M> &
  Partial<Pick<M, 'namespace'>> & {
    labels?: Readonly<Record<string, string>>
    annotations?: Readonly<Record<string, string>>
    finalizers?: readonly string[]
    ownerReferences?: readonly OwnerReference[]
  }

/** A text as it is written: quantities may also be numbers, as in YAML. */
export type WrittenText<T extends string> = '~quantity' extends keyof T ? T | number : T

/**
 * A type whose lists may be read-only, so that lists which were derived or declared elsewhere can
 * be used.
 */
type WithAnyLists<T> = T extends string
  ? WrittenText<T>
  : T extends readonly (infer Item)[]
    ? readonly WithAnyLists<Item>[]
    : T extends object
      ? { [Field in keyof T]: WithAnyLists<T[Field]> }
      : T

/** The fields that a user writes, as strict as on an object that was read. */
type Written<T extends ApiObject> = Omit<T, 'apiVersion' | 'kind' | 'metadata' | 'status'> & {
  metadata: ManifestMetadata<T['metadata']>
}

/** Makes fields optional that may be empty: a Namespace needs no `spec: {}`. */
type OptionalWhereEmpty<T> = {
  [K in keyof T as object extends T[K] ? never : K]: WithAnyLists<T[K]>
} & {
  [K in keyof T as object extends T[K] ? K : never]?: WithAnyLists<T[K]>
}

/**
 * The manifest of an object of a kind: the kind's own fields and the metadata that users set. It
 * has no status, which belongs to the controller; `apiVersion` and `kind` are optional where the
 * kind is known.
 */
export type Manifest<T extends ApiObject> = OptionalWhereEmpty<Written<T>> & {
  apiVersion?: T['apiVersion']
  kind?: T['kind']
}
