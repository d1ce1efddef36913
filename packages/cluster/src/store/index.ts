/**
 * store/: the one truth of a cluster: a log of revisions and the state it adds up to.
 *
 * api/ writes through it (compare-and-swap, one global revision), lists from it (now or at a past
 * revision) and watches it (a watch is a position in the log, so a slow watcher costs nothing and is
 * cut when the log is compacted past it). An object is serialised once, when it is written; every
 * reader shares that text. It knows nothing of Kubernetes kinds, of HTTP or of versions, and it is
 * synchronous: a write either happened or threw.
 */
export { Store, type StoreSnapshot, type StoreWrite } from './store.ts'
export { StoreWatch } from './store-watch.ts'
export type { StoreEvent, StoredObject } from './stored-object.ts'
export { CompactedError, RevisionConflictError } from './store-errors.ts'
