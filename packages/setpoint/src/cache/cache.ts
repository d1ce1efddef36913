import type { Kind } from '../kinds/kind.ts'
import { Namespace } from '../kinds/generated/core-v1.ts'
import { type CacheHealth, type CacheParts, type CacheScope, KindCache } from './kind-cache.ts'
import { LiveNamespaces } from './live-namespaces.ts'
import type { Namespaces } from './namespaces.ts'

/** A share in a kind's cache; the watch ends when the last one is given back. */
export interface CacheShare<K extends Kind> extends Disposable {
  readonly cache: KindCache<K>
}

interface Shared {
  readonly cache: KindCache
  readonly running: Promise<void>
  shares: number
}

/** All caches of a process: one watch per kind and scope, however many operators look at it. */
export class Cache {
  readonly #parts: CacheParts
  readonly #freeze: boolean
  readonly #shared = new Map<string, Shared>()

  constructor(parts: CacheParts, options: { readonly freeze?: boolean | undefined } = {}) {
    this.#parts = parts
    this.#freeze = options.freeze ?? false
  }

  /** A share in the cache of a kind and scope, started with the first one. */
  open<K extends Kind>(kind: K, scope: CacheScope = {}): CacheShare<K> {
    const name = nameOf(kind, scope)
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

  /** How every kind is doing. */
  health(): CacheHealth[] {
    return [...this.#shared.values()].map(({ cache }) => cache.health())
  }

  /** Opens watches anew that have been silent: for those who begin to act on what they only kept until now. */
  async reopen(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#shared.values()].map(({ cache }) => cache.reopen(signal)))
  }

  /** Ends all watches. What was read stays readable. */
  async stop(): Promise<void> {
    const all = [...this.#shared.values()]
    this.#shared.clear()
    for (const { cache } of all) cache.stop()
    await Promise.all(all.map(({ running }) => running))
  }

  #start(name: string, kind: Kind, scope: CacheScope): Shared {
    const { namespaces, release } = this.#namespacesOf(kind, scope)
    const cache = new KindCache(this.#parts, kind, { freeze: this.#freeze, ...scope, namespaces })
    const running = cache.run().finally(release)
    const shared = { cache, running, shares: 0 }
    this.#shared.set(name, shared)
    return shared
  }

  /** The namespaces of a scope, and the way to stop looking after them. */
  #namespacesOf(
    kind: Kind,
    { namespaces = everywhere }: CacheScope,
  ): { readonly namespaces: LiveNamespaces; readonly release: () => void } {
    const nothing = (): void => undefined
    if (kind.scope === 'Cluster') {
      return { namespaces: new LiveNamespaces(everywhere), release: nothing }
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

/** One watch for all namespaces. */
const everywhere: readonly string[] = ['']

function isNames(namespaces: Exclude<Namespaces, LiveNamespaces>): namespaces is readonly string[] {
  return Array.isArray(namespaces)
}

/** Keeps a set of namespaces equal to what a cache of namespaces holds, once that is complete. */
function followNamespaces(cache: KindCache, live: LiveNamespaces): () => void {
  const update = (): void => {
    if (cache.isSynced) live.set([...cache.entries()].map(({ name }) => name))
  }
  const unsubscribe = cache.subscribe(update)
  const controller = new AbortController()
  // Its rejection says that nobody waits any more.
  cache.whenSynced(controller.signal).then(update, () => undefined)
  return () => {
    unsubscribe()
    controller.abort()
  }
}

function nameOf(kind: Kind, scope: CacheScope): string {
  const { namespaces, labelSelector, fieldSelector, transform, freeze } = scope
  const where = namespaces instanceof LiveNamespaces ? ownName(namespaces) : namespaces
  const parts = [where ?? null, labelSelector ?? null, fieldSelector ?? null, freeze ?? null]
  const { apiVersion, plural, part } = kind
  return JSON.stringify([apiVersion, plural, part ?? null, ...parts, ownName(transform)])
}

/** Functions and sets have no content to compare by: they are the same only as themselves. */
let ownNameCount = 0
const ownNames = new WeakMap<object, string>()

function ownName(object: object | undefined): string {
  if (object === undefined) return ''
  const known = ownNames.get(object)
  if (known !== undefined) return known
  ownNameCount += 1
  const name = `own ${ownNameCount}`
  ownNames.set(object, name)
  return name
}
