/**
 * pod-lifecycle/: the life cycle of a pod on a node, as one pure function.
 *
 * The kubelet calls `nextPodState` for every pod when something changed or is due. It reads the
 * stored pod, the behaviour of its containers and the time, and returns the whole status, the
 * Events to record, and when to call it again. `pod-stages.ts` has the order of the stages of a
 * pod, `container-lifecycle.ts` the life cycle of one container.
 *
 * All state is in the status, so a kubelet can be restarted at any time. Two calls at the same time
 * return the same result. Reasons, messages and backoff times are those of kubelet 1.36.
 */
export { hexDigest, startOf } from './container-id.ts'
export { failedProbeNote } from './container-lifecycle.ts'
export { fieldPathOf, type PodEvent } from './status-computation.ts'
export { nextPodState, type PodState } from './next-pod-state.ts'
