import { Cache, type TransformFault } from '../cache/index.ts'
import { Client, type Connection } from '../client/index.ts'
import type { ControllerActivity, RunReport } from '../controller/index.ts'
import { LeaderElection } from '../leader-election/index.ts'
import { isSetpointError, SetpointError } from '../errors/index.ts'
import { type Host, type HttpServer, durationMs } from '../host/index.ts'
import { type Logger, plainError } from '../log/index.ts'
import {
  cacheReadiness,
  type MetricsRegistry,
  OperatorMetrics,
  type ReadinessCheck,
  serveMetricsAndProbes,
  SharedRegistries,
} from '../metrics/index.ts'
import type { AnyOperator } from '../operator/index.ts'
import { installPolicies } from '../policies/index.ts'
import { serveHttpSources } from '../sources/index.ts'
import {
  hasApis,
  hasServedFunctions,
  hasWebhooks,
  Webhooks,
  webhooksNotServed,
} from '../webhooks/index.ts'
import { Definitions } from './definitions.ts'
import { checkAddable, checkNames } from './check-operators.ts'
import { gracePeriodDefault } from './grace-period-default.ts'
import { logRun } from './log-run.ts'
import { NamedNamespaces } from './named-namespaces.ts'
import { OperatorTerm } from './operator-term.ts'
import { restrictedTo } from './restricted-to.ts'
import type { RunningOperators, StartOptions } from './start-options.ts'
import { WatchLog } from './watch-log.ts'

/** The options with all defaults. */
interface ProcessOptions extends StartOptions {
  readonly host: Host
  readonly connection: Connection
  readonly logger: Logger
}

/** All components of a process with operators, from `begin` to `stop`. */
export class OperatorProcess implements RunningOperators {
  readonly client: Client
  readonly #operators: AnyOperator[]
  readonly #options: ProcessOptions
  readonly #log: Logger
  readonly #metrics: OperatorMetrics
  readonly #cache: Cache
  readonly #webhooks: Webhooks | undefined
  readonly #definitions: Definitions
  readonly #namespaces: NamedNamespaces
  readonly #election: LeaderElection | undefined
  readonly #controller = new AbortController()
  #probes: HttpServer | undefined
  #httpSources: HttpServer | undefined
  #term: OperatorTerm | undefined
  #working: Promise<void> = Promise.resolve()
  #hasFailed = false
  #stopping: Promise<void> | undefined

