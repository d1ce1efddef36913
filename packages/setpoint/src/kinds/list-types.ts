/**
 * How the values of one field merge, where the new value does not simply replace the old one. The
 * terms are those of the Kubernetes API: server-side apply uses the first two, strategic merge
 * patch the next two.
 */
export interface ListType {
  /**
   * `map`: a list of objects identified by `keys`; `set`: a list of distinct scalars. Absent:
   * atomic.
   */
  readonly list?: 'map' | 'set'
  /** The fields that identify an item of a `map` list. */
  readonly keys?: readonly string[]
  /**
   * The strategy of a strategic merge patch: `merge`, `retainKeys`, both with a comma, or
   * `replace`.
   */
  readonly patch?: string
  /** The field by which a strategic merge patch matches items; absent for lists of scalars. */
  readonly mergeKey?: string
  /** True for objects and maps that have one field manager as a whole. */
  readonly atomic?: true
  /**
   * How the items of a list, or the values of a map, merge; absent when new values simply replace
   * old ones.
   */
  readonly items?: ListType
  /** How the fields of an object merge. */
  readonly fields?: ListTypes
}

/** The fields of an object that do not simply replace each other, by name. */
export type ListTypes = Readonly<Record<string, ListType>>
