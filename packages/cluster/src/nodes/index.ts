/**
 * nodes/: the simulated nodes of the cluster. Pods are scheduled, run, become ready, fail and
 * finish without real containers.
 *
 * The cluster registers the nodes once (`registerNodes`) and starts the operators of
 * `nodeOperators`: the scheduler, the kubelets of all nodes and their heartbeat. `behaviour/`
 * defines what pods do, `pod-lifecycle/` computes the status of a pod as one pure function, `scheduler/`
 * chooses a node. `process/` runs real processes instead. The API server reads logs and runs
 * commands through `simulatedRuntime`.
 *
 * They are ordinary operators, with no other rights and no other information than the API gives. In
 * the steady state only the Leases of the nodes are written. In virtual time everything is
 * determined by the seed.
 */
export {
  PodBehaviours,
  type ContainerBehaviour,
  type ContainerExit,
  type ContainerRunOf,
  type ExecResult,
  type LogLine,
  type PodBehaviour,
  type PodMatch,
  type TimeWindow,
} from './behaviour/index.ts'
export { admitNodes, registerNodes } from './node-agent.ts'
export { nodeController } from './node-controller.ts'
export { nodeOperators } from './node-operators.ts'
export { simulatedNodes, type NodeOptions, type NodesOption } from './node-options.ts'
export {
  isProcessNodes,
  openProcesses,
  type OpenProcesses,
  type ProcessApi,
  type ProcessImage,
  type ProcessImages,
  type ProcessNodes,
  virtualSockets,
} from './process/index.ts'
export {
  claimProvisioner,
  defaultStorageClass,
  registerStorage,
  volumeRemover,
} from './storage/provisioner.ts'
export { simulatedPodServer } from './simulated-pod-server.ts'
export { simulatedRuntime } from './simulated-runtime.ts'
