import { Bucket } from './bucket.ts'
import { CompactedError, RevisionConflictError } from './store-errors.ts'
import { WatchHistory } from './watch-history.ts'
import type { StoredObject, StoreEvent } from './stored-object.ts'

/** How much history a store keeps; the first limit that is reached compacts. */
interface StoreOptions {
  /** Wall-clock time, for the age of events. */
  readonly now: () => number
  readonly historyEventsMax?: number | undefined
  readonly historyCharactersMax?: number | undefined
  readonly historyAgeMs?: number | undefined
}

/**
 * One write. `expected` is the revision that the caller has read; 0 for an object that must not
 * exist.
 */
export interface StoreWrite {
  readonly bucket: string
  readonly key: string
  readonly expected: number
  readonly schemaTag: string
  readonly labels: Readonly<Record<string, string>> | undefined
  /** Serialises the object with its new revision. */
  readonly serialise: (revision: number) => string
}

/** One change of the log, as a journal keeps it. */
export interface StoreEntry {
  readonly bucket: string
  readonly object: StoredObject
  readonly isDeleted: boolean
}

/** The whole state, to be saved and loaded. */
export interface StoreSnapshot {
  readonly revision: number
  readonly buckets: Readonly<Record<string, readonly StoredObject[]>>
}

const defaults = {
  historyEventsMax: 20_000,
  historyCharactersMax: 64 * 1024 * 1024,
  historyAgeMs: 10 * 60_000,
}

/** A log of revisions with the resulting state; see index.ts. */
export class Store {
  readonly #buckets = new Map<string, Bucket>()
  readonly #observers: ((event: StoreEvent) => void)[] = []
  readonly #options: { readonly [name in keyof StoreOptions]-?: NonNullable<StoreOptions[name]> }
  /** All events of the history in order; entries before `#head` are compacted. */
  #log: StoreEvent[] = []
  #head = 0
  #characters = 0
  #revision: number
  #oldest: number
  #journal: ((entry: StoreEntry) => void) | undefined

