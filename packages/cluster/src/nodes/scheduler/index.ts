/**
 * scheduler/: gives pods their nodes.
 *
 * `scheduler()` is an operator that the cluster starts when it has nodes. `choose-node.ts` is the decision as a pure
 * function: filters in the order of the real scheduler (`node-filters.ts`, `volumes.ts`, `topology-spread.ts`,
 * `pod-affinity.ts`), then `score.ts`. `scheduling-board.ts` is what is known between decisions.
 *
 * Promises: conditions and Events have the words of kube-scheduler 1.36; the same state gives the same node; a decision
 * costs as much as there are nodes, not pods, unless the pod's own rules are about other pods. It never preempts.
 */
export { scheduler } from './scheduler.ts'
