import type { Kind } from '../kinds/kind.ts'
import { Namespace } from '../kinds/generated/core-v1.ts'
import { type CacheHealth, type CacheParts, type CacheScope, KindCache } from './kind-cache.ts'
import { LiveNamespaces } from './live-namespaces.ts'
import type { Namespaces } from './namespaces.ts'

/** A reference to a kind's cache; the watch ends when the last reference is disposed. */
export interface CacheShare<K extends Kind> extends Disposable {
  readonly cache: KindCache<K>
}

interface Shared {
  readonly cache: KindCache
  readonly running: Promise<void>
  shares: number
}

/** All caches of a process: one watch per kind and scope, shared by all operators. */
export class Cache {
  readonly #parts: CacheParts
  readonly #freeze: boolean
  readonly #shared = new Map<string, Shared>()

  constructor(parts: CacheParts, options: { readonly freeze?: boolean | undefined } = {}) {
    this.#parts = parts
    this.#freeze = options.freeze ?? false
  }

  /** Returns a reference to the cache of a kind and scope; the first one starts its watch. */
  open<K extends Kind>(kind: K, scope: CacheScope = {}): CacheShare<K> {
    const name = shareKeyOf(kind, scope)
    const shared = this.#shared.get(name) ?? this.#start(name, kind, scope)
    shared.shares += 1
    let isOpen = true
    return {
      cache: shared.cache as unknown as KindCache<K>,
      [Symbol.dispose]: () => {
        if (!isOpen) return
        isOpen = false
        shared.shares -= 1
        if (shared.shares > 0) return
        this.#shared.delete(name)
        shared.cache.stop()
      },
    }
  }

  /** The state of every cache. */
  health(): CacheHealth[] {
    return [...this.#shared.values()].map(({ cache }) => cache.health())
  }

  /**
   * Reopens silent watches. A new leader calls this before it acts on a cache that it only kept as
   * a standby.
   */
  async reopen(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#shared.values()].map(({ cache }) => cache.reopen(signal)))
  }

  /** Ends all watches. The cached objects stay readable. */
  async stop(): Promise<void> {
    const all = [...this.#shared.values()]
    this.#shared.clear()
    for (const { cache } of all) cache.stop()
    await Promise.all(all.map(({ running }) => running))
  }

  #start(name: string, kind: Kind, scope: CacheScope): Shared {
    const { namespaces, release } = this.#namespacesOf(kind, scope)
    const parts = { ...this.#parts, onHistoryReset: () => this.#startOver() }
    const cache = new KindCache(parts, kind, { freeze: this.#freeze, ...scope, namespaces })
    const running = cache.run().finally(release)
    const shared = { cache, running, shares: 0 }
    this.#shared.set(name, shared)
    return shared
  }

  /**
   * One watch noticed that the server's history was replaced. The other watches may notice it much
   * later, and until then their objects do not fit to those of this one.
   */
  #startOver(): void {
    for (const { cache } of this.#shared.values()) cache.startOver()
  }

  /** The namespaces of a scope, and a function that stops following them. */
  #namespacesOf(
    kind: Kind,
    { namespaces = allNamespaces }: CacheScope,
  ): { readonly namespaces: LiveNamespaces; readonly release: () => void } {
    const nothing = (): void => undefined
    if (kind.scope === 'Cluster') {
      return { namespaces: new LiveNamespaces(allNamespaces), release: nothing }
    }
    if (namespaces instanceof LiveNamespaces) return { namespaces, release: nothing }
    if (isNames(namespaces)) return { namespaces: new LiveNamespaces(namespaces), release: nothing }
    const share = this.open(Namespace, { labelSelector: namespaces.labelSelector })
    const live = new LiveNamespaces()
    const unfollow = followNamespaces(share.cache, live)
    return {
      namespaces: live,
      release: () => {
        unfollow()
        share[Symbol.dispose]()
      },
    }
  }
}

/** The empty name: one watch for all namespaces. */
const allNamespaces: readonly string[] = ['']

function isNames(namespaces: Exclude<Namespaces, LiveNamespaces>): namespaces is readonly string[] {
  return Array.isArray(namespaces)
}

/** Keeps a set of namespaces equal to the content of a synced cache of namespaces. */
function followNamespaces(cache: KindCache, live: LiveNamespaces): () => void {
  const update = (): void => {
    if (cache.isSynced) live.set([...cache.entries()].map(({ name }) => name))
  }
  const unsubscribe = cache.subscribe(update)
  const controller = new AbortController()
  // The rejection only means that the caller stopped waiting.
  cache.whenSynced(controller.signal).then(update, () => undefined)
  return () => {
    unsubscribe()
    controller.abort()
  }
}

function shareKeyOf(kind: Kind, scope: CacheScope): string {
  const { namespaces, labelSelector, fieldSelector, transform, freeze, isOptional } = scope
  const where = namespaces instanceof LiveNamespaces ? identityOf(namespaces) : namespaces
  const parts = [
    where ?? null,
    labelSelector ?? null,
    fieldSelector ?? null,
    freeze ?? null,
    isOptional ?? null,
  ]
  const { apiVersion, plural, part } = kind
  return JSON.stringify([apiVersion, plural, part ?? null, ...parts, identityOf(transform)])
}

/** Functions and live sets are compared by identity. */
let identityCount = 0
const identities = new WeakMap<object, string>()

function identityOf(object: object | undefined): string {
  if (object === undefined) return ''
  const known = identities.get(object)
  if (known !== undefined) return known
  identityCount += 1
  const name = `identity ${identityCount}`
  identities.set(object, name)
  return name
}
