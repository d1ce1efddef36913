/**
 * @setpoint/cluster: a Kubernetes API in your process, for development, tests and simulation.
 *
 * `createCluster()` starts in a fraction of a second, speaks HTTPS on a free loopback port, behaves like a
 * real kube-apiserver down to the words of its refusals, and lives: controllers, a scheduler, pods that are played. Give it a virtual host and it lives in
 * virtual time, without sockets. Nothing here is for production: it is the double that operators are
 * developed and tested against.
 */
export {
  createCluster,
  type Cluster,
  type ClusterOptions,
  type ClusterUser,
  type TraceEntry,
} from './cluster/index.ts'
export type {
  ContainerBehaviour,
  ContainerExit,
  ContainerRunOf,
  ExecResult,
  LogLine,
  NodeOptions,
  NodesOption,
  PodBehaviour,
  PodBehaviours,
  PodMatch,
  ProcessImage,
  ProcessImages,
  ProcessNodes,
  TimeWindow,
} from './nodes/index.ts'
export type { StoreSnapshot, StoredObject } from './store/index.ts'
