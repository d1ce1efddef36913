import type { Key } from '../cache/index.ts'

/** An index, as handlers read it. */
export interface ObjectIndex<IndexKey = unknown, Value = unknown> {
  /** The values of all objects under a key. */
  get(key: IndexKey): readonly Value[]
  /** The keys that have values. */
  keys(): Iterable<IndexKey>
}

/** Read access to indexes; the operator's types know their names. */
export interface IndexAccess<Indexes extends IndexMap = IndexMap> {
  /** An index declared with `.index`. It is complete before the first handler is called. */
  index<Name extends keyof Indexes & string>(name: Name): Indexes[Name]
}

/** Indexes by name. */
export type IndexMap = Readonly<Record<string, ObjectIndex>>

/** The entries of an object in an index. */
export type IndexPairs = Iterable<readonly [unknown, unknown]>

/** Values computed from all objects of a kind, by key. */
export class MemoryIndex implements ObjectIndex {
  /** The values by index key, then by object. */
  readonly #values = new Map<unknown, Map<Key, unknown[]>>()
  readonly #keysOf = new Map<Key, Set<unknown>>()

  get(key: unknown): readonly unknown[] {
    return [...(this.#values.get(key)?.values() ?? [])].flat(1)
  }

  keys(): Iterable<unknown> {
    return this.#values.keys()
  }

  /** Replaces the entries of an object. */
  put(object: Key, pairs: IndexPairs): void {
    this.remove(object)
    const keys = new Set<unknown>()
    for (const [key, value] of pairs) {
      keys.add(key)
      const byObject = this.#values.get(key) ?? new Map<Key, unknown[]>()
      this.#values.set(key, byObject)
      const values = byObject.get(object)
      if (values === undefined) byObject.set(object, [value])
      else values.push(value)
    }
    if (keys.size > 0) this.#keysOf.set(object, keys)
  }

  remove(object: Key): void {
    for (const key of this.#keysOf.get(object) ?? []) {
      const byObject = this.#values.get(key)
      byObject?.delete(object)
      if (byObject?.size === 0) this.#values.delete(key)
    }
    this.#keysOf.delete(object)
  }
}
