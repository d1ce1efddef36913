import type { Key } from '../key.ts'

/**
 * Objects by a value that is computed from them, for example by owner or by a Secret they refer to.
 */
export class ObjectIndex {
  readonly #valuesOf: (object: unknown) => readonly string[]
  readonly #keys = new Map<string, Set<Key>>()
  readonly #values = new Map<Key, readonly string[]>()

  constructor(valuesOf: (object: unknown) => readonly string[]) {
    this.#valuesOf = valuesOf
  }

  /** Replaces the values of an object. */
  add(key: Key, object: unknown): void {
    this.remove(key)
    const values = this.#valuesOf(object)
    if (values.length === 0) return
    this.#values.set(key, values)
    for (const value of values) {
      const keys = this.#keys.get(value)
      if (keys === undefined) this.#keys.set(value, new Set([key]))
      else keys.add(key)
    }
  }

  remove(key: Key): void {
    for (const value of this.#values.get(key) ?? []) {
      const keys = this.#keys.get(value)
      keys?.delete(key)
      if (keys?.size === 0) this.#keys.delete(value)
    }
    this.#values.delete(key)
  }

  /** The number of objects with a value. */
  sizeOf(value: string): number {
    return this.#keys.get(value)?.size ?? 0
  }

  keysOf(value: string): Iterable<Key> {
    return this.#keys.get(value) ?? []
  }
}
