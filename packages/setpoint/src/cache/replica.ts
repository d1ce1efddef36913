import { SetpointError } from '../errors/index.ts'
import type { Change, ChangeListener } from './change.ts'
import { type Key, keyOf } from './key.ts'
import type { Entry } from './store/entry.ts'
import type { ObjectStore } from './store/object-store.ts'
import { compareRevisions } from './store/revision.ts'
import type { ScannedObject } from './store/scan-object.ts'

/**
 * What one watcher knows: its part of a store, and how far it is. Every change goes through here, in order,
 * so that what listeners hear and what they can read agree.
 */
export class Replica {
  readonly #store: ObjectStore
  readonly #listener: ChangeListener
  /** The namespace it looks into; `undefined` for all. */
  readonly #namespace: string | undefined
  #revision: string | undefined
  /** How far it ever was. */
  #farthest = ''
  /** Whether the server's history begins anew, as after a backup was restored: what it shows counts, however old it is. */
  #isAnew = false
  /** While a list is under way: what it has not shown yet and may be gone. */
  #unseen: Set<Key> | undefined
  #isFirstList = true
  /** Nobody looks at it any more; a line that was under way comes too late. */
  #isLeft = false
  readonly #waiters = new Set<{ readonly revision: string; readonly run: () => void }>()

  constructor(store: ObjectStore, namespace: string | undefined, listener: ChangeListener) {
    this.#store = store
    this.#namespace = namespace
    this.#listener = listener
  }

  /** Where a watch goes on; `undefined` when a list must come first. */
  get revision(): string | undefined {
    return this.#revision
  }

  /** Whether everything up to and including this revision has been told. */
  hasReached(revision: string): boolean {
    return this.#revision !== undefined && compareRevisions(this.#revision, revision) >= 0
  }

  /** Calls back once that is so. Returns the way to stop waiting. */
  onReached(revision: string, run: () => void): () => void {
    const waiter = { revision, run }
    this.#waiters.add(waiter)
    return () => void this.#waiters.delete(waiter)
  }

  /** The server does not remember it. */
  forgetRevision(): void {
    this.#revision = undefined
  }

  /** A list begins: what it does not show is gone when it ends. */
  beginList(): void {
    this.#unseen = new Set(this.#store.keys(this.#namespace))
  }

  /** Everything has been shown, as of this revision. If that is in the past it throws, and the next list counts. */
  endList(revision: string): void {
    if (!this.#isAnew && this.#farthest !== '' && compareRevisions(revision, this.#farthest) < 0) {
      this.#isAnew = true
      throw new SetpointError(
        'NETWORK_PROTOCOL_ERROR',
        `the server is at revision ${revision}, and was at ${this.#farthest} before`,
        { hint: 'a backup may have been restored: everything is listed again' },
      )
    }
    this.#isAnew = false
    this.#farthest = ''
    for (const key of this.#unseen ?? []) this.#remove(key, 'removed')
    this.#unseen = undefined
    this.#isFirstList = false
    this.#reach(revision)
  }

  /** An object exists in this state. */
  put(scanned: ScannedObject): void {
    if (this.#isLeft) return
    const { identity } = scanned
    const key = keyOf(identity)
    const previous = this.#store.get(key)
    this.#unseen?.delete(key)
    // A list may be older than what a watch has shown already; going back would show the past as news.
    if (previous !== undefined && previous.uid === identity.uid) {
      const order = compareRevisions(identity.resourceVersion, previous.resourceVersion)
      if (this.#isAnew ? order === 0 : order <= 0) return
    } else if (previous !== undefined) this.#tell('removed', previous, undefined)
    const current = this.#store.put(scanned)
    if (previous === undefined || previous.uid !== identity.uid)
      this.#tell('added', current, undefined)
    else this.#tell('changed', current, previous)
  }

  /** An object is gone, or no longer selected. Its last state comes with the news. */
  remove(key: Key, type: 'removed' | 'deselected'): void {
    this.#remove(key, type)
  }

  /** The watch has come this far. */
  advance(revision: string): void {
    if (this.#unseen === undefined) this.#reach(revision)
  }

  /** The kind is not served: nothing of it exists, and what it shows one day is new. */
  clear(): void {
    this.#isFirstList = false
    this.#forget('removed')
  }

  /** Nobody looks at it any more. */
  leave(): void {
    this.#isLeft = true
    this.#forget('deselected')
  }

  #forget(type: 'removed' | 'deselected'): void {
    this.#revision = undefined
    this.#unseen = undefined
    for (const key of [...this.#store.keys(this.#namespace)]) this.#remove(key, type)
  }

  #reach(revision: string): void {
    this.#revision = revision
    if (this.#farthest === '' || this.hasReached(this.#farthest)) this.#farthest = revision
    for (const waiter of this.#waiters) {
      if (!this.hasReached(waiter.revision)) continue
      this.#waiters.delete(waiter)
      waiter.run()
    }
  }

  #remove(key: Key, type: 'removed' | 'deselected'): void {
    const entry = this.#store.delete(key)
    if (entry !== undefined) this.#tell(type, entry, entry)
  }

  #tell(type: Change['type'], current: Entry, previous: Entry | undefined): void {
    const isInitial = this.#isFirstList && type === 'added'
    this.#listener({ type, key: current.key, current, previous, isInitial })
  }
}
