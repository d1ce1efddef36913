/**
 * process/: nodes that run real processes of this machine, on request.
 *
 * The cluster opens them (`openProcesses`) instead of the simulated nodes and starts their
 * operators. The containers of a pod are child processes, its volumes are directories, its address
 * is a loopback address. The life cycle of a pod is that of `pod-lifecycle/`: the state of the processes
 * replaces behaviours (`process-pods.ts`). `container-run.ts` is one process.
 *
 * No process or directory outlives the cluster, even when the cluster's process is killed.
 * Processes inherit no environment variable but PATH. They listen only on loopback addresses that
 * no other cluster uses.
 */
export { openProcesses, type OpenProcesses } from './open-processes.ts'
export type { ProcessApi } from './process-kubelet.ts'
export { virtualSockets } from './virtual-sockets.ts'
export {
  isProcessNodes,
  type ProcessImage,
  type ProcessImages,
  type ProcessNodes,
} from './process-options.ts'
