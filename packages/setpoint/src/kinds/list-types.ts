/**
 * How values in one field merge, where it is not simply "the new value replaces the old one". The
 * words are those of the Kubernetes API: server-side apply reads the first two, strategic merge
 * patch the next two.
 */
export interface ListType {
  /** `map`: a list of objects told apart by `keys`; `set`: a list of distinct scalars. Absent: atomic. */
  readonly list?: 'map' | 'set'
  /** The fields that identify an item of a `map` list. */
  readonly keys?: readonly string[]
  /** What a strategic merge patch does: `merge`, `retainKeys`, both with a comma, or `replace`. */
  readonly patch?: string
  /** The field by which a strategic merge patch matches items; absent for lists of scalars. */
  readonly mergeKey?: string
  /** True for objects and maps that have one owner as a whole. */
  readonly atomic?: true
  /** The same for what a list or a map contains, where there is something to say about it. */
  readonly items?: ListType
  /** The same for the fields of an object. */
  readonly fields?: ListTypes
}

/** The fields of an object that do not simply replace each other, by name. */
export type ListTypes = Readonly<Record<string, ListType>>
