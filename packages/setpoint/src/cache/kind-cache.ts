import type { Selection, Transport } from '../client/index.ts'
import { onAbort, type Host } from '../host/index.ts'
import type { InferResource, Kind } from '../kinds/kind.ts'
import { type LabelSelector, selects } from '../kinds/label-selector.ts'
import type { Change, ChangeListener } from './change.ts'
import type { Entry } from './store/entry.ts'
import type { Key } from './key.ts'
import { partsOf } from './key.ts'
import type { LiveNamespaces } from './live-namespaces.ts'
import type { Namespaces } from './namespaces.ts'
import { ObjectStore } from './store/object-store.ts'
import { WatchedObjects } from './watched-objects.ts'
import type { StoreOptions, TransformFault } from './store/store-options.ts'
import { Watcher } from './watch/watcher.ts'
import type { WatcherState } from './watch/watcher-state.ts'

/** Which objects of a kind are kept, and how. */
export interface CacheScope extends StoreOptions {
  /** All namespaces by default. */
  readonly namespaces?: Namespaces | undefined
  readonly labelSelector?: Selection['labelSelector']
  readonly fieldSelector?: Selection['fieldSelector']
  /** The process can do its work without it: probes do not wait for it. */
  readonly isOptional?: boolean | undefined
}

/** A `CacheScope` whose label selector for namespaces was resolved to names. */
type KindScope = Omit<CacheScope, 'namespaces'> & { readonly namespaces: LiveNamespaces }

/** The dependencies of a cache. */
export interface CacheParts {
  readonly host: Host
  readonly transport: Transport
  /**
   * Called when the state of a kind changes, and after every failure while it is broken. It must
   * not throw.
   */
  readonly onState?: ((cache: KindCache) => void) | undefined
  readonly onTransformFault?: TransformFault | undefined
}

/** The dependencies of the cache of one kind. */
interface KindCacheParts extends CacheParts {
  /** Called when a watch notices that the server's history was replaced. */
  readonly onHistoryReset: () => void
}

/** The state of a kind's cache, for probes and metrics. */
export interface CacheHealth {
  readonly kind: Kind
  /** The worst of its watches. */
  readonly state: WatcherState
  readonly isSynced: boolean
  readonly objects: number
  readonly bytes: number
  /** The time since the server last sent anything for it. */
  readonly silentMs: number
  readonly lastError: unknown
  /** The process can do its work without it. */
  readonly isOptional: boolean
}

/**
 * How long a reader waits for its own write to arrive in the cache; after that it reads a stale
 * cache.
 */
const ownWriteMs = 10_000

const severity: readonly WatcherState[] = ['live', 'stopped', 'syncing', 'absent', 'broken']

/** The objects of one kind, kept up to date: one watch per namespace, one store. */
export class KindCache<K extends Kind = Kind> {
  readonly kind: K
  readonly #host: Host
  readonly #store: ObjectStore
  readonly #parts: KindCacheParts
  readonly #scope: KindScope
  readonly #watches = new Map<string, NamespaceWatch>()
  readonly #listeners = new Set<ChangeListener>()
  readonly #syncWaiters = new Set<() => void>()
  readonly #stateListeners = new Set<() => void>()
  #end: (() => void) | undefined
  #isStopped = false

  constructor(parts: KindCacheParts, kind: K, scope: KindScope) {
    this.kind = kind
    this.#host = parts.host
    this.#parts = parts
    this.#scope = scope
    this.#store = new ObjectStore(kind, scope, parts.onTransformFault)
  }

