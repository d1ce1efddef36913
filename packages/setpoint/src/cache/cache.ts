import type { Transport } from '../client/index.ts'
import type { Host } from '../host/index.ts'
import type { Kind } from '../kinds/kind.ts'
import { type CacheHealth, type CacheScope, KindCache } from './kind-cache.ts'

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
  readonly #parts: { readonly host: Host; readonly transport: Transport }
  readonly #freeze: boolean
  readonly #shared = new Map<string, Shared>()

  constructor(
    parts: { readonly host: Host; readonly transport: Transport },
    options: { readonly freeze?: boolean | undefined } = {},
  ) {
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

  /** Ends all watches. What was read stays readable. */
  async stop(): Promise<void> {
    const all = [...this.#shared.values()]
    this.#shared.clear()
    for (const { cache } of all) cache.stop()
    await Promise.all(all.map(({ running }) => running))
  }

  #start(name: string, kind: Kind, scope: CacheScope): Shared {
    const cache = new KindCache(this.#parts, kind, { freeze: this.#freeze, ...scope })
    const shared = { cache, running: cache.run(), shares: 0 }
    this.#shared.set(name, shared)
    return shared
  }
}

/** Functions have no name to compare by: a scope with a transform is never shared with another one. */
let transformCount = 0
const transformNames = new WeakMap<object, string>()

function nameOf(kind: Kind, scope: CacheScope): string {
  const { namespaces, labelSelector, fieldSelector, transform, freeze } = scope
  const parts = [namespaces ?? null, labelSelector ?? null, fieldSelector ?? null, freeze ?? null]
  return JSON.stringify([kind.apiVersion, kind.plural, ...parts, transformName(transform)])
}

function transformName(transform: CacheScope['transform']): string {
  if (transform === undefined) return ''
  const known = transformNames.get(transform)
  if (known !== undefined) return known
  transformCount += 1
  const name = `transform ${transformCount}`
  transformNames.set(transform, name)
  return name
}
