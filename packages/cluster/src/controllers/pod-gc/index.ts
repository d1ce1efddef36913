/**
 * controllers/pod-gc/: deletes pods that no kubelet or controller will delete.
 *
 * `podCollector` deletes pods of nodes that have been gone for 40 s, terminating pods without a
 * node or with a node that is out of service, and, above 12,500 finished pods, the oldest of them.
 * controllers/ starts it.
 *
 * An unfinished pod is set to the phase Failed before it is deleted, as its owner expects.
 * `garbage-pods.ts` has the rules as pure functions.
 */
export { isOutOfService } from './garbage-pods.ts'
export { podCollector } from './pod-collector.ts'
