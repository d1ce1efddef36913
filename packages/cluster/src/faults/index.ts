/**
 * faults/: faults that tests request from a cluster.
 *
 * `Faults` is the interface for tests. `FaultInjection` keeps the faults of one API server; api/
 * asks it before and after each request and in each watch. Only behaviour that a conforming cluster
 * may show is possible: events stay in order, and nothing that was stored is lost.
 */
export { FaultInjection } from './fault-injection.ts'
export { Faults, type ApiReplica } from './faults.ts'
export type { FaultCode } from './legal-answers.ts'
export type { OpenWatch, WatchEnd } from './open-watch.ts'
export type { RequestFault } from './request-fault.ts'
export type { FaultedRequest, FaultVerb, RequestMatch } from './request-match.ts'
