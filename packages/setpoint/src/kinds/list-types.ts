/**
 * How the values of one field merge in server-side apply, where the new value does not simply
 * replace the old one.
 */
export interface ListType {
  /**
   * `map`: a list of objects identified by `keys`; `set`: a list of distinct scalars. Absent:
   * atomic.
   */
  readonly list?: 'map' | 'set'
  /** The fields that identify an item of a `map` list. */
  readonly keys?: readonly string[]
  /** True for maps of strings that have one field manager as a whole: a further entry is drift. */
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
