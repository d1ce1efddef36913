import type { StoredObject, StoreEvent } from './stored-object.ts'

/** The objects of one resource, sorted by key, and their part of the log. */
export class Bucket {
  readonly #objects = new Map<string, StoredObject>()
  /** The sorted keys of `#objects`. */
  readonly #keys: string[] = []
  #events: StoreEvent[] = []
  /** How many entries of `#events` are compacted but not removed yet. */
  #compacted = 0
  readonly #waiting = new Set<(event: StoreEvent) => void>()

  get size(): number {
    return this.#keys.length
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key)
  }

  /** Applies an event to the state, keeps it in the history and wakes waiting watches. */
  append(event: StoreEvent): void {
    const { key } = event.current
    if (event.type === 'deleted') {
      this.#objects.delete(key)
      this.#keys.splice(this.#position(key), 1)
    } else {
      if (event.previous === undefined) this.#keys.splice(this.#position(key), 0, key)
      this.#objects.set(key, event.current)
    }
    this.#events.push(event)
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake(event)
  }

  /** Adds an object without history, to load a snapshot. */
  load(object: StoredObject): void {
    this.#keys.splice(this.#position(object.key), 0, object.key)
    this.#objects.set(object.key, object)
  }

  /** The objects whose key starts with the prefix, in order. */
  *objects(prefix: string): Generator<StoredObject> {
    for (let at = this.#position(prefix); at < this.#keys.length; at += 1) {
      const key = this.#keys[at] ?? ''
      if (!key.startsWith(prefix)) return
      const object = this.#objects.get(key)
      if (object !== undefined) yield object
    }
  }

  /** The objects right after `revision`: the current state with later events reverted. */
  objectsAt(prefix: string, revision: number): Iterable<StoredObject> {
    const latest = this.#events.at(-1)
    if (latest === undefined || latest.revision <= revision) return this.objects(prefix)
    const state = new Map<string, StoredObject>()
    for (const object of this.objects(prefix)) state.set(object.key, object)
    for (let at = this.#events.length - 1; at >= this.#compacted; at -= 1) {
      const event = this.#events[at]
      if (event === undefined || event.revision <= revision) break
      if (!event.current.key.startsWith(prefix)) continue
      if (event.previous === undefined) state.delete(event.current.key)
      else state.set(event.current.key, event.previous)
    }
    return [...state.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  /** The first event after `revision`, by binary search. */
  eventAfter(revision: number): StoreEvent | undefined {
    let low = this.#compacted
    let high = this.#events.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#events[middle]?.revision ?? 0) <= revision) low = middle + 1
      else high = middle
    }
    return this.#events[low]
  }

  /** Drops the oldest event. The caller knows that it belongs to this bucket. */
  forgetOldest(): void {
    this.#compacted += 1
    if (this.#compacted < 1024 || this.#compacted * 2 < this.#events.length) return
    this.#events = this.#events.slice(this.#compacted)
    this.#compacted = 0
  }

  /** Calls `wake` once, with the next event. Returns a function that cancels. */
  wait(wake: (event: StoreEvent) => void): () => void {
    this.#waiting.add(wake)
    return () => this.#waiting.delete(wake)
  }

  #position(key: string): number {
    let low = 0
    let high = this.#keys.length
    // Objects are often created in order, so the end is checked first.
    if (high > 0 && (this.#keys[high - 1] ?? '') < key) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#keys[middle] ?? '') < key) low = middle + 1
      else high = middle
    }
    return low
  }
}
