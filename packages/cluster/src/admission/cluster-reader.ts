import type { JsonObject } from 'setpoint/schema'
import type { Store, StoredObject } from '../store/index.ts'

/** The plugins' access to the store: built-in objects, by bucket. */
export class ClusterReader {
  readonly #store: Store
  /**
   * Every write reads the same few objects: they are parsed once, and plugins must not change them.
   */
  readonly #parsed = new WeakMap<StoredObject, JsonObject>()

  constructor(store: Store) {
    this.#store = store
  }

  get(bucket: string, key: string): JsonObject | undefined {
    const stored = this.#store.get(bucket, key)
    return stored === undefined ? undefined : this.#read(stored)
  }

  *list(bucket: string, prefix = ''): Generator<JsonObject> {
    for (const stored of this.#store.list(bucket, prefix)) yield this.#read(stored)
  }

  #read(stored: StoredObject): JsonObject {
    let object = this.#parsed.get(stored)
    if (object === undefined) {
      object = JSON.parse(`{${stored.text}`) as JsonObject
      this.#parsed.set(stored, object)
    }
    return object
  }
}
