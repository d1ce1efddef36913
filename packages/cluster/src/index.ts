/**
 * @setpoint/cluster: a Kubernetes API in your process, for development, tests and simulation.
 *
 * `createCluster()` starts in a fraction of a second and serves HTTPS on a free loopback port. It
 * behaves like a real kube-apiserver, including its error messages, and it has controllers, a
 * scheduler and simulated pods. With a virtual host it runs in virtual time, without sockets. It is
 * not for production: operators are developed and tested with it.
 */
export type { AuditOptions, AuditPolicy, AuditRule } from './audit/index.ts'
export {
  createCluster,
  testWorld,
  type Cluster,
  type ClusterOptions,
  type ClusterSnapshot,
  type ClusterUser,
  type LeftOut,
  type TestWorld,
  type TestWorldOptions,
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
export type { ApiReplica, FaultCode, Faults, FaultVerb, RequestMatch } from './faults/index.ts'
export type { StoredChange, StoreSnapshot, StoredObject } from './store/index.ts'