  constructor(operators: readonly AnyOperator[], options: ProcessOptions) {
    const { host, connection, logger: log } = options
    this.#operators = [...operators]
    this.#options = options
    this.#log = log
    this.#metrics = new OperatorMetrics(host)
    this.client = new Client(host, connection, {
      onRequest: this.#metrics.requestEnded,
      onWarning: (warning) => log.warn({ warning }, 'warning from the API server'),
      rateLimit: options.rateLimit,
    })
    const { client } = this
    const { signal } = this.#controller
    const { install = false } = options
    this.#webhooks = this.#newWebhooks()
    this.#definitions = new Definitions(operators, {
      host,
      client,
      log,
      install,
      signal,
      conversionOf: (definition) => this.#webhooks?.conversionOf(definition),
    })
    this.#namespaces = new NamedNamespaces(operators, { host, client, log, signal })
    const watches = new WatchLog({
      host,
      log,
      health: () => this.#cache.health(),
      isKnownMissing: (kind) => this.#definitions.isKnownMissing(kind),
      onServed: (kind) => void this.#definitions.compareServed(kind),
    })
    const { freeze = host.env('NODE_ENV') === 'test' } = options
    const onTransformFault: TransformFault = ({ kind }, object, err) =>
      log.error({ err, object }, `the transform of ${kind} threw: caching the object unchanged`)
    const { transport } = client
    const parts = { host, transport, onState: watches.onState, onTransformFault }
    this.#cache = new Cache(parts, { freeze })
    this.#metrics.addCaches(() => this.#cache.health())
    this.#election = this.#newElection()
  }

  get metrics(): MetricsRegistry {
    return this.#metrics.registry
  }

  get probesUrl(): string | undefined {
    return this.#probes?.url
  }

  get httpSourcesUrl(): string | undefined {
    return this.#httpSources?.url
  }

  get webhooksUrl(): string | undefined {
    return this.#webhooks?.url
  }

  get isLeader(): boolean {
    return this.#election?.isLeader ?? true
  }

  get ended(): Promise<void> {
    return this.#working
  }

  /**
   * Starts the probes first, so that the liveness probe passes during a slow start, then the
   * webhooks, because reading objects may need their conversion, and the caches last.
   */
  async begin(): Promise<void> {
    this.#logStart()
    try {
      this.#probes = await this.#serveProbes()
      const { probesUrl: url } = this
      if (url !== undefined) this.#log.info({ url }, 'serving probes and metrics')
      await this.#webhooks?.listen()
      await this.#definitions.prepare()
      await this.#installPolicies()
      await this.#webhooks?.register()
      // Created before the election, so that its caches are warm when it is elected.
      this.#term = this.#newTerm()
      this.#httpSources = await this.#serveHttpSources()
    } catch (error) {
      this.#controller.abort()
      this.#term?.dispose()
      await this.#cache.stop()
      await this.#webhooks?.close(0)
      await this.#probes?.close({ graceMs: 0 })
      throw error
    }
    void this.#namespaces.check()
    this.#working = this.#work(this.#term)
    this.#working.catch(() => (this.#hasFailed = true))
  }

  add(operators: readonly AnyOperator[]): void {
    if (this.#controller.signal.aborted) return
    const added = restrictedTo(operators, this.#options.namespaces)
    checkNames([...this.#operators, ...added])
    checkAddable(added)
    this.#operators.push(...added)
    this.#term?.add(added)
  }

  activity(): ControllerActivity[] {
    return this.#term?.activity() ?? []
  }

  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop())
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #stop(): Promise<void> {
    this.#log.info('stopping')
    await this.#httpSources?.close({ graceMs: 0 })
    this.#controller.abort()
    try {
      await this.#working
    } finally {
      this.#term?.dispose()
      await this.#cache.stop()
      await this.#webhooks?.close(this.#graceMs)
      await this.#probes?.close({ graceMs: 0 })
    }
    this.#log.info('stopped')
  }

  async #work(first: OperatorTerm): Promise<void> {
    const { signal } = this.#controller
    if (this.#election === undefined) return first.run(signal)
    let term = first
    return this.#election.run(async (elected) => {
      // A standby may have missed changes, if its watches were lost silently.
      await this.#cache.reopen(elected)
      if (!elected.aborted) await term.run(elected, this.#election?.acquiredRevision)
      if (signal.aborted) return
      const next = this.#newTerm()
      term.dispose()
      term = next
      this.#term = next
    }, signal)
  }

  get #graceMs(): number {
    return durationMs(this.#options.gracePeriod ?? gracePeriodDefault, 'gracePeriod')
  }

  #newWebhooks(): Webhooks | undefined {
    const operators = this.#operators
    const { host, install = false, namespaces, webhooks: options } = this.#options
    if (!hasWebhooks(operators)) return undefined
    if (options === false) {
      if (hasApis(operators)) throw webhooksNotServed(operators)
      this.#log.warn(
        'this process does not serve the webhooks of its operators (webhooks: false, or setpoint run without --webhook-url)',
      )
      return undefined
    }
    if (options === undefined) {
      if (hasServedFunctions(operators)) throw webhooksNotServed(operators)
      return undefined
    }
    return new Webhooks(operators, {
      host,
      client: this.client,
      log: this.#log,
      registry: this.#metrics.registry,
      options,
      install,
      namespaces,
      signal: this.#controller.signal,
    })
  }

  /** In a pod the generated manifests have them. */
  async #installPolicies(): Promise<void> {
    const { install = false, namespaces } = this.#options
    if (!install) return
    await installPolicies(this.#operators, { client: this.client, log: this.#log, namespaces })
  }

  #newTerm(): OperatorTerm {
    const { host, connection } = this.#options
    return new OperatorTerm(this.#operators, {
      host,
      graceMs: this.#graceMs,
      log: this.#log,
      client: this.client,
      connection,
      mayWork: () => this.isLeader,
      cache: this.#cache,
      metrics: this.#metrics,
      onRunEnd: (report) => this.#runEnded(report),
    })
  }

  #runEnded(report: RunReport): void {
    this.#metrics.runEnded(report)
    logRun(this.#log, report)
    try {
      this.#options.onRunEnd?.(report)
    } catch (error) {
      this.#log.error({ err: error }, 'the callback onRunEnd threw')
    }
  }

  #newElection(): LeaderElection | undefined {
    const { election, host, connection } = this.#options
    if (election === undefined) return undefined
    const log = this.#log.child({ lease: election.name })
    let wasLeader = false
    this.#metrics.setLeader(election.name, false)
    return new LeaderElection({
      ...election,
      host,
      // A separate client: a renewal must not wait for the rate limit of the work.
      client: new Client(host, connection, { onRequest: this.#metrics.requestEnded }),
      onChange: ({ isLeader, holder }) => {
        this.#metrics.setLeader(election.name, isLeader)
        if (isLeader !== wasLeader) {
          const isLost = !isLeader && !this.#controller.signal.aborted
          const lost = isLost ? 'lost leadership' : 'released leadership'
          log[isLost ? 'warn' : 'info'](isLeader ? 'became leader' : lost)
        } else if (!isLeader && holder !== '') log.info({ holder }, 'another replica is the leader')
        wasLeader = isLeader
      },
      onFailure: (error) =>
        log.warn({ err: plainError(error, { stack: false }) }, 'leader election attempt failed'),
    })
  }

  async #serveProbes(): Promise<HttpServer | undefined> {
    const { probes, host, metrics } = this.#options
    if (probes === undefined) return undefined
    const { registry } = this.#metrics
    const registries = metrics?.registries ?? []
    return serveMetricsAndProbes({
      ...probes,
      host,
      log: this.#log,
      isAlive: () => !this.#hasFailed,
      readiness: () => this.#readiness(),
      metrics: new SharedRegistries({ host, log: this.#log, registry, registries }),
    })
  }

  async #serveHttpSources(): Promise<HttpServer | undefined> {
    const { httpSources, host } = this.#options
    const sources = this.#operators.flatMap(({ declaration }) =>
      declaration.httpSources.map((source) => ({ ...source, operator: declaration.options.name })),
    )
    const [first] = sources
    if (first === undefined) return undefined
    if (httpSources === undefined) {
      throw new SetpointError(
        'OPERATOR_INVALID',
        `${first.operator} has HTTP sources, but the option httpSources is not set`,
        { hint: "start it with httpSources: { hostname: '0.0.0.0', port: 8082 }" },
      )
    }
    return serveHttpSources({
      ...httpSources,
      host,
      log: this.#log,
      sources,
      trigger: (operator, key, why) => this.#term?.trigger(operator, key, why) ?? false,
    })
  }

  #readiness(): ReadinessCheck[] {
    if (this.#term === undefined) return [{ name: 'start', problem: 'checking the CRDs' }]
    const health = this.#cache.health()
    return [
      ...cacheReadiness(health),
      ...this.#definitions.readiness(health),
      ...this.#namespaces.readiness(),
      ...(this.#webhooks?.readiness() ?? []),
      ...this.#electionReadiness(),
      ...this.#term.readiness(),
    ]
  }

  /**
   * A standby is ready. A replica that cannot become leader, because it cannot use the Lease, is
   * not.
   */
  #electionReadiness(): ReadinessCheck[] {
    if (this.#election === undefined) return []
    const { isLeader, lastError, holder, lease } = this.#election
    const code = isSetpointError(lastError) ? lastError.code : 'unknown'
    const isDisconnected = !isLeader && lastError !== undefined
    const problem = isDisconnected ? `cannot use the Lease ${lease} (${code})` : undefined
    const heldBy = holder === '' ? 'no replica' : holder
    const note = isLeader ? undefined : `standing by for the Lease ${lease}, held by ${heldBy}`
    return [{ name: 'election', problem, note }]
  }

  #logStart(): void {
    const { connection } = this.#options
    const { name, namespace, isInsecure } = connection
    const operators = this.#operators.map(({ declaration }) => declaration.options.name)
    // An address may contain a password.
    const server = connection.server.replace(/\/\/[^/@]*@/, '//')
    this.#log.info({ operators, server, context: name, namespace }, 'starting')
    if (isInsecure === true) this.#log.warn({ server }, "the server's certificate is not verified")
  }
}
