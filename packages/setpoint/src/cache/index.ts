/**
 * cache/: the objects a process works with, kept up to date.
 *
 * `Cache` shares one watch per kind and scope among everybody who looks; `KindCache` is what they see: objects by
 * key, by namespace and by index, and every change in order. A `Watcher` lists once and then watches,
 * resuming where it stopped; it lists again only when the server has forgotten its revision. Objects are kept
 * as the bytes they came in and parsed when they are read. Controllers read from here and never from the API.
 *
 * It promises that listeners hear of every state that stays, in order and never backwards, that nothing is
 * told twice, and that a watch which lost its server says so.
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
