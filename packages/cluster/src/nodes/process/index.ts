/**
 * process/: nodes that run real processes of this machine, on request: an operator then manages the real server.
 *
 * The cluster opens them (`openProcesses`) in place of the played nodes and starts their operators. A pod's containers are
 * child processes, its volumes directories, its address one of loopback's. The life of a pod is that of `pod-life/`: what
 * is said there of behaviours is here what became of processes (`process-pods.ts`). `container-run.ts` is one process.
 *
 * Promises: nothing of it outlives the cluster, also when its process is killed; processes get no variable of it but PATH;
 * nothing listens but on loopback addresses that no other cluster has.
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
