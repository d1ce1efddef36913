import type { InferResource, Kind } from 'setpoint'
import type { Client } from 'setpoint/client'
import type { Host } from 'setpoint/host'
import { keyText, type ObjectKey, type StoredObject } from './stored-object.ts'

/** Called with the object of an event; for a deletion with its last known state. */
type OnEvent = (object: StoredObject) => void

interface InformerOptions {
  readonly host: Host
  readonly client: Client
  readonly kind: Kind
  readonly onEvent: OnEvent
}

/** Which objects of a namespace are listed. */
interface ListSelection {
  readonly namespace: string
  readonly labels?: Readonly<Record<string, string>>
}

const relistMs = 1000
const watchSeconds = 480

/**
 * The local copy of all objects of a kind, as a reflector of client-go keeps it. It lists with the
 * revision 0, which any API server may answer from its cache, even one that lags behind, and then
 * watches. A watch that the server ends is continued; after a failure it lists again.
 */
export class Informer {
  readonly #options: InformerOptions
  readonly #objects = new Map<string, StoredObject>()
  #hasList = false

  constructor(options: InformerOptions) {
    this.#options = options
  }

  /** Whether the first list has arrived. */
  get hasSynced(): boolean {
    return this.#hasList
  }

  get(key: ObjectKey): StoredObject | undefined {
    return this.#objects.get(keyText(key))
  }

  /** In the reverse order of names: client-go iterates over a map, so every order is legal. */
  list({ namespace, labels = {} }: ListSelection): StoredObject[] {
    return [...this.#objects.values()]
      .filter(({ metadata }) => metadata.namespace === namespace)
      .filter(({ metadata }) =>
        Object.entries(labels).every(([name, value]) => metadata.labels?.[name] === value),
      )
      .sort((left, right) => (left.metadata.name < right.metadata.name ? 1 : -1))
  }

  /** Keeps the copy current; never ends. */
  async run(): Promise<never> {
    const { host } = this.#options
    for (;;) {
      try {
        let revision = await this.#list()
        for (;;) {
          const startMs = host.monotonicMs()
          revision = await this.#watch(revision)
          if (host.monotonicMs() - startMs < relistMs) await host.sleep(relistMs)
        }
      } catch {
        await host.sleep(relistMs)
      }
    }
  }

  async #list(): Promise<string> {
    const { client, kind, onEvent } = this.#options
    const listed = new Map<string, StoredObject>()
    let revision = ''
    for await (const page of client.listPages(kind, { resourceVersion: '0' })) {
      revision = page.resourceVersion
      for (const item of page.items as readonly StoredObject[]) {
        listed.set(keyText(item.metadata), item)
      }
    }
    const before = new Map(this.#objects)
    this.#objects.clear()
    for (const [key, object] of listed) this.#objects.set(key, object)
    this.#hasList = true
    for (const object of listed.values()) onEvent(object)
    for (const [key, object] of before) if (!listed.has(key)) onEvent(object)
    return revision
  }

  /** One watch; returns the revision from which the next one continues. */
  async #watch(from: string): Promise<string> {
    const { client, kind, onEvent } = this.#options
    let revision = from
    const options = { resourceVersion: from, bookmarks: true, timeoutSeconds: watchSeconds }
    for await (const event of client.watch(kind, options)) {
      if (event.type === 'BOOKMARK') {
        revision = event.resourceVersion
        continue
      }
      const object = event.object as StoredObject
      revision = object.metadata.resourceVersion
      if (event.type === 'DELETED') this.#objects.delete(keyText(object.metadata))
      else this.#objects.set(keyText(object.metadata), object)
      onEvent(object)
    }
    return revision
  }
}

/** Reads from the informers of a process: the state that it has seen, not the current one. */
export interface CachedReader {
  get<K extends Kind>(kind: K, key: ObjectKey): InferResource<K> | undefined
  list<K extends Kind>(kind: K, selection: ListSelection): InferResource<K>[]
}
