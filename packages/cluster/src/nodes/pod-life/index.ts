/**
 * pod-life/: the life of a pod on a node, as one pure function.
 *
 * `nextPodState` is called by the kubelet for every pod whenever something happened or was due. It reads the stored pod,
 * what the pod's containers are said to do, and the time, and gives the whole status, what to tell people, and when to
 * look again. `pod-stages.ts` has the order of things in a pod, `container-life.ts` the life of one container.
 *
 * Promises: everything it has to remember is in the status, so a kubelet may be restarted at any moment; asking twice at
 * the same time gives the same answer; reasons, messages and back-off times are those of a kubelet 1.36.
 */
export { hexDigest, startOf } from './container-id.ts'
export { failedProbeNote } from './container-life.ts'
export { fieldPathOf, type PodEvent } from './life-step.ts'
export { nextPodState, type PodState } from './next-pod-state.ts'
