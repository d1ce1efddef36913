/**
 * host/node/: the real host, on Node's own modules.
 *
 * The entry of a program calls `nodeHost()` once and hands it down. It promises what `host.ts` and
 * `http.ts` say: verified TLS with settings per request, pooled keep-alive connections (also through
 * a proxy), streaming with back-pressure both ways, errors that tell whether a request can have
 * been sent, and no listener left behind on an abort signal. It keeps no process alive by itself:
 * idle connections do not count, a listening server and a pending timer do.
 */
export { nodeHost, type NodeHostOptions } from './node-host.ts'
export { nodeSockets } from './http/node-sockets.ts'
