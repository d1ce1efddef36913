import type { Clock, HttpBody, Random, Timers } from 'setpoint/host'
import type { AuditedRequest } from '../audit/index.ts'
import type { Admission } from '../admission/index.ts'
import type { Authorizer, ServiceAccountTokens, UserInfo } from '../auth/index.ts'
import type { FaultInjection, RequestFault } from '../faults/index.ts'
import type { Store, StoredObject } from '../store/index.ts'
import type { BodiesInFlight, SharedTurns, Turns } from '../limits/index.ts'
import type { Aggregation } from './aggregation/aggregation.ts'
import type { FlowSchemas } from './flow/flow-schemas.ts'
import type { OutputMedia } from './http/negotiate.ts'
import type { RequestInfo } from './http/request-info.ts'
import type { WarningList } from './http/warnings.ts'
import type { MetricSeries } from './metrics/metric-series.ts'
import type { ServerMetrics } from './metrics/server-metrics.ts'
import type { Registry } from './resources/registry.ts'
import type { ServedResource } from './resources/served-resource.ts'
import type { PodRuntime } from './subresources/pod-runtime.ts'
import type { ServiceAddresses } from './services/service-addresses.ts'

/** The parts of a server that all its requests share. */
export interface ApiServer {
  readonly host: Clock & Timers & Random
  readonly store: Store
  readonly registry: Registry
  readonly admission: Admission
  /** The APIs of other servers. */
  readonly aggregation: Aggregation
  readonly authorizer: Authorizer
  /** The tokens of service accounts, and their issuer. */
  readonly accountTokens: ServiceAccountTokens
  readonly issuer: string
  /** The user of any token; `undefined` when it is not valid. */
  readonly userOfToken: (token: string) => UserInfo | undefined
  readonly services: ServiceAddresses
  /** Chooses the headers of answers that name a priority level. */
  readonly flows: FlowSchemas
  /** What `/metrics` shows, and the counters in it. */
  readonly series: MetricSeries
  readonly metrics: ServerMetrics
  /** The nodes, if there are any. */
  readonly pods: PodRuntime | undefined
  /**
   * Pods have loopback addresses. Endpoints may then have them too, which a real server refuses.
   */
  readonly hasLoopbackPods?: boolean
  /** The faults that tests request. */
  readonly faults: FaultInjection
  /** Called after a write is stored, before its answer is sent. */
  readonly committed: (commit: Commit) => void
}

/** A stored write. */
export interface Commit {
  readonly resource: ServedResource
  readonly stored: StoredObject
  readonly isDeleted: boolean
}

/** One request, authenticated and authorized. */
export interface ApiRequest {
  readonly server: ApiServer
  readonly info: RequestInfo
  readonly headers: Readonly<Record<string, string>>
  readonly body: HttpBody
  readonly signal: AbortSignal
  readonly user: UserInfo
  /** The request comes from this process, not over a socket. */
  readonly isLocal: boolean
  /** The fault of this request. */
  readonly fault: RequestFault | undefined
  readonly warnings: WarningList
  readonly media: OutputMedia
  /** Set if the request is logged. */
  readonly audit: AuditedRequest | undefined
  /** Lets other requests run between the steps of this one. */
  readonly turns: Turns
  /** Counts the bodies of all requests while they arrive. */
  readonly bodies: BodiesInFlight
  /** Lets other requests run between the events that all watches send. */
  readonly events: SharedTurns
}
