import type { Entry } from './store/entry.ts'
import type { Key } from './key.ts'

/** A change of an object, as the cache observed it. */
export interface Change {
  /**
   * `removed` is a deletion; `deselected` means that the object still exists but is no longer
   * selected. An object that was deleted and created again between two events is a `removed` and an
   * `added`.
   */
  readonly type: 'added' | 'changed' | 'removed' | 'deselected'
  readonly key: Key
  /** The state after the change; for `removed` and `deselected` the last known one. */
  readonly current: Entry
  /** The state before the change, which may be several writes ago. */
  readonly previous: Entry | undefined
  /** The revision of the change. For a removal it is newer than the last known state. */
  readonly revision: string
  /** The object existed before the cache started: it did not change, the cache only found it. */
  readonly isInitial: boolean
}

/**
 * Receives changes in the order of their revisions. It must not throw: the watcher takes that for a
 * lost connection.
 */
export type ChangeListener = (change: Change) => void
