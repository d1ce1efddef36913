/**
 * nodes/: the nodes of the cluster, played: pods are placed, run, become ready, fail and end as if something ran.
 *
 * The cluster registers the nodes once (`registerNodes`) and starts the operators of `nodeOperators`: the scheduler, the
 * kubelets of all nodes and their heartbeat. `behaviour/` says what pods do, `pod-life/` is the life of a pod as one
 * pure function, `scheduler/` the choice of a node; `process/` runs real processes instead. The API asks `simulatedRuntime` for logs and commands.
 *
 * Promises: they are ordinary operators, with no more rights and no other knowledge than what the API gives; in a steady
 * state only the nodes' Leases are written; in virtual time everything follows from the seed.
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
export { registerNodes } from './node-agent.ts'
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
export { claimProvisioner, registerStorage, volumeRemover } from './storage/provisioner.ts'
export { simulatedRuntime } from './simulated-runtime.ts'
