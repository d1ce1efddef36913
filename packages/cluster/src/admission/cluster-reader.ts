import type { JsonObject } from 'setpoint/schema'
import type { Store, StoredObject } from '../store/index.ts'

/** What plugins may know of the cluster: stored built-in objects, by bucket. */
export class ClusterReader {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  get(bucket: string, key: string): JsonObject | undefined {
    const stored = this.#store.get(bucket, key)
    return stored === undefined ? undefined : parsed(stored)
  }

  *list(bucket: string, prefix = ''): Generator<JsonObject> {
    for (const stored of this.#store.list(bucket, prefix)) yield parsed(stored)
  }
}

function parsed(stored: StoredObject): JsonObject {
  return JSON.parse(`{${stored.text}`) as JsonObject
}
