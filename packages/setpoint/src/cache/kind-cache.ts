import type { Selection, Transport } from '../client/index.ts'
import { onAbort, type Host } from '../host/index.ts'
import type { InferResource, Kind } from '../kinds/kind.ts'
import type { Change, ChangeListener } from './change.ts'
import type { Key } from './key.ts'
import { partsOf } from './key.ts'
import { type Entry, ObjectStore, type StoreOptions } from './object-store.ts'
import { Replica } from './replica.ts'
import { Watcher, type WatcherState } from './watcher.ts'

/** Which objects of a kind are kept, and how. */
export interface CacheScope extends StoreOptions {
  /** These namespaces only; all of them unless said otherwise. */
  readonly namespaces?: readonly string[] | undefined
  readonly labelSelector?: Selection['labelSelector']
  readonly fieldSelector?: Selection['fieldSelector']
}

/** How a kind is doing, for probes and metrics. */
export interface CacheHealth {
  readonly kind: Kind
  /** The worst of its watches. */
  readonly state: WatcherState
  readonly isSynced: boolean
  readonly objects: number
  readonly bytes: number
  /** How long ago the server last said anything about it. */
  readonly silentMs: number
  readonly lastError: unknown
}

/** How long a reader waits for its own write to come back; then it goes on with what there is. */
const ownWriteMs = 10_000

const severity: readonly WatcherState[] = ['live', 'stopped', 'syncing', 'absent', 'broken']

/** The objects of one kind, kept up to date: one watch per namespace, one store. */
export class KindCache<K extends Kind = Kind> {
  readonly kind: K
  readonly #host: Host
  readonly #store: ObjectStore
  readonly #watches: {
    readonly namespace: string
    readonly replica: Replica
    readonly watcher: Watcher
  }[]
  readonly #listeners = new Set<ChangeListener>()
  readonly #syncWaiters = new Set<() => void>()
  #isSynced = false

  constructor(
    parts: { readonly host: Host; readonly transport: Transport },
    kind: K,
    scope: CacheScope,
  ) {
    this.kind = kind
    this.#host = parts.host
    this.#store = new ObjectStore(kind, scope)
    const { labelSelector, fieldSelector } = scope
    const namespaces = kind.scope === 'Cluster' ? [''] : (scope.namespaces ?? [''])
    this.#watches = namespaces.map((namespace) => {
      const replica = new Replica(this.#store, (change) => this.#tell(change))
      const selection = {
        labelSelector,
        fieldSelector,
        ...(namespace === '' ? {} : { namespace }),
      }
      const watcher = new Watcher({
        ...parts,
        kind,
        selection,
        replica,
        onState: () => this.#stateChanged(),
      })
      return { namespace, replica, watcher }
    })
  }

  /** Begins to list and watch. Resolves when it was stopped; it never rejects. */
  async run(): Promise<void> {
    await Promise.all(this.#watches.map(({ watcher }) => watcher.run()))
  }

  stop(): void {
    for (const { watcher } of this.#watches) watcher.stop()
  }

  /** Everything that existed has been seen once. Stays true when the server is lost later. */
  get isSynced(): boolean {
    return this.#isSynced
  }

  /** Resolves when everything that existed has been seen; rejects when the signal is aborted before. */
  async whenSynced(signal?: AbortSignal): Promise<void> {
    if (this.#isSynced) return
    await new Promise<void>((resolve, reject) => {
      const stop = onAbort(signal, () => {
        this.#syncWaiters.delete(done)
        reject(signal?.reason instanceof Error ? signal.reason : new Error('gave up'))
      })
      const done = (): void => {
        stop()
        resolve()
      }
      this.#syncWaiters.add(done)
    })
  }

  health(): CacheHealth {
    const watchers = this.#watches.map(({ watcher }) => watcher)
    const states = watchers.map(({ state }) => severity.indexOf(state))
    return {
      kind: this.kind,
      state: severity[Math.max(...states)] ?? 'stopped',
      isSynced: this.#isSynced,
      objects: this.#store.size,
      bytes: this.#store.sizeBytes,
      silentMs: Math.max(...watchers.map(({ silentMs }) => silentMs)),
      lastError: watchers.find(({ lastError }) => lastError !== undefined)?.lastError,
    }
  }

  /** The object as it was last seen. It is shared: do not change it. */
  get(key: Key): InferResource<K> | undefined {
    return this.#store.get(key)?.object as InferResource<K> | undefined
  }

  /** The same with its identity, without parsing it. */
  entry(key: Key): Entry | undefined {
    return this.#store.get(key)
  }

  /** All objects, of one namespace or of all. */
  *list(namespace?: string): Generator<InferResource<K>, void, undefined> {
    for (const entry of this.#store.entries(namespace)) yield entry.object as InferResource<K>
  }

  entries(namespace?: string): Iterable<Entry> {
    return this.#store.entries(namespace)
  }

  /** Adds a way to find objects by a value; see `indexed`. Adding it again changes nothing. */
  addIndex(name: string, valuesOf: (object: InferResource<K>) => readonly string[]): void {
    this.#store.addIndex(name, (object) => valuesOf(object as InferResource<K>))
  }

  /** The objects that an index files under a value. */
  *indexed(name: string, value: string): Generator<InferResource<K>, void, undefined> {
    for (const entry of this.#store.indexed(name, value)) yield entry.object as InferResource<K>
  }

  /** Hears of everything that exists, then of every change, in order. Returns the way to stop. */
  subscribe(listener: ChangeListener): () => void {
    for (const current of [...this.#store.entries()]) {
      listener({ type: 'added', key: current.key, current, previous: undefined, isInitial: true })
    }
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Resolves when what was written at this revision is in here, so that the next reader does not act on the
   * past. `false` when it did not come in time: an object that is not selected never comes.
   */
  async whenReached(key: Key, resourceVersion: string, signal?: AbortSignal): Promise<boolean> {
    const replica = this.#replicaOf(partsOf(key).namespace)
    if (replica === undefined || replica.hasReached(resourceVersion)) return true
    return new Promise<boolean>((resolve) => {
      const finish = (isReached: boolean): void => {
        stopWaiting()
        timer.cancel()
        stopListening()
        resolve(isReached)
      }
      const stopWaiting = replica.onReached(resourceVersion, () => finish(true))
      const timer = this.#host.setTimer(ownWriteMs, () => finish(false))
      const stopListening = onAbort(signal, () => finish(false))
    })
  }

  #replicaOf(namespace: string): Replica | undefined {
    return this.#watches.find((watch) => watch.namespace === '' || watch.namespace === namespace)
      ?.replica
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change)
  }

  #stateChanged(): void {
    if (this.#isSynced) return
    const isSynced = this.#watches.every(
      ({ replica, watcher }) => replica.revision !== undefined || watcher.state === 'absent',
    )
    if (!isSynced) return
    this.#isSynced = true
    for (const done of [...this.#syncWaiters]) done()
    this.#syncWaiters.clear()
  }
}
