/**
 * workloads/pod-gc/: removes pods that nobody else will.
 *
 * `podCollector` deletes pods of nodes that have been gone for 40 s, pods that are being deleted and have no node or one
 * that is out of service, and, when more than 12,500 have ended, the oldest of those. workloads/ starts it.
 *
 * Promises: a pod that had not ended is failed before it is deleted, as its owner expects; `garbage-pods.ts` has the
 * rules as pure functions.
 */
export { podCollector } from './pod-collector.ts'
