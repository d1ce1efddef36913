import { type Cache, type CacheShare, type Change, type Key, keyOf } from '../../cache/index.ts'
import type { KindCache } from '../../cache/index.ts'
import type { Client } from '../../client/index.ts'
import { SetpointError } from '../../errors/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import type { DynamicKind } from '../../kinds/dynamic-kind.ts'
import { kindKey } from '../../kinds/kind-key.ts'
import type { Kind } from '../../kinds/kind.ts'
import { asSelector, selects } from '../../kinds/label-selector.ts'
import type { FollowedObjects } from '../declare/contexts.ts'
import type { OperatorDeclaration } from '../declare/operator-declaration.ts'

/** The dependencies of followed kinds. */
interface FollowedKindsOptions {
  readonly declaration: OperatorDeclaration
  readonly cache: Cache
  readonly client: Client
}

/** Objects that an owner follows, and the reconcile that asked for them last. */
interface Followed {
  readonly where: FollowedObjects
  runId: string
}

/** A kind that at least one owner follows. */
interface FollowedKind {
  readonly share: CacheShare<Kind>
  readonly byOwner: Map<Key, Map<string, Followed>>
  readonly stop: () => void
}

/** Enqueues keys for the changes of a cache, and returns a function that ends it. */
type WatchCache = (cache: KindCache, keysOf: (change: Change) => Iterable<Key>) => () => void

/** A reconcile that follows objects. */
interface Follower {
  readonly key: Key
  readonly id: string
  readonly signal: AbortSignal
}

/**
 * The kinds that the owners of an operator chose at run time. A kind is watched as long as an owner
 * follows objects of it. An owner follows what its last successful reconcile asked for.
 */
export class FollowedKinds {
  readonly #options: FollowedKindsOptions
  readonly #kinds = new Map<string, FollowedKind>()
  /** The kinds that were found, by `apiVersion kind`. */
  readonly #found = new Map<string, DynamicKind>()
  #watch: WatchCache = () => () => undefined

  constructor(options: FollowedKindsOptions) {
    this.#options = options
  }

  /** Connects it with the queue. */
  connect(watch: WatchCache): void {
    this.#watch = watch
  }

  /** Finds a kind by its names. */
  async find(
    apiVersion: string,
    name: string,
    signal: AbortSignal,
  ): Promise<DynamicKind | undefined> {
    const id = `${apiVersion} ${name}`
    const known = this.#found.get(id)
    // A CRD may have been replaced by one with other names.
    if (known !== undefined && this.of(known)?.health().state !== 'absent') return known
    const found = await this.#options.client.kindOf(apiVersion, name, { signal })
    if (found === undefined) this.#found.delete(id)
    else this.#found.set(id, found)
    return found
  }

  /** The cache of a kind, while it is followed. */
  of(kind: Kind): KindCache | undefined {
    return this.#kinds.get(kindKey(kind))?.share.cache
  }

  /** Reads objects from the cache. Changes of these objects enqueue the owner from now on. */
  async follow(
    { key, id, signal }: Follower,
    kind: Kind,
    where: FollowedObjects,
  ): Promise<ApiResource[]> {
    this.#check(kind)
    const followed = this.#kinds.get(kindKey(kind)) ?? this.#open(kind)
    const objects = followed.byOwner.get(key) ?? new Map<string, Followed>()
    followed.byOwner.set(key, objects)
    objects.set(JSON.stringify(where), { where, runId: id })
    const { cache } = followed.share
    await cache.whenSyncedOrBroken(signal)
    const { namespace, name, labels } = where
    if (name === undefined) {
      const found =
        labels === undefined ? cache.list(namespace) : cache.select(asSelector(labels), namespace)
      return [...found] as ApiResource[]
    }
    const object = cache.get(keyOf({ namespace, name })) as ApiResource | undefined
    return object === undefined || !matches(where, object) ? [] : [object]
  }

  /** A reconcile has succeeded: its owner no longer follows what the reconcile did not ask for. */
  keep({ key, id }: Pick<Follower, 'key' | 'id'>): void {
    for (const [name, { byOwner }] of [...this.#kinds]) {
      const objects = byOwner.get(key)
      for (const [where, { runId }] of [...(objects ?? [])]) {
        if (runId !== id) objects?.delete(where)
      }
      if (objects?.size === 0) byOwner.delete(key)
      if (byOwner.size === 0) this.#close(name)
    }
  }

  /** An owner is deleted. */
  forget(key: Key): void {
    for (const [name, { byOwner }] of [...this.#kinds]) {
      byOwner.delete(key)
      if (byOwner.size === 0) this.#close(name)
    }
  }

  /** Releases all caches. */
  dispose(): void {
    for (const name of [...this.#kinds.keys()]) this.#close(name)
  }

  #open(kind: Kind): FollowedKind {
    const { namespaces } = this.#options.declaration.options
    const share = this.#options.cache.open(kind, { namespaces, isOptional: true })
    const byOwner: FollowedKind['byOwner'] = new Map()
    const stop = this.#watch(share.cache, ({ current, previous }) => {
      // Who follows it waits for the first list, and reads its objects.
      if (!share.cache.isSynced) return []
      const objects = [current, previous].flatMap((entry) => entry?.object ?? [])
      return followersOf(byOwner, objects)
    })
    const followed = { share, byOwner, stop }
    this.#kinds.set(kindKey(kind), followed)
    return followed
  }

  #close(name: string): void {
    const followed = this.#kinds.get(name)
    this.#kinds.delete(name)
    followed?.stop()
    followed?.share[Symbol.dispose]()
  }

  #check({ kind, verbs }: Kind): void {
    const { dynamicKinds, options } = this.#options.declaration
    if (dynamicKinds === undefined) {
      const hint = 'add .dynamicKinds({ roles: { ... } }) to the operator'
      const problem = `${options.name} does not declare that it follows kinds like ${kind}`
      throw new SetpointError('OPERATOR_INVALID', problem, { hint })
    }
    const missing = ['list', 'watch'].find((verb) => verbs?.includes(verb) === false)
    if (missing === undefined) return
    throw new SetpointError('OPERATOR_INVALID', `the API does not offer ${missing} for ${kind}`, {
      hint: 'follow a kind whose objects are stored',
    })
  }
}

function followersOf(byOwner: FollowedKind['byOwner'], objects: readonly unknown[]): Set<Key> {
  const keys = new Set<Key>()
  for (const [key, followed] of byOwner) {
    for (const { where } of followed.values()) {
      if (objects.some((object) => matches(where, object as ApiResource))) keys.add(key)
    }
  }
  return keys
}

function matches({ namespace, name, labels }: FollowedObjects, { metadata }: ApiResource): boolean {
  if (namespace !== undefined && metadata.namespace !== namespace) return false
  if (name !== undefined && metadata.name !== name) return false
  return labels === undefined || selects(labels, metadata.labels)
}
