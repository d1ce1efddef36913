/**
 * scheduler/: assigns pods to nodes.
 *
 * `scheduler()` is an operator that the cluster starts if it has nodes. `choose-node.ts` makes the
 * decision as a pure function: filters in the order of the real scheduler (`node-filters.ts`,
 * `volumes.ts`, `topology-spread.ts`, `pod-affinity.ts`), then `score.ts`. `scheduling-state.ts` is
 * the state between decisions.
 *
 * Conditions and Events have the messages of kube-scheduler 1.36. The same state results in the
 * same node. The cost of a decision grows with the number of nodes, not of pods, unless the pod's
 * rules are about other pods. It never preempts.
 */
export { scheduler } from './scheduler.ts'
