/**
 * store/: the storage of a cluster: a log of revisions and the resulting state.
 *
 * api/ writes to it (compare-and-swap, one global revision), lists from it (now or at a past
 * revision) and watches it. A watch is a position in the log, so a slow watch costs nothing. It
 * fails when the log is compacted past its position. An object is serialised once, when it is
 * written, and all readers share that text. The store does not depend on Kubernetes kinds, HTTP and
 * API versions. It is synchronous: a write either happened or threw.
 */
export { Store, type StoreEntry, type StoreSnapshot, type StoreWrite } from './store.ts'
export { WatchHistory } from './watch-history.ts'
export type { StoredChange, StoreEvent, StoredObject } from './stored-object.ts'
export { CompactedError, RevisionConflictError } from './store-errors.ts'
