import type { Entry } from './store/entry.ts'
import type { Key } from './key.ts'

/** Something that happened to an object, as the cache saw it. */
export interface Change {
  /**
   * `removed` is a deletion; `deselected` means that it still exists but is no longer selected. An object that
   * was deleted and made again between two looks is a `removed` and an `added`.
   */
  readonly type: 'added' | 'changed' | 'removed' | 'deselected'
  readonly key: Key
  /** The state after it; for `removed` and `deselected` the last one that was seen. */
  readonly current: Entry
  /** The state before it, which may be several writes ago. */
  readonly previous: Entry | undefined
  /** It existed when the cache began: nothing happened, somebody just learned of it. */
  readonly isInitial: boolean
}

/** Takes changes in the order of their revisions. It must not throw. */
export type ChangeListener = (change: Change) => void
