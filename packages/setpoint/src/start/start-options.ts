import type { Client, Connection, RateLimit } from '../client/index.ts'
import type { ControllerActivity, RunReport } from '../controller/index.ts'
import type { ElectionSettings } from '../leader-election/election-settings.ts'
import type { Duration, Host } from '../host/index.ts'
import type { Logger, LogLevel } from '../log/index.ts'
import type { AnyOperator } from '../operator/index.ts'
import type { MetricsRegistry, SharedRegistry } from '../metrics/index.ts'
import type { WebhooksOptions } from '../webhooks/index.ts'

/** Where and how operators run; every option has a default. */
export interface StartOptions {
  readonly host?: Host | undefined
  /** The cluster; found as kubectl does by default. */
  readonly connection?: Connection | undefined
  /**
   * Restricts every operator to these namespaces; they override its own option. Cluster-scoped
   * kinds are not restricted.
   */
  readonly namespaces?: readonly string[] | undefined
  /** Called after every reconcile. It must not throw. */
  readonly onRunEnd?: ((report: RunReport) => void) | undefined
  /**
   * How long reconciles in progress may take to finish when the process is stopped; `20s` by
   * default.
   */
  readonly gracePeriod?: Duration | undefined
  /**
   * Serves `/healthz`, `/readyz` and `/metrics`; in a pod `{ hostname: '0.0.0.0', port: 8081 }`.
   */
  readonly probes?: { readonly hostname?: string; readonly port?: number } | undefined
  /**
   * Registries of other libraries whose metrics `/metrics` serves too: `{ registries: [register] }`
   * with the `register` of `prom-client`. The author's functions count with `ctx.metrics`, which
   * needs no other library.
   */
  readonly metrics?: { readonly registries: readonly SharedRegistry[] } | undefined
  /**
   * The address of the server for HTTP sources; required if an operator declares one with
   * `.httpSource`.
   */
  readonly httpSources?: { readonly hostname?: string; readonly port?: number } | undefined
  /**
   * The server for the functions of `.validate` and `.mutate`, and for the conversion of definitions
   * with several versions; required if an operator has such functions. An API server on the same
   * machine needs no options. `false` does not serve them: other replicas do, or API servers do not call
   * them.
   */
  readonly webhooks?: WebhooksOptions | false | undefined
  /**
   * For several replicas: only the holder of the Lease of this name works, the others are standbys.
   */
  readonly election?: ElectionSettings | undefined
  /**
   * A limit of requests; requests of the election are not limited. No limit by default, because
   * servers protect themselves.
   */
  readonly rateLimit?: RateLimit | undefined
  /** Apply the CRDs of the operators and wait until they are served. The role must allow it. */
  readonly install?: boolean | undefined
  /**
   * Freezes cached objects, so that changing one by mistake throws instead of affecting all
   * readers. It costs time; on by default when `NODE_ENV` is `test`.
   */
  readonly freeze?: boolean | undefined
  /** Receives the log records instead of the host: any pino, or a compatible logger. */
  readonly logger?: Logger | undefined
  /**
   * The lowest level that is logged to the host; `LOG_LEVEL` in the environment by default, or
   * `info`.
   */
  readonly logLevel?: LogLevel | undefined
}

/** Running operators. */
export interface RunningOperators extends AsyncDisposable {
  readonly client: Client
  /** The metrics of the process; add your own. */
  readonly metrics: MetricsRegistry
  /** The URL of probes and metrics, if they are served. */
  readonly probesUrl: string | undefined
  /** The URL of the server for HTTP sources, if there is one. */
  readonly httpSourcesUrl: string | undefined
  /** The URL of the webhooks on this machine, if there are any. */
  readonly webhooksUrl: string | undefined
  /** Whether this process is the leader; always true without an election. */
  readonly isLeader: boolean
  /** Resolves when the operators have ended; rejects when they failed. */
  readonly ended: Promise<void>
  /**
   * Starts more operators in this process; they share its caches. For kinds that are known only at
   * run time. Their CRDs must be installed, and they must not have webhooks, policies or HTTP
   * sources.
   */
  add(operators: readonly AnyOperator[]): void
  /**
   * The work of each operator: for tests that wait until nothing changes any more, and for
   * debugging.
   */
  activity(): ControllerActivity[]
  /** Starts no more reconciles, lets those in progress finish, then ends. */
  stop(): Promise<void>
}
