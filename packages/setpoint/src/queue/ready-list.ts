/**
 * `fresh` is a change that just happened; `background` is a key that existed already, or a resync.
 */
export type Priority = 'fresh' | 'background'

/** Keys of one priority, in order of arrival or alternating between namespaces. */
class KeyGroups {
  readonly #isFair: boolean
  /**
   * The keys by namespace when fair, otherwise in one group. A Map keeps its order: the first group
   * is next.
   */
  readonly #groups = new Map<string, Set<string>>()

  constructor(isFair: boolean) {
    this.#isFair = isFair
  }

  add(key: string): void {
    const group = this.#groupOf(key)
    const keys = this.#groups.get(group)
    if (keys === undefined) this.#groups.set(group, new Set([key]))
    else keys.add(key)
  }

  has(key: string): boolean {
    return this.#groups.get(this.#groupOf(key))?.has(key) === true
  }

  delete(key: string): void {
    const group = this.#groupOf(key)
    const keys = this.#groups.get(group)
    keys?.delete(key)
    if (keys?.size === 0) this.#groups.delete(group)
  }

  shift(): string | undefined {
    for (const [group, keys] of this.#groups) {
      for (const key of keys) {
        keys.delete(key)
        this.#groups.delete(group)
        // The rest of the group goes behind the other namespaces.
        if (keys.size > 0) this.#groups.set(group, keys)
        return key
      }
    }
    return undefined
  }

  #groupOf(key: string): string {
    if (!this.#isFair) return ''
    const slash = key.indexOf('/')
    return slash === -1 ? '' : key.slice(0, slash)
  }
}

/** The keys that are due: fresh ones first. */
export class ReadyList {
  readonly #fresh: KeyGroups
  readonly #background: KeyGroups
  #size = 0

  constructor(isFair: boolean) {
    this.#fresh = new KeyGroups(isFair)
    this.#background = new KeyGroups(isFair)
  }

  get size(): number {
    return this.#size
  }

  /** Adds a key. A key that is here already keeps its place, unless it becomes fresh. */
  add(key: string, priority: Priority): void {
    if (this.#fresh.has(key)) return
    if (this.#background.has(key)) {
      if (priority === 'background') return
      this.#background.delete(key)
      this.#size -= 1
    }
    const groups = priority === 'fresh' ? this.#fresh : this.#background
    groups.add(key)
    this.#size += 1
  }

  shift(): string | undefined {
    const key = this.#fresh.shift() ?? this.#background.shift()
    if (key !== undefined) this.#size -= 1
    return key
  }
}