  /** Begins to list and watch. Resolves when it was stopped; it never rejects. */
  async run(): Promise<void> {
    const ended = new Promise<void>((resolve) => (this.#end = resolve))
    const unsubscribe = this.#scope.namespaces.subscribe((names) => this.#watchNamespaces(names))
    await ended
    unsubscribe()
    await Promise.all([...this.#watches.values()].map(({ running }) => running))
  }

  stop(): void {
    this.#isStopped = true
    this.#end?.()
    for (const { watcher } of this.#watches.values()) watcher.stop()
  }

  /** Watches these namespaces and no others. Objects in dropped namespaces are deselected. */
  #watchNamespaces(names: ReadonlySet<string>): void {
    for (const [name, { watcher, watched }] of this.#watches) {
      if (names.has(name)) continue
      this.#watches.delete(name)
      watcher.stop()
      watched.stop()
    }
    for (const name of names) {
      if (!this.#watches.has(name)) this.#watches.set(name, this.#watch(name))
    }
    this.#stateChanged()
  }

  #watch(namespace: string): NamespaceWatch {
    const { labelSelector, fieldSelector } = this.#scope
    const place = namespace === '' ? {} : { namespace }
    const watched = new WatchedObjects(this.#store, place.namespace, (change) =>
      this.#notify(change),
    )
    const watcher = new Watcher({
      ...this.#parts,
      kind: this.kind,
      selection: { labelSelector, fieldSelector, ...place },
      watched,
      onState: () => {
        this.#stateChanged()
        this.#parts.onState?.(this)
      },
    })
    return { watched, watcher, hasSynced: false, running: watcher.run() }
  }

  /** Every object that existed has been listed once. Stays true when the server is lost later. */
  get isSynced(): boolean {
    if (this.#scope.namespaces.names === undefined) return false
    for (const { hasSynced } of this.#watches.values()) if (!hasSynced) return false
    return true
  }

  /** Resolves when the first list is complete; rejects when the signal is aborted before. */
  async whenSynced(signal?: AbortSignal): Promise<void> {
    if (this.isSynced) return
    await new Promise<void>((resolve, reject) => {
      const stop = onAbort(signal, () => {
        this.#syncWaiters.delete(done)
        reject(
          signal?.reason instanceof Error
            ? signal.reason
            : new Error('stopped waiting for the cache to sync'),
        )
      })
      const done = (): void => {
        stop()
        resolve()
      }
      this.#syncWaiters.add(done)
    })
  }

  /**
   * Resolves when the first list is complete; rejects with the error of the server if it refuses
   * the list.
   */
  async whenSyncedOrBroken(signal: AbortSignal): Promise<void> {
    const broken = new AbortController()
    const check = (): void => {
      const { state, lastError } = this.health()
      if (state === 'broken') broken.abort(lastError)
    }
    this.#stateListeners.add(check)
    check()
    try {
      await this.whenSynced(AbortSignal.any([signal, broken.signal]))
    } finally {
      this.#stateListeners.delete(check)
    }
  }

  /** Reopens silent watches; see `Cache.reopen`. */
  async reopen(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#watches.values()].map(({ watcher }) => watcher.reopen(signal)))
  }

  /** Lists all objects again; see `Cache`. */
  startOver(): void {
    for (const { watcher } of this.#watches.values()) watcher.startOver()
  }

  health(): CacheHealth {
    const watchers = [...this.#watches.values()].map(({ watcher }) => watcher)
    const states = watchers.map(({ state }) => severity.indexOf(state))
    return {
      kind: this.kind,
      state: severity[Math.max(...states)] ?? (this.isSynced ? 'live' : 'syncing'),
      isSynced: this.isSynced,
      objects: this.#store.size,
      bytes: this.#store.sizeBytes,
      silentMs: Math.max(0, ...watchers.map(({ silentMs }) => silentMs)),
      lastError: watchers.find(({ lastError }) => lastError !== undefined)?.lastError,
      isOptional: this.#scope.isOptional ?? false,
    }
  }

  /** Whether it is restricted to namespaces and there are none, so that it can have no object. */
  get hasNoNamespace(): boolean {
    return this.#scope.namespaces.names?.size === 0
  }

  /** The object's last known state. It is shared: do not change it. */
  get(key: Key): InferResource<K> | undefined {
    return this.#store.get(key)?.object as InferResource<K> | undefined
  }

  /** The object's last known state with its identity. The object is not parsed. */
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

  /** The objects that a label selector matches, found by an index that is built on first use. */
  select(selector: LabelSelector, namespace?: string): InferResource<K>[] {
    const pairs = Object.entries(selector.matchLabels ?? {})
    if (namespace === undefined || pairs.length === 0) {
      return [...this.list(namespace)].filter((object) => selects(selector, labelsOf(object)))
    }
    this.addIndex(labelIndex, labelValues)
    const rarest = pairs
      .map(([name, value]) => labelValue(namespace, name, value))
      .map((value) => ({ value, count: this.#store.indexedCount(labelIndex, value) }))
      .reduce((least, one) => (one.count < least.count ? one : least))
    const found = [...this.indexed(labelIndex, rarest.value)]
    return found.filter((object) => selects(selector, labelsOf(object)))
  }

  /** Adds an index to find objects by a value; see `indexed`. Adding it again changes nothing. */
  addIndex(name: string, valuesOf: (object: InferResource<K>) => readonly string[]): void {
    this.#store.addIndex(name, (object) => valuesOf(object as InferResource<K>))
  }

  /** The objects that have this value in an index. */
  *indexed(name: string, value: string): Generator<InferResource<K>, void, undefined> {
    for (const entry of this.#store.indexed(name, value)) yield entry.object as InferResource<K>
  }

  /**
   * Calls the listener with every existing object, then with every change, in order. Returns a
   * function that unsubscribes.
   */
  subscribe(listener: ChangeListener): () => void {
    for (const current of [...this.#store.entries()]) {
      const { key, resourceVersion: revision } = current
      listener({ type: 'added', key, current, previous: undefined, revision, isInitial: true })
    }
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Resolves with `true` when the cache has this revision, so that the next reconcile does not act
   * on a stale cache. `false` when it did not arrive in time: an object that is not selected never
   * arrives.
   */
  async whenReached(key: Key, resourceVersion: string, signal?: AbortSignal): Promise<boolean> {
    const watched = this.#watchedOf(key)
    if (watched === undefined || watched.hasReached(resourceVersion)) return true
    return new Promise<boolean>((resolve) => {
      const finish = (isReached: boolean): void => {
        stopWaiting()
        timer.cancel()
        stopListening()
        resolve(isReached)
      }
      const stopWaiting = watched.onReached(resourceVersion, () => finish(true))
      const timer = this.#host.setTimer(ownWriteMs, () => finish(false))
      const stopListening = onAbort(signal, () => finish(false))
    })
  }

  /** Whether the cache has this revision already. */
  hasReached(key: Key, resourceVersion: string): boolean {
    return this.#watchedOf(key)?.hasReached(resourceVersion) ?? true
  }

  /** The namespace of the watch that an object comes from; empty for all namespaces. */
  watchedNamespace(key: Key): string {
    return this.#watches.has('') ? '' : partsOf(key).namespace
  }

  /** How often the server's revisions went back; revisions from before cannot be compared. */
  resetsOf(key: Key): number {
    return this.#watchedOf(key)?.resets ?? 0
  }

  /** Whether the server's history was replaced, and the object may be of the old one. */
  isStartingOver(key: Key): boolean {
    return this.#watchedOf(key)?.isStartingOver ?? false
  }

  /** A stopped cache has no watched objects: a reader must not wait for revisions that never arrive. */
  #watchedOf(key: Key): WatchedObjects | undefined {
    if (this.#isStopped) return undefined
    return (this.#watches.get('') ?? this.#watches.get(partsOf(key).namespace))?.watched
  }

  #notify(change: Change): void {
    for (const listener of this.#listeners) listener(change)
  }

  #stateChanged(): void {
    for (const watch of this.#watches.values()) {
      if (watch.watched.revision !== undefined || watch.watcher.state === 'absent') {
        watch.hasSynced = true
      }
    }
    for (const listener of [...this.#stateListeners]) listener()
    if (!this.isSynced) return
    for (const done of [...this.#syncWaiters]) done()
    this.#syncWaiters.clear()
  }
}

/** The name of the index by labels. */
const labelIndex = 'labels'

interface Labelled {
  readonly metadata: {
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
  }
}

function labelsOf(object: unknown): Readonly<Record<string, string>> | undefined {
  return (object as Labelled).metadata.labels
}

function labelValues(object: unknown): string[] {
  const { namespace = '', labels = {} } = (object as Labelled).metadata
  return Object.entries(labels).map(([name, value]) => labelValue(namespace, name, value))
}

function labelValue(namespace: string, name: string, value: string): string {
  return `${namespace} ${name}=${value}`
}

/** The watch of one namespace; the empty name stands for all namespaces. */
interface NamespaceWatch {
  readonly watched: WatchedObjects
  readonly watcher: Watcher
  readonly running: Promise<void>
  /** Whether every object that existed in it was listed once. */
  hasSynced: boolean
}
