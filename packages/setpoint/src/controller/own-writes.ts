import type { Key, KindCache } from '../cache/index.ts'

/** A write of this process that its cache may not have seen yet. */
interface Pending {
  readonly cache: KindCache
  readonly key: Key
  readonly resourceVersion: string
}

/** How many writes are remembered to recognise their echo. */
const rememberedMax = 20_000

/**
 * What this process wrote itself. It is needed twice: the event of an own write is no news and must not cause another
 * run, and the next run of a key must not begin before the cache shows what the last one wrote.
 */
export class OwnWrites {
  /** The revisions this process made; they are unique in a cluster. */
  #revisions = new Set<string>()
  #older = new Set<string>()
  readonly #pending = new Map<Key, Pending[]>()

  /** A run wrote an object. `cache` is where it will appear. */
  note(runKey: Key, write: Pending): void {
    this.#revisions.add(write.resourceVersion)
    if (this.#revisions.size > rememberedMax) {
      this.#older = this.#revisions
      this.#revisions = new Set()
    }
    const pending = this.#pending.get(runKey)
    if (pending === undefined) this.#pending.set(runKey, [write])
    else pending.push(write)
  }

  /** Whether a revision is of our making. */
  has(resourceVersion: string): boolean {
    return this.#revisions.has(resourceVersion) || this.#older.has(resourceVersion)
  }

  /** Resolves when the cache shows everything that runs of this key wrote; `false` when it took too long. */
  async whenSeen(runKey: Key, signal: AbortSignal): Promise<boolean> {
    const pending = this.#pending.get(runKey)
    if (pending === undefined) return true
    const seen = await Promise.all(
      pending.map(({ cache, key, resourceVersion }) =>
        cache.whenReached(key, resourceVersion, signal),
      ),
    )
    this.#pending.delete(runKey)
    return seen.every((isSeen) => isSeen)
  }
}
