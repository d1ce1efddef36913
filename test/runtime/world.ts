/**
 * The worlds in which operators are tested: in virtual time, on real sockets, and on a real control
 * plane. `inEveryWorld` runs a test in each of them.
 */
import type {
  AnyOperator,
  AnyResourceDefinition,
  PolicyRule,
  RunningOperators,
  RunReport,
  WebhooksOptions,
} from 'setpoint'
import type { Client } from 'setpoint/client'
import type { Host } from 'setpoint/host'
import type { FaultProxy } from './fault-proxy.ts'
import type { PlatformName } from './platforms.ts'

/** How a process of operators is started in a world. */
export interface ProcessOptions {
  /** Its RBAC rules; default: all permissions. */
  readonly rules?: readonly PolicyRule[]
  readonly election?: { readonly name: string; readonly identity: string }
  /** A host with shorter waiting times; ignored in virtual time. */
  readonly hostVariant?: 'fastClock' | 'shortWatchTimeout'
  readonly gracePeriod?: number
  /** Apply the definitions of its operators, and the configurations of their webhooks. */
  readonly install?: boolean
  readonly webhooks?: WebhooksOptions
}

/** Running operators behind their own proxy. */
export interface OperatorProcess {
  readonly running: RunningOperators
  readonly faults: FaultProxy
  readonly reports: readonly RunReport[]
  /** The writes since the last call, as `configmaps` or `widgets/status`, without Leases. */
  writes(): string[]
  /** The requests since the last call, without Leases. */
  requests(): string[]
  /** The number of relists since the last call. */
  lists(): number
  /** Replaces its token by another valid one; returns the old one. */
  renewToken(): Promise<string>
  stop(): Promise<void>
}

/** A cluster for tests of operators; every test has its own namespace and API group. */
export interface World extends AsyncDisposable {
  readonly name: PlatformName
  /** The host, for reconciles that wait. */
  readonly host: Host
  /** A client with administrator rights that bypasses the faults. */
  readonly client: Client
  readonly namespace: string
  /** An API group that no other test uses. */
  readonly group: string
  /** Creates definitions and waits until their resources are served. */
  install(...definitions: readonly AnyResourceDefinition[]): Promise<void>
  start(operators: readonly AnyOperator[], options?: ProcessOptions): Promise<OperatorProcess>
  /** Retries an assertion until it holds; rejects with its last failure after a timeout. */
  eventually(assertion: () => unknown): Promise<void>
  /** Waits until the operators have settled. */
  settle(): Promise<void>
  /** Restarts the API server, or only its sockets. */
  restartServer(process: OperatorProcess): Promise<void>
}
