/**
 * sources/: events outside the cluster that enqueue objects.
 *
 * `followSource` reads a `.source`: an async iterable of the author, for example over a message
 * queue. `serveHttpSources` serves the paths of `.httpSource`. Both call the author's `keysOf` and
 * enqueue the keys it returns.
 *
 * A source that ends or throws is opened again with backoff. A request that `keysOf` refuses changes
 * nothing, and its client learns no details.
 */
export { followSource, type SourceDeclaration } from './external-source.ts'
export type { HttpSourceDeclaration, HttpSourceRequest } from './http-source.ts'
export { type KeysConcerned, keysIn } from './keys-in.ts'
export { serveHttpSources } from './serve-http-sources.ts'
