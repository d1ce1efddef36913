/**
 * host/node/: the real host, on Node's own modules.
 *
 * The entry of a program calls `nodeHost()` once and passes it on. It implements `host.ts` and
 * `http.ts`: verified TLS with settings per request, pooled keep-alive connections (also through a
 * proxy), streaming with back-pressure in both directions, errors that say whether a request can
 * have been sent, and no listener left on an abort signal. Idle connections do not keep the process
 * alive; a listening server and a pending timer do.
 */
export { nodeJournalFiles } from './node-journal-files.ts'
export { nodeHost, type NodeHostOptions } from './node-host.ts'
export { nodeSockets } from './http/node-sockets.ts'
