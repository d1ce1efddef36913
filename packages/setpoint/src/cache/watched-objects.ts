import { SetpointError } from '../errors/index.ts'
import type { Change, ChangeListener } from './change.ts'
import { type Key, keyOf } from './key.ts'
import type { Entry } from './store/entry.ts'
import type { ObjectStore } from './store/object-store.ts'
import { compareRevisions } from './store/revision.ts'
import type { ScannedObject } from './store/scan-object.ts'

/**
 * The state of one watcher: its part of a store, and its revision. All changes pass through here in
 * order, so that the store already has what a listener is notified of.
 */
export class WatchedObjects {
  readonly #store: ObjectStore
  readonly #listener: ChangeListener
  /** The namespace that is watched; `undefined` for all. */
  readonly #namespace: string | undefined
  #revision: string | undefined
  /** The highest revision so far. */
  #highestRevision = ''
  /**
   * The server's revisions went back, for example after a restored backup: accept older revisions.
   */
  #isHistoryReset = false
  #resets = 0
  /** While a list is in progress: the keys that it has not shown yet and that may be deleted. */
  #unseen: Set<Key> | undefined
  #isFirstList = true
  /** The namespace is no longer watched; events that are still in progress are ignored. */
  #isStopped = false
  readonly #waiters = new Set<{ readonly revision: string; readonly run: () => void }>()

  constructor(store: ObjectStore, namespace: string | undefined, listener: ChangeListener) {
    this.#store = store
    this.#namespace = namespace
    this.#listener = listener
  }

  /** The revision from which a watch resumes; `undefined` when a list is needed first. */
  get revision(): string | undefined {
    return this.#revision
  }

  /** How often the server's revisions went back. Revisions from before cannot be compared. */
  get resets(): number {
    return this.#resets
  }

  /** Whether the server's revisions went back, and the objects have not been listed since. */
  get isStartingOver(): boolean {
    return this.#isHistoryReset
  }

  /** Whether all changes up to and including this revision have been applied. */
  hasReached(revision: string): boolean {
    return this.#revision !== undefined && compareRevisions(this.#revision, revision) >= 0
  }

  /** Calls back when that is true. Returns a function that stops waiting. */
  onReached(revision: string, run: () => void): () => void {
    const waiter = { revision, run }
    this.#waiters.add(waiter)
    return () => void this.#waiters.delete(waiter)
  }

  /** The server no longer has this revision: the next watch starts with a list. */
  forgetRevision(): void {
    this.#revision = undefined
  }

  /**
   * Throws when the server is at an older revision than the watched objects: its history was
   * replaced, and a watch from here would stay silent. The next list is then accepted.
   */
  checkHistory(current: string): void {
    if (this.#highestRevision !== '' && compareRevisions(current, this.#highestRevision) < 0)
      throw this.#historyReset(current)
  }

  /**
   * The server's history was replaced: the next list is accepted, whatever its revision. No
   * revision of the old history will ever be reached, so nothing waits for one any more.
   */
  startOver(): void {
    this.#revision = undefined
    if (this.#isHistoryReset) return
    this.#isHistoryReset = true
    this.#resets += 1
    for (const { run } of this.#waiters) run()
    this.#waiters.clear()
  }

  /** A list starts: objects that it does not show are removed when it ends. */
  beginList(): void {
    this.#unseen = new Set(this.#store.keys(this.#namespace))
  }

  /**
   * The list is complete at this revision. Throws when the revision is older than one seen before;
   * the next list is then accepted.
   */
  endList(revision: string): void {
    if (
      !this.#isHistoryReset &&
      this.#highestRevision !== '' &&
      compareRevisions(revision, this.#highestRevision) < 0
    ) {
      throw this.#historyReset(revision)
    }
    this.#isHistoryReset = false
    this.#highestRevision = ''
    for (const key of this.#unseen ?? []) this.#remove(key, 'removed', revision)
    this.#unseen = undefined
    this.#isFirstList = false
    this.#reach(revision)
  }

  /** Stores an object and notifies the listener of the change. */
  put(scanned: ScannedObject): void {
    if (this.#isStopped) return
    const { identity } = scanned
    const key = keyOf(identity)
    const previous = this.#store.get(key)
    this.#unseen?.delete(key)
    // A list may return an older state than the watch did. An older state is ignored.
    if (previous !== undefined && previous.uid === identity.uid) {
      const order = compareRevisions(identity.resourceVersion, previous.resourceVersion)
      // After a reset even an equal revision may have another content.
      if (!this.#isHistoryReset && order <= 0) return
    } else if (previous !== undefined) this.#notify('removed', previous, undefined)
    const current = this.#store.put(scanned)
    if (previous === undefined || previous.uid !== identity.uid)
      this.#notify('added', current, undefined)
    else this.#notify('changed', current, previous)
  }

  /** An object was deleted, or is no longer selected. Listeners get its last state. */
  remove(key: Key, type: 'removed' | 'deselected', revision: string): void {
    this.#remove(key, type, revision)
  }

  /** The watch has reached this revision. */
  advance(revision: string): void {
    if (this.#unseen === undefined) this.#reach(revision)
  }

  /**
   * The kind is not served: removes all objects; objects that appear later are new, not initial.
   */
  clear(): void {
    this.#isFirstList = false
    this.#forget('removed')
  }

  /** The namespace is no longer watched: its objects are deselected. */
  stop(): void {
    this.#isStopped = true
    this.#forget('deselected')
  }

  #historyReset(revision: string): SetpointError {
    this.startOver()
    return new SetpointError(
      'API_HISTORY_RESET',
      `the server's revision went back from ${this.#highestRevision} to ${revision}`,
      { hint: 'a backup may have been restored: all objects are listed again' },
    )
  }

  #forget(type: 'removed' | 'deselected'): void {
    this.#revision = undefined
    this.#unseen = undefined
    for (const key of [...this.#store.keys(this.#namespace)]) this.#remove(key, type)
  }

  #reach(revision: string): void {
    this.#revision = revision
    if (this.#highestRevision === '' || this.hasReached(this.#highestRevision))
      this.#highestRevision = revision
    for (const waiter of this.#waiters) {
      if (!this.hasReached(waiter.revision)) continue
      this.#waiters.delete(waiter)
      waiter.run()
    }
  }

  #remove(key: Key, type: 'removed' | 'deselected', revision?: string): void {
    const entry = this.#store.delete(key)
    if (entry === undefined) return
    const { resourceVersion } = entry
    this.#listener({
      type,
      key,
      current: entry,
      previous: entry,
      revision: revision ?? resourceVersion,
      isInitial: false,
    })
  }

  #notify(type: Change['type'], current: Entry, previous: Entry | undefined): void {
    const isInitial = this.#isFirstList && type === 'added'
    const { key, resourceVersion: revision } = current
    this.#listener({ type, key, current, previous, revision, isInitial })
  }
}
