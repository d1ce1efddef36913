/**
 * The worlds that operators are tested in: in virtual time, on real sockets, and against a real control plane. A test is
 * written once and run in each by `inEveryWorld`.
 */
import type {
  AnyOperator,
  AnyResourceDefinition,
  PolicyRule,
  RunningOperators,
  RunReport,
} from 'setpoint'
import type { Client } from 'setpoint/client'
import type { Host } from 'setpoint/host'
import type { FaultProxy } from './fault-proxy.ts'
import type { GroundName } from './grounds.ts'

/** How a process of operators is started in a world. */
export interface ProcessOptions {
  /** Its rights; everything unless given. */
  readonly rules?: readonly PolicyRule[]
  readonly election?: { readonly name: string; readonly identity: string }
  /** Whether its clock runs at the world's pace. Virtual time needs no hurry and ignores it. */
  readonly pace?: 'hurried' | 'impatient'
  readonly gracePeriod?: number
}

/** Operators at work, behind a proxy of their own. */
export interface OperatorProcess {
  readonly running: RunningOperators
  readonly faults: FaultProxy
  readonly reports: readonly RunReport[]
  /** What it wrote since the last time this was asked, as `configmaps` or `widgets/status`; Leases are not told. */
  writes(): string[]
  /** What it requested since the last time this was asked; Leases are not told. */
  requests(): string[]
  /** How many times it read a whole collection since the last time this was asked. */
  lists(): number
  /** Another valid token is put where it finds its own; returns the old one. */
  renewToken(): Promise<string>
  stop(): Promise<void>
}

/** A cluster to test operators on, of which every test has its own part. */
export interface World extends AsyncDisposable {
  readonly name: GroundName
  /** Where time passes, for reconciles that wait. */
  readonly host: Host
  /** An administrator, who goes past every fault. */
  readonly client: Client
  readonly namespace: string
  /** An API group that no other test uses. */
  readonly group: string
  /** Creates definitions and waits until their resources are served. */
  install(...definitions: readonly AnyResourceDefinition[]): Promise<void>
  start(operators: readonly AnyOperator[], options?: ProcessOptions): Promise<OperatorProcess>
  /** Resolves when an assertion holds; rejects with its last failure when it does not in time. */
  eventually(assertion: () => unknown): Promise<void>
  /** Lets so much happen that what has not been written will not be. */
  quiet(): Promise<void>
  /** Restarts the API server; where it cannot be, its sockets. */
  restartServer(process: OperatorProcess): Promise<void>
}
