import type { Key, KindCache } from '../cache/index.ts'
import { fieldsMax } from './changed-fields.ts'
import type { ChangeReason } from './reason.ts'

/**
 * The part of an object that a write covers: the whole object, when the reconcile has taken the
 * state after the write into account, or certain fields, for example `status`.
 */
export type WriteScope = 'object' | readonly string[]

/**
 * Whether a field equals another one or is below it. When a parent did not exist before, it is the
 * changed field.
 */
function isWithin(field: string, other: string): boolean {
  return field === other || field.startsWith(`${other}.`)
}

/** A write, and the cache in which its echo will appear. */
interface OwnWrite {
  readonly cache: KindCache
  readonly key: Key
  readonly resourceVersion: string
  readonly scope: WriteScope
}

/** A write that the cache might not have yet. */
interface Recorded extends OwnWrite {
  /** How often the revisions of the cache had gone back when it was written. */
  readonly resets: number
  /** Whether an earlier reconcile waited for it until the timeout. */
  isLate: boolean
}

/** Whether revisions went back since a write: its own revision now belongs to something else. */
function isFromOldHistory({ cache, key, resets }: Recorded): boolean {
  return cache.resetsOf(key) !== resets
}

/** How many writes are kept to recognise their echoes. */
const rememberedMax = 20_000

/**
 * The own writes of this process. Their echoes must not cause a reconcile, and the next reconcile
 * of a key must not start before the cache has the writes of the last one. `expect` lets it wait for
 * a change of another writer in the same way.
 */
export class OwnWrites {
  /** The writes by revision; revisions are unique in a cluster. */
  #scopes = new Map<string, Recorded>()
  #older = new Map<string, Recorded>()
  readonly #pending = new Map<Key, Recorded[]>()

  /** Records a write of a reconcile. */
  record(runKey: Key, write: OwnWrite): void {
    const recorded = this.#await(runKey, write)
    this.#scopes.set(write.resourceVersion, recorded)
    if (this.#scopes.size > rememberedMax) {
      this.#older = this.#scopes
      this.#scopes = new Map()
    }
  }

  /**
   * Lets the next reconcile of a key wait for a change of another writer: another cache has
   * observed it, and this one, which the reconcile reads, has not yet.
   */
  expect(runKey: Key, change: Omit<OwnWrite, 'scope'>): void {
    const { cache, key, resourceVersion } = change
    if (!cache.hasReached(key, resourceVersion)) this.#await(runKey, { ...change, scope: [] })
  }

  /**
   * Whether a change is only the echo of an own write. The server answers a write that changed
   * nothing with the revision of the previous write, so the changed fields decide whether the
   * change is an own write.
   */
  isEcho(reason: ChangeReason): boolean {
    const { change, resourceVersion } = reason
    if (change !== 'added' && change !== 'changed') return false
    const recorded = this.#scopes.get(resourceVersion) ?? this.#older.get(resourceVersion)
    if (recorded === undefined || isFromOldHistory(recorded)) return false
    const { scope } = recorded
    if (scope === 'object') return true
    if (change === 'added') return false
    // Comparing objects is expensive, so it is done only where the scope needs it.
    const { fields } = reason
    if (fields.length >= fieldsMax) return false
    return fields.every((field) =>
      scope.some((part) => isWithin(field, part) || isWithin(part, field)),
    )
  }

  /**
   * Resolves when the cache has all own writes of this key's reconciles; `false` after a timeout.
   * Only one reconcile waits for a write, because a hanging watch must not block a worker in every
   * reconcile. A write that arrives after the timeout counts as a change.
   */
  async waitForOwnWrites(runKey: Key, signal: AbortSignal): Promise<boolean> {
    const pending = this.#pending.get(runKey)
    if (pending === undefined) return true
    await Promise.all(
      pending.map(async (write) => {
        const { cache, key, resourceVersion, isLate } = write
        if (!isLate && !isFromOldHistory(write))
          write.isLate = !(await cache.whenReached(key, resourceVersion, signal))
      }),
    )
    const left = pending.filter(
      (write) =>
        !isFromOldHistory(write) && !write.cache.hasReached(write.key, write.resourceVersion),
    )
    for (const { resourceVersion } of left) {
      this.#scopes.delete(resourceVersion)
      this.#older.delete(resourceVersion)
    }
    if (left.length === 0) this.#pending.delete(runKey)
    else this.#pending.set(runKey, left)
    return left.length === 0
  }

  #await(runKey: Key, write: OwnWrite): Recorded {
    const recorded = { ...write, resets: write.cache.resetsOf(write.key), isLate: false }
    const pending = this.#pending.get(runKey)
    if (pending === undefined) this.#pending.set(runKey, [recorded])
    else pending.push(recorded)
    return recorded
  }
}
