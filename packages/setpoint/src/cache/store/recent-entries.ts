import type { Key } from '../key.ts'
import type { StoredEntry } from './stored-entry.ts'

/** The number of entries in a generation. */
const generationSize = 256

/**
 * Entries that were read recently. A reconcile reads its object and related objects repeatedly;
 * these entries keep their parsed objects. There are two generations; the older one is dropped when
 * the younger one is full.
 */
export class RecentEntries {
  #young = new Map<Key, StoredEntry>()
  #old = new Map<Key, StoredEntry>()

  get(key: Key): StoredEntry | undefined {
    return this.#young.get(key) ?? this.#old.get(key)
  }

  add(entry: StoredEntry): void {
    if (this.#young.size >= generationSize) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(entry.key, entry)
  }

  delete(key: Key): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
  }
}