  constructor(options: StoreOptions, snapshot?: StoreSnapshot) {
    this.#options = {
      now: options.now,
      historyEventsMax: options.historyEventsMax ?? defaults.historyEventsMax,
      historyCharactersMax: options.historyCharactersMax ?? defaults.historyCharactersMax,
      historyAgeMs: options.historyAgeMs ?? defaults.historyAgeMs,
    }
    this.#revision = snapshot?.revision ?? 1
    this.#oldest = this.#revision
    for (const [name, objects] of Object.entries(snapshot?.buckets ?? {})) {
      for (const object of objects) this.#bucket(name).load(object)
    }
  }

  get revision(): number {
    return this.#revision
  }

  /** The oldest revision that can be listed at or watched from. */
  get oldestRevision(): number {
    return this.#oldest
  }

  /** The newest revision that was written until a time, or the oldest known one. */
  revisionAt(timeMs: number): number {
    let low = this.#head
    let high = this.#log.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#log[middle]?.timeMs ?? 0) <= timeMs) low = middle + 1
      else high = middle
    }
    return this.#log[low - 1]?.revision ?? this.#oldest
  }

  get(bucket: string, key: string): StoredObject | undefined {
    return this.#buckets.get(bucket)?.get(key)
  }

  /** The number of objects in a bucket. */
  count(bucket: string): number {
    return this.#buckets.get(bucket)?.size ?? 0
  }

  /**
   * Calls back with every change right after it is stored, before its write is answered. The
   * callback must not write or throw.
   */
  observe(run: (event: StoreEvent) => void): void {
    this.#observers.push(run)
  }

  /**
   * Objects in key order, now or right after a past revision. Throws `CompactedError` if that was
   * compacted.
   */
  list(bucket: string, prefix: string, revision?: number): Iterable<StoredObject> {
    if (revision === undefined || revision >= this.#revision) {
      return this.#bucket(bucket).objects(prefix)
    }
    if (revision < this.#oldest) throw new CompactedError(this.#oldest)
    return this.#bucket(bucket).objectsAt(prefix, revision)
  }

  /** Creates (`expected: 0`) or replaces an object. */
  put(write: StoreWrite): StoredObject {
    const previous = this.#expect(write)
    const current = this.#next(write)
    this.#journal?.({ bucket: write.bucket, object: current, isDeleted: false })
    this.#append(write.bucket, {
      type: previous === undefined ? 'created' : 'changed',
      current,
      previous,
    })
    return current
  }

  /** Removes an object. The serialised text is its last state with the revision of the deletion. */
  remove(write: StoreWrite): StoredObject {
    const previous = this.#expect(write)
    const current = this.#next(write)
    this.#journal?.({ bucket: write.bucket, object: current, isDeleted: true })
    this.#append(write.bucket, { type: 'deleted', current, previous })
    return current
  }

  /**
   * Calls a function with each change before it happens. When the function throws, the change does
   * not happen and the write fails.
   */
  journalTo(journal: (entry: StoreEntry) => void): void {
    this.#journal = journal
  }

  /** Repeats the changes of a journal, in the order of their revisions. */
  replay(entries: Iterable<StoreEntry>): void {
    for (const { bucket, object, isDeleted } of entries) {
      const previous = this.get(bucket, object.key)
      const type = isDeleted ? 'deleted' : previous === undefined ? 'created' : 'changed'
      this.#append(bucket, { type, current: object, previous })
    }
  }

  /** Watches everything after `from`. Throws `CompactedError` if that was compacted. */
  watch(bucket: string, from: number): WatchHistory {
    if (from < this.#oldest) throw new CompactedError(this.#oldest)
    return new WatchHistory(this.#bucket(bucket), { from, oldest: () => this.#oldest })
  }

  /** Drops the history up to and including `revision`; the state is kept. */
  compact(revision = this.#revision): void {
    const limit = Math.min(revision, this.#revision)
    for (;;) {
      const event = this.#log[this.#head]
      if (event === undefined || event.revision > limit) break
      this.#forgetOldest(event)
    }
    this.#oldest = Math.max(this.#oldest, limit)
  }

  /** The state without its history. */
  snapshot(): StoreSnapshot {
    const buckets = [...this.#buckets].map(([name, bucket]) => [name, [...bucket.objects('')]])
    return {
      revision: this.#revision,
      buckets: Object.fromEntries(buckets) as StoreSnapshot['buckets'],
    }
  }

  #bucket(name: string): Bucket {
    let bucket = this.#buckets.get(name)
    if (bucket === undefined) {
      bucket = new Bucket()
      this.#buckets.set(name, bucket)
    }
    return bucket
  }

  #expect({ bucket, key, expected }: StoreWrite): StoredObject | undefined {
    const stored = this.get(bucket, key)
    if ((stored?.revision ?? 0) !== expected) {
      throw new RevisionConflictError(stored?.revision ?? 0)
    }
    return stored
  }

  #next({ key, labels, schemaTag, serialise }: StoreWrite): StoredObject {
    const revision = this.#revision + 1
    return { key, revision, text: serialise(revision), labels, schemaTag }
  }

  #append(bucket: string, change: Pick<StoreEvent, 'type' | 'current' | 'previous'>): void {
    const event: StoreEvent = {
      ...change,
      bucket,
      revision: change.current.revision,
      timeMs: this.#options.now(),
      derived: new Map(),
    }
    this.#revision = event.revision
    this.#log.push(event)
    this.#characters += event.current.text.length
    this.#bucket(bucket).append(event)
    this.#compactByBounds(event.timeMs)
    for (const run of this.#observers) run(event)
  }

  #compactByBounds(nowMs: number): void {
    const { historyEventsMax, historyCharactersMax, historyAgeMs } = this.#options
    for (;;) {
      const event = this.#log[this.#head]
      if (event === undefined || event.revision === this.#revision) return
      const isWithinBounds =
        this.#log.length - this.#head <= historyEventsMax &&
        this.#characters <= historyCharactersMax &&
        nowMs - event.timeMs <= historyAgeMs
      if (isWithinBounds) return
      this.#forgetOldest(event)
      this.#oldest = event.revision
    }
  }

  #forgetOldest(event: StoreEvent): void {
    this.#head += 1
    this.#characters -= event.current.text.length
    this.#bucket(event.bucket).forgetOldest()
    if (this.#head < 1024 || this.#head * 2 < this.#log.length) return
    this.#log = this.#log.slice(this.#head)
    this.#head = 0
  }
}
