import type { Key } from '../key.ts'
import type { StoredEntry } from './stored-entry.ts'

/** How many entries make a generation. */
const generationSize = 256

/**
 * Entries that were read lately. A run reads its object and those around it again and again: as long as they are here, it
 * gets what was parsed already. There are two generations, of which the older is forgotten when the younger is full.
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
