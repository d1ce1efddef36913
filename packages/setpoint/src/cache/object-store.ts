import { joinBytes } from '../host/index.ts'
import { withIdentity } from '../client/representation.ts'
import type { Kind } from '../kinds/kind.ts'
import { Arena, type Slot } from './arena.ts'
import { deepFreeze } from '../schema/deep-freeze.ts'
import { ObjectIndex } from './object-index.ts'
import { type Key, keyOf } from './key.ts'
import type { ObjectIdentity } from './scan-object.ts'

/** One object at one revision, kept as bytes. It never changes; a newer revision is another entry. */
export interface Entry extends ObjectIdentity {
  readonly key: Key
  /** The object itself, parsed when it is asked for. Do not change it: it is shared. */
  readonly object: unknown
}

/** How a store treats what it keeps. */
export interface StoreOptions {
  /** Freeze objects deeply, so that a program that changes them fails at once: for tests. */
  readonly freeze?: boolean | undefined
  /** Changes an object before it is kept, to save memory. It must be a pure function. */
  readonly transform?: ((object: unknown) => unknown) | undefined
}

const utf8 = new TextDecoder()

/** The objects of one kind, as bytes. */
export class ObjectStore {
  readonly #kind: Kind
  readonly #options: StoreOptions
  readonly #entries = new Map<Key, StoredEntry>()
  readonly #indexes = new Map<string, ObjectIndex>()
  #arena = new Arena()

  constructor(kind: Kind, options: StoreOptions = {}) {
    this.#kind = kind
    this.#options = options
  }

  get size(): number {
    return this.#entries.size
  }

  /** Bytes of all objects. */
  get sizeBytes(): number {
    return this.#arena.liveBytes
  }

  get(key: Key): Entry | undefined {
    return this.#entries.get(key)
  }

  keys(): IterableIterator<Key> {
    return this.#entries.keys()
  }

  /** All entries, of one namespace or of all. */
  *entries(namespace?: string): Generator<Entry, void, undefined> {
    for (const entry of this.#entries.values()) {
      if (namespace === undefined || entry.namespace === namespace) yield entry
    }
  }

  /** Adds a way to find objects by a value computed from them; existing objects are included. */
  addIndex(name: string, valuesOf: (object: unknown) => readonly string[]): void {
    if (this.#indexes.has(name)) return
    const index = new ObjectIndex(valuesOf)
    this.#indexes.set(name, index)
    for (const entry of this.#entries.values()) index.add(entry.key, entry.object)
  }

  /** The objects whose values under an index include this one. */
  *indexed(name: string, value: string): Generator<Entry, void, undefined> {
    for (const key of this.#indexes.get(name)?.keysOf(value) ?? []) {
      const entry = this.#entries.get(key)
      if (entry !== undefined) yield entry
    }
  }

  /** How many there are of them. */
  indexedCount(name: string, value: string): number {
    return this.#indexes.get(name)?.sizeOf(value) ?? 0
  }

  /** Keeps an object; the entry it replaces stays readable for whoever holds it. */
  put(identity: ObjectIdentity, pieces: readonly Uint8Array[]): Entry {
    const key = keyOf(identity)
    const previous = this.#entries.get(key)
    const entry = new StoredEntry(identity, key, this.#readerOf(pieces))
    this.#entries.set(key, entry)
    if (previous !== undefined) this.#retire(previous)
    for (const index of this.#indexes.values()) index.add(key, entry.object)
    return entry
  }

  delete(key: Key): Entry | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#retire(entry)
    for (const index of this.#indexes.values()) index.remove(key)
    return entry
  }

  #readerOf(pieces: readonly Uint8Array[]): EntryBytes {
    const { transform } = this.#options
    const kept =
      transform === undefined
        ? pieces
        : [new TextEncoder().encode(JSON.stringify(transform(this.#parsed(joinBytes(pieces)))))]
    return { slot: this.#arena.add(kept), read: (slot) => this.#parsed(this.#arena.bytesOf(slot)) }
  }

  /** Lists leave the identity of their kind out of their items. */
  #parsed(bytes: Uint8Array): unknown {
    const object = JSON.parse(utf8.decode(bytes)) as object
    const whole = withIdentity(this.#kind, object)
    return this.#options.freeze === true ? deepFreeze(whole) : whole
  }

  #retire(entry: StoredEntry): void {
    this.#arena.free(entry.bytes.slot)
    if (!this.#arena.isWasteful) return
    const fresh = new Arena()
    for (const kept of this.#entries.values()) {
      const slot = fresh.add([this.#arena.bytesOf(kept.bytes.slot)])
      kept.bytes = { ...kept.bytes, slot }
    }
    this.#arena = fresh
  }
}

interface EntryBytes {
  readonly slot: Slot
  readonly read: (slot: Slot) => unknown
}

class StoredEntry implements Entry {
  readonly key: Key
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  bytes: EntryBytes
  /** Kept as long as somebody uses it: a run reads its object several times. */
  #object: WeakRef<object> | undefined

  constructor(identity: ObjectIdentity, key: Key, bytes: EntryBytes) {
    this.key = key
    this.namespace = identity.namespace
    this.name = identity.name
    this.uid = identity.uid
    this.resourceVersion = identity.resourceVersion
    this.bytes = bytes
  }

  get object(): unknown {
    const known = this.#object?.deref()
    if (known !== undefined) return known
    const object = this.bytes.read(this.bytes.slot) as object
    this.#object = new WeakRef(object)
    return object
  }
}
