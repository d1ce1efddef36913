import type { StoredObject, StoreEvent } from './stored-object.ts'

/** The objects of one resource, sorted by key, and the part of the log that is about them. */
export class Bucket {
  readonly #objects = new Map<string, StoredObject>()
  /** The keys of `#objects`, in order. */
  readonly #keys: string[] = []
  #events: StoreEvent[] = []
  /** How many entries of `#events` are compacted away but not yet cut off. */
  #compacted = 0
  readonly #waiting = new Set<(event: StoreEvent) => void>()

  get size(): number {
    return this.#keys.length
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key)
  }

  /** Applies an event to the state, keeps it for readers of history and wakes those who wait. */
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

  /** Puts an object there without history: how a snapshot is loaded. */
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

  /** The same as it was right after `revision`: today's state with the later events undone. */
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

  /** Forgets the oldest event, which the caller knows to be of this bucket. */
  forgetOldest(): void {
    this.#compacted += 1
    if (this.#compacted < 1024 || this.#compacted * 2 < this.#events.length) return
    this.#events = this.#events.slice(this.#compacted)
    this.#compacted = 0
  }

  /** Calls `wake` once, with the next event. Returns the way to stop waiting. */
  wait(wake: (event: StoreEvent) => void): () => void {
    this.#waiting.add(wake)
    return () => this.#waiting.delete(wake)
  }

  #position(key: string): number {
    let low = 0
    let high = this.#keys.length
    // Objects are often created in order: look at the end first.
    if (high > 0 && (this.#keys[high - 1] ?? '') < key) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#keys[middle] ?? '') < key) low = middle + 1
      else high = middle
    }
    return low
  }
}
