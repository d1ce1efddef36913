import type { Client, Connection, RateLimit } from '../client/index.ts'
import type { ControllerActivity, RunReport } from '../controller/index.ts'
import type { ElectionSettings } from '../election/election-settings.ts'
import type { Duration, Host } from '../host/index.ts'
import type { Logger, LogLevel } from '../log/index.ts'
import type { MetricsRegistry } from '../metrics/index.ts'

/** Where and how operators run; everything has a default. */
export interface StartOptions {
  readonly host?: Host | undefined
  /** The cluster; found as kubectl would unless given. */
  readonly connection?: Connection | undefined
  /**
   * Restricts every operator to these namespaces, whatever its own option says. Kinds without a
   * namespace are not restricted.
   */
  readonly namespaces?: readonly string[] | undefined
  /** Told of every run that ended. It must not throw. */
  readonly onRunEnd?: ((report: RunReport) => void) | undefined
  /**
   * How long running reconciles may take to finish when the process is stopped; `20s` unless given.
   */
  readonly gracePeriod?: Duration | undefined
  /**
   * Serves `/healthz`, `/readyz` and `/metrics`; in a pod `{ hostname: '0.0.0.0', port: 8081 }`.
   */
  readonly probes?: { readonly hostname?: string; readonly port?: number } | undefined
  /**
   * The address of the server for HTTP sources; required if an operator declares one with
   * `.httpSource`.
   */
  readonly httpSources?: { readonly hostname?: string; readonly port?: number } | undefined
  /**
   * For several replicas: only the one that holds the Lease of this name works, the others stand
   * by.
   */
  readonly election?: ElectionSettings | undefined
  /**
   * A bound on requests, those of the election excepted; none unless given, as servers protect
   * themselves.
   */
  readonly rateLimit?: RateLimit | undefined
  /**
   * Apply the CRDs of the operators and wait until they are served. The role needs the right to.
   */
  readonly install?: boolean | undefined
  /**
   * Objects of the cache cannot be changed by mistake: that throws, instead of being seen by
   * everybody. It costs time; on by default where `NODE_ENV` is `test`.
   */
  readonly freeze?: boolean | undefined
  /** Takes the records, instead of the host: any pino, or whatever looks like one. */
  readonly logger?: Logger | undefined
  /**
   * From which level on the host's log has records; `LOG_LEVEL` in the environment unless given,
   * else `info`.
   */
  readonly logLevel?: LogLevel | undefined
}

/** Operators at work. */
export interface RunningOperators extends AsyncDisposable {
  readonly client: Client
  /** What the process counts; add your own. */
  readonly metrics: MetricsRegistry
  /** Where probes and metrics are served, if they are. */
  readonly probesUrl: string | undefined
  /** The URL of the server for HTTP sources, if there is one. */
  readonly httpSourcesUrl: string | undefined
  /** Whether this process is the one that works; always, without an election. */
  readonly isLeader: boolean
  /** Resolves when the work has come to its end; rejects when it cannot go on. */
  readonly ended: Promise<void>
  /**
   * What each operator has under way: for tests that wait until nothing moves, and for people who
   * ask why something does.
   */
  activity(): ControllerActivity[]
  /** Takes on nothing new, lets what is under way finish, then ends. */
  stop(): Promise<void>
}
