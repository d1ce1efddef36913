import type { AnyOperator } from 'setpoint'
import type { Duration, Host } from 'setpoint/host'
import type { AuditOptions } from '../audit/index.ts'
import type { NodesOption, ProcessNodes } from '../nodes/index.ts'
import type { StoredChange, StoreSnapshot } from '../store/index.ts'
import type { ClusterIdentity } from './authorities.ts'

/** An additional user with a token. */
export interface ClusterUser {
  readonly name: string
  readonly uid?: string
  readonly groups?: readonly string[]
  /** Random by default; `kubeconfig()` has it. */
  readonly token?: string
}

/** The options of a cluster; all are optional. */
export interface ClusterOptions {
  /** The host: real by default, virtual in tests and simulations. */
  readonly host?: Host
  /** Default 127.0.0.1: the cluster is not reachable from other machines. */
  readonly hostname?: string
  /** Default: a free port. */
  readonly port?: number
  /** Default `rbac`. `off` gives all clients administrator rights, for tests. */
  readonly auth?: 'rbac' | 'off'
  /** HTTPS by default. `off` serves plain HTTP without client certificates. */
  readonly tls?: 'on' | 'off'
  readonly users?: readonly ClusterUser[]
  /**
   * Operators that run in the cluster with administrator rights, in addition to the built-in ones.
   */
  readonly operators?: readonly AnyOperator[]
  /**
   * The nodes: by default three simulated nodes, on which pods behave as `pods` defines. With `off`
   * there are no nodes: pods stay pending unless a test changes them. With `process` pods are real
   * processes of this machine.
   */
  readonly nodes?: 'off' | NodesOption | ProcessNodes
  /**
   * `off` runs the API server alone: no controllers, no service accounts and certificates in
   * namespaces, and aggregated roles without rules, as on a real server without controllers.
   */
  readonly workloads?: 'off'
  /**
   * What the built-in components do not make. It saves time in simulations and tests of programs
   * that do not read it: Events are a third of all writes of a rollout.
   */
  readonly leaveOut?: readonly LeftOut[]
  /** A /16 network. */
  readonly serviceRange?: string
  readonly issuer?: string
  /** How much history watches can use. */
  readonly history?: { readonly eventsMax?: number; readonly maxAge?: Duration }
  /** The state to start from; default a fresh cluster. */
  readonly snapshot?: ClusterSnapshot
  /**
   * A directory that keeps the state. It is created if it does not exist; otherwise the cluster
   * continues from it, with the same certificate authority and tokens, and `snapshot` is ignored. A
   * write is in the directory before it is answered, so a killed process loses nothing. Only one
   * cluster can use it at a time.
   */
  readonly data?: string
  /**
   * Called with each change of the stored state right after it happened, by any client. It must
   * not throw, and must not write itself: for programs that observe a test.
   */
  readonly onChange?: (change: StoredChange) => void
  /** Logs requests as `audit.k8s.io/v1` Events. By default there is no audit log. */
  readonly audit?: AuditOptions
}

/**
 * `events`: Events about objects. `endpoints`: Endpoints and EndpointSlices of Services.
 * `heartbeats`: the Leases of nodes, and with them the failure of nodes.
 */
export type LeftOut = 'events' | 'endpoints' | 'heartbeats'

/** The state of a cluster. It has Secrets and keys: save it where only its owner can read it. */
export interface ClusterSnapshot extends StoreSnapshot {
  /** Signs the tokens of service accounts. Without it, tokens in the state are not valid. */
  readonly tokenKey?: string
  /** The certificate authority and the administrator. Without it, they are new ones. */
  readonly identity?: ClusterIdentity
  /** The controllers that have nothing to do in this state until something is written. */
  readonly settled?: readonly string[]
}
