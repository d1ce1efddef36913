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
  /** The same for the content of a list or map, if it is not trivial. */
  readonly items?: ListType
  /** The same for the fields of an object. */
  readonly fields?: ListTypes
}

/** The fields of an object that do not simply replace each other, by name. */
export type ListTypes = Readonly<Record<string, ListType>>
