/**
 * server/: the HTTP servers of an operator's process.
 *
 * `listenBounded` makes all of them: probes, metrics and HTTP sources. The clients of a port are not
 * trusted: connections, requests in progress, the memory for bodies, the time of an exchange and the
 * log lines about clients have limits (`server-limits.ts`).
 *
 * Its handlers get a request whose body is read by `text()`. What `text()` refuses is answered here.
 */
export { textResponse } from './body-budget.ts'
export { type BoundedRequest, listenBounded } from './listen-bounded.ts'
