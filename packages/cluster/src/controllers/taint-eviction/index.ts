/**
 * controllers/taint-eviction/: evicts pods from nodes whose taints they do not tolerate.
 *
 * `taintEvictionController` handles every pod on a node with a NoExecute taint: it evicts the pod
 * immediately, after its tolerationSeconds, or never. controllers/ starts it. The node controller
 * taints failed nodes; users taint nodes that they want to drain.
 *
 * A pod is evicted once. An eviction that is no longer due is cancelled. Both are recorded as
 * Events.
 */
export { evictingTaints } from './eviction-delay.ts'
export { taintEvictionController } from './taint-eviction-controller.ts'
