import type { Kind } from '../../kinds/kind.ts'
import { ObjectArena } from './object-arena.ts'
import type { Entry } from './entry.ts'
import { type Key, keyOf } from '../key.ts'
import { ObjectIndex } from './object-index.ts'
import { ObjectReader } from './object-reader.ts'
import { BytePieces } from './byte-pieces.ts'
import { RecentEntries } from './recent-entries.ts'
import type { ScannedObject } from './scan-object.ts'
import type { StoreOptions, TransformFault } from './store-options.ts'
import { StoredEntry } from './stored-entry.ts'

/**
 * The objects of one kind as bytes: a key and an address for each; entries are created when they
 * are read.
 */
export class ObjectStore {
  readonly #reader: ObjectReader
  readonly #kind: Kind
  readonly #transform: StoreOptions['transform']
  readonly #onFault: TransformFault | undefined
  readonly #addresses = new Map<Key, number>()
  readonly #indexes = new Map<string, ObjectIndex>()
  readonly #recent = new RecentEntries()
  #arena = new ObjectArena()

  constructor(kind: Kind, options: StoreOptions = {}, onFault?: TransformFault) {
    this.#kind = kind
    this.#onFault = onFault
    this.#reader = new ObjectReader(kind, options.freeze === true)
    this.#transform = options.transform
  }

  get size(): number {
    return this.#addresses.size
  }

  /** The size of all objects in bytes. */
  get sizeBytes(): number {
    return this.#arena.liveBytes
  }

  get(key: Key): Entry | undefined {
    const known = this.#recent.get(key)
    if (known !== undefined) return known
    const entry = this.#entryOf(key)
    if (entry !== undefined) this.#recent.add(entry)
    return entry
  }

  /** The keys of all objects, of one namespace or of all. */
  *keys(namespace?: string): Generator<Key, void, undefined> {
    for (const key of this.#addresses.keys()) {
      if (namespace === undefined || isIn(namespace, key)) yield key
    }
  }

  /** All entries, of one namespace or of all. */
  *entries(namespace?: string): Generator<Entry, void, undefined> {
    for (const key of this.keys(namespace)) {
      const entry = this.#recent.get(key) ?? this.#entryOf(key)
      if (entry !== undefined) yield entry
    }
  }

  /** Adds an index by a value that is computed from each object; existing objects are included. */
  addIndex(name: string, valuesOf: (object: unknown) => readonly string[]): void {
    if (this.#indexes.has(name)) return
    const index = new ObjectIndex(valuesOf)
    this.#indexes.set(name, index)
    for (const entry of this.entries()) index.add(entry.key, entry.object)
  }

  /** The objects that have this value in an index. */
  *indexed(name: string, value: string): Generator<Entry, void, undefined> {
    for (const key of this.#indexes.get(name)?.keysOf(value) ?? []) {
      const entry = this.get(key)
      if (entry !== undefined) yield entry
    }
  }

  /** The number of objects that have this value in an index. */
  indexedCount(name: string, value: string): number {
    return this.#indexes.get(name)?.sizeOf(value) ?? 0
  }

  /** Stores an object. An entry that it replaces stays readable. */
  put(scanned: ScannedObject): Entry {
    const key = keyOf(scanned.identity)
    const previous = this.#addresses.get(key)
    let address = this.#arena.add(this.#transformed(scanned))
    this.#addresses.set(key, address)
    // This may move all records to another arena.
    if (previous !== undefined) this.#retire(key, previous)
    address = this.#addresses.get(key) ?? address
    const entry = new StoredEntry(key, this.#arena.at(address), this.#reader)
    // Listeners and the reconcile that follows read the new entry.
    this.#recent.add(entry)
    for (const index of this.#indexes.values()) index.add(key, entry.object)
    return entry
  }

  delete(key: Key): Entry | undefined {
    const address = this.#addresses.get(key)
    const entry = this.#entryOf(key)
    if (address === undefined || entry === undefined) return undefined
    this.#addresses.delete(key)
    this.#retire(key, address)
    for (const index of this.#indexes.values()) index.remove(key)
    return entry
  }

  #entryOf(key: Key): StoredEntry | undefined {
    const address = this.#addresses.get(key)
    if (address === undefined) return undefined
    return new StoredEntry(key, this.#arena.at(address), this.#reader)
  }

  /**
   * A transformed object is stored as JSON. An object whose transform throws is stored unchanged.
   */
  #transformed(scanned: ScannedObject): ScannedObject {
    if (this.#transform === undefined) return scanned
    try {
      const object = this.#transform(this.#reader.readScanned(scanned))
      const content = new BytePieces([Buffer.from(JSON.stringify(object))])
      return { identity: scanned.identity, content }
    } catch (error) {
      this.#onFault?.(this.#kind, keyOf(scanned.identity), error)
      return scanned
    }
  }

  #retire(key: Key, address: number): void {
    this.#recent.delete(key)
    this.#arena.free(address)
    if (!this.#arena.isWasteful) return
    const fresh = new ObjectArena()
    for (const [kept, old] of this.#addresses) {
      this.#addresses.set(kept, fresh.copy(this.#arena.at(old)))
    }
    this.#arena = fresh
    // A recent entry would keep a whole block of the old arena in memory.
    this.#recent.clear()
  }
}

function isIn(namespace: string, key: Key): boolean {
  return key.charCodeAt(namespace.length) === slash && key.startsWith(namespace)
}

const slash = 0x2f
