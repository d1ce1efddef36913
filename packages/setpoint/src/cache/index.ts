/**
 * cache/: the objects a process works with, kept current by watches.
 *
 * `Cache` shares one watch per kind and scope among all its users. `KindCache` is their view:
 * objects by key, by namespace and by index, and every change in order. A `Watcher` lists once,
 * then watches and resumes after a disconnect; it relists only when the server no longer has its
 * revision. Objects are kept as the bytes that the server sent and are parsed when they are read.
 * Controllers read from the cache, never from the API.
 *
 * Listeners get changes in order, never an older state after a newer one, and no change twice. They
 * may skip intermediate states, never the last one. `KindCache.health()` shows a watch that lost
 * its server.
 */
export { Cache, type CacheShare } from './cache.ts'
export type { Change } from './change.ts'
export type { Entry } from './store/entry.ts'
export { keyOf, type Key } from './key.ts'
export type { CacheHealth, CacheScope, KindCache } from './kind-cache.ts'
export { LiveNamespaces } from './live-namespaces.ts'
export type { Namespaces } from './namespaces.ts'
export type { TransformFault } from './store/store-options.ts'
export { steadyMs } from './watch/watcher.ts'
