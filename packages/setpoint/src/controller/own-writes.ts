import type { Key, KindCache } from '../cache/index.ts'
import { fieldsMax } from './changed-fields.ts'
import type { ChangeReason } from './reason.ts'

/**
 * What a write was about: the whole object, whose state after the write the run has taken into account, or only
 * certain fields of it, `status` for example.
 */
export type WriteScope = 'object' | readonly string[]

/** Whether a field is another one, or a part of it. Where there was nothing before, the whole has changed with the part. */
function isWithin(field: string, other: string): boolean {
  return field === other || field.startsWith(`${other}.`)
}

/** A write of this process that its cache may not have seen yet. */
interface Pending {
  readonly cache: KindCache
  readonly key: Key
  readonly resourceVersion: string
  /** Whether it was waited for in vain. */
  isLate?: boolean
}

/** How many writes are remembered to recognise their echo. */
const rememberedMax = 20_000

/**
 * What this process wrote itself. It is needed twice: the event of an own write is no news and must not cause another
 * run, and the next run of a key must not begin before the cache shows what the last one wrote.
 */
export class OwnWrites {
  /** What was written, by revision; revisions are unique in a cluster. */
  #scopes = new Map<string, WriteScope>()
  #older = new Map<string, WriteScope>()
  readonly #pending = new Map<Key, Pending[]>()

  /** A run wrote an object. `cache` is where it will appear. */
  note(runKey: Key, { scope, ...write }: Pending & { readonly scope: WriteScope }): void {
    this.#scopes.set(write.resourceVersion, scope)
    if (this.#scopes.size > rememberedMax) {
      this.#older = this.#scopes
      this.#scopes = new Map()
    }
    const pending = this.#pending.get(runKey)
    if (pending === undefined) this.#pending.set(runKey, [write])
    else pending.push(write)
  }

  /**
   * Whether a change is the echo of a write and nothing else. A write that changed nothing is answered with the
   * revision of whoever wrote before: the fields that changed tell whose change it is.
   */
  explain(reason: ChangeReason): boolean {
    const { change, resourceVersion } = reason
    if (change !== 'added' && change !== 'changed') return false
    const scope = this.#scopes.get(resourceVersion) ?? this.#older.get(resourceVersion)
    if (scope === undefined) return false
    if (scope === 'object') return true
    if (change === 'added') return false
    // Working them out means comparing objects: only where it matters.
    const { fields } = reason
    if (fields.length >= fieldsMax) return false
    return fields.every((field) =>
      scope.some((part) => isWithin(field, part) || isWithin(part, field)),
    )
  }

  /**
   * Resolves when the cache shows everything that runs of this key wrote; `false` when it took too long. What was waited for
   * once is not waited for again: a watch that hangs must not take a worker for every run. The run goes without it, and it is news
   * when it comes.
   */
  async whenSeen(runKey: Key, signal: AbortSignal): Promise<boolean> {
    const pending = this.#pending.get(runKey)
    if (pending === undefined) return true
    await Promise.all(
      pending.map(async (write) => {
        const { cache, key, resourceVersion, isLate = false } = write
        if (!isLate) write.isLate = !(await cache.whenReached(key, resourceVersion, signal))
      }),
    )
    const left = pending.filter(
      ({ cache, key, resourceVersion }) => !cache.hasReached(key, resourceVersion),
    )
    for (const { resourceVersion } of left) {
      this.#scopes.delete(resourceVersion)
      this.#older.delete(resourceVersion)
    }
    if (left.length === 0) this.#pending.delete(runKey)
    else this.#pending.set(runKey, left)
    return left.length === 0
  }
}
