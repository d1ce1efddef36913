import type { Kind } from '../../kinds/kind.ts'
import { Arena } from './arena.ts'
import type { Entry } from './entry.ts'
import { type Key, keyOf } from '../key.ts'
import { ObjectIndex } from './object-index.ts'
import { ObjectReader } from './object-reader.ts'
import { Pieces } from './pieces.ts'
import { RecentEntries } from './recent-entries.ts'
import type { ScannedObject } from './scan-object.ts'
import type { StoreOptions, TransformFault } from './store-options.ts'
import { StoredEntry } from './stored-entry.ts'

/** The objects of one kind, as bytes: for each a key and an address, and entries only for who asks. */
export class ObjectStore {
  readonly #reader: ObjectReader
  readonly #kind: Kind
  readonly #transform: StoreOptions['transform']
  readonly #onFault: TransformFault | undefined
  readonly #addresses = new Map<Key, number>()
  readonly #indexes = new Map<string, ObjectIndex>()
  readonly #recent = new RecentEntries()
  #arena = new Arena()

  constructor(kind: Kind, options: StoreOptions = {}, onFault?: TransformFault) {
    this.#kind = kind
    this.#onFault = onFault
    this.#reader = new ObjectReader(kind, options.freeze === true)
    this.#transform = options.transform
  }

  get size(): number {
    return this.#addresses.size
  }

  /** Bytes of all objects. */
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

  /** Adds a way to find objects by a value computed from them; existing objects are included. */
  addIndex(name: string, valuesOf: (object: unknown) => readonly string[]): void {
    if (this.#indexes.has(name)) return
    const index = new ObjectIndex(valuesOf)
    this.#indexes.set(name, index)
    for (const entry of this.entries()) index.add(entry.key, entry.object)
  }

  /** The objects whose values under an index include this one. */
  *indexed(name: string, value: string): Generator<Entry, void, undefined> {
    for (const key of this.#indexes.get(name)?.keysOf(value) ?? []) {
      const entry = this.get(key)
      if (entry !== undefined) yield entry
    }
  }

  /** How many there are of them. */
  indexedCount(name: string, value: string): number {
    return this.#indexes.get(name)?.sizeOf(value) ?? 0
  }

  /** Keeps an object; the entry it replaces stays readable for whoever holds it. */
  put(scanned: ScannedObject): Entry {
    const key = keyOf(scanned.identity)
    const previous = this.#addresses.get(key)
    let address = this.#arena.add(this.#transformed(scanned))
    this.#addresses.set(key, address)
    // It may move everything.
    if (previous !== undefined) this.#retire(key, previous)
    address = this.#addresses.get(key) ?? address
    const entry = new StoredEntry(key, this.#arena.at(address), this.#reader)
    // Whoever hears of it reads it, and whoever runs because of it reads it again.
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

  /** What is made of an object is kept as JSON, whatever it came in. One that nothing can be made of is kept whole. */
  #transformed(scanned: ScannedObject): ScannedObject {
    if (this.#transform === undefined) return scanned
    try {
      const object = this.#transform(this.#reader.readScanned(scanned))
      const content = new Pieces([Buffer.from(JSON.stringify(object))])
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
    const fresh = new Arena()
    for (const [kept, old] of this.#addresses) {
      this.#addresses.set(kept, fresh.copy(this.#arena.at(old)))
    }
    this.#arena = fresh
    // Each of them would keep a whole block of the old one alive.
    this.#recent.clear()
  }
}

function isIn(namespace: string, key: Key): boolean {
  return key.charCodeAt(namespace.length) === slash && key.startsWith(namespace)
}

const slash = 0x2f
