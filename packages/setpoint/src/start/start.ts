import { Cache } from '../cache/index.ts'
import { Client, type Connection, loadConnection } from '../client/index.ts'
import type { RunReport } from '../controller/index.ts'
import { Election } from '../election/index.ts'
import { headline } from '../errors/index.ts'
import { type Host, type HttpServer, nodeHost } from '../host/index.ts'
import {
  cacheReadiness,
  type MetricsRegistry,
  OperatorMetrics,
  serveProbes,
} from '../metrics/index.ts'
import type { AnyOperator } from '../operator/index.ts'
import { OperatorTerm } from './operator-term.ts'

/** Where and how operators run; everything has a default. */
export interface StartOptions {
  readonly host?: Host | undefined
  /** The cluster; found as kubectl would unless given. */
  readonly connection?: Connection | undefined
  /** Told of every run that ended. It must not throw. */
  readonly onRunEnd?: ((report: RunReport) => void) | undefined
  /** How long runs under way may take to finish when it is stopped. */
  readonly graceMs?: number | undefined
  /** Serves `/healthz`, `/readyz` and `/metrics`; in a pod `{ hostname: '0.0.0.0', port: 8081 }`. */
  readonly probes?: { readonly hostname?: string; readonly port?: number } | undefined
  /** For several replicas: only the one that holds the Lease of this name works, the others stand by. */
  readonly election?:
    { readonly name: string; readonly namespace?: string; readonly identity?: string } | undefined
}

/** Operators at work. */
export interface RunningOperators extends AsyncDisposable {
  readonly client: Client
  /** What the process counts; add your own. */
  readonly metrics: MetricsRegistry
  /** Where probes and metrics are served, if they are. */
  readonly probesUrl: string | undefined
  /** Whether this process is the one that works; always, without an election. */
  readonly isLeader: boolean
  /** Takes on nothing new, lets what is under way finish, then ends. */
  stop(): Promise<void>
}

const graceMsDefault = 20_000

/** Starts operators against a cluster. They share caches: one watch per kind, however many look at it. */
export async function start(
  operators: readonly AnyOperator[],
  options: StartOptions = {},
): Promise<RunningOperators> {
  const host = options.host ?? nodeHost()
  const connection = options.connection ?? (await loadConnection(host))
  const metrics = new OperatorMetrics()
  const client = new Client(host, connection, { onRequest: metrics.requestEnded })
  const cache = new Cache({ host, transport: client.transport })
  metrics.addCaches(() => cache.health())
  const onRunEnd = (report: RunReport): void => {
    metrics.runEnded(report)
    try {
      options.onRunEnd?.(report)
    } catch (error) {
      const msg = 'onRunEnd threw, which it must not'
      host.log(JSON.stringify({ level: 'error', msg, error: headline(error) }))
    }
  }
  const { graceMs = graceMsDefault } = options
  const newTerm = (): OperatorTerm =>
    new OperatorTerm(operators, { host, client, cache, metrics, onRunEnd, graceMs })
  // Made before it is elected: its caches are warm when its time comes.
  let term = newTerm()
  const controller = new AbortController()
  const election = electionOf(options, { host, client, metrics })
  const running = (async () => {
    if (election === undefined) await term.run(controller.signal)
    else {
      await election.run(async (signal) => {
        await term.run(signal)
        if (!controller.signal.aborted) term = newTerm()
      }, controller.signal)
    }
  })()
  const probes = await probesOf(options, { host, cache, metrics })
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    controller.abort()
    await running
    term.dispose()
    await cache.stop()
    await probes?.close({ graceMs: 0 })
  }
  const stopOnce = (): Promise<void> => (stopping ??= stop())
  return {
    client,
    metrics: metrics.registry,
    probesUrl: probes?.url,
    get isLeader() {
      return election?.isLeader ?? true
    },
    stop: stopOnce,
    [Symbol.asyncDispose]: stopOnce,
  }
}

function electionOf(
  { election }: StartOptions,
  { host, client, metrics }: { host: Host; client: Client; metrics: OperatorMetrics },
): Election | undefined {
  if (election === undefined) return undefined
  return new Election({
    ...election,
    host,
    client,
    onChange: ({ isLeader }) => metrics.setLeader(election.name, isLeader),
    onFailure: (error) => {
      const msg = `the election ${election.name} could not be tried`
      host.log(JSON.stringify({ level: 'warn', msg, error: String(error) }))
    },
  })
}

async function probesOf(
  { probes }: StartOptions,
  { host, cache, metrics }: { host: Host; cache: Cache; metrics: OperatorMetrics },
): Promise<HttpServer | undefined> {
  if (probes === undefined) return undefined
  return serveProbes({
    ...probes,
    host,
    isAlive: () => true,
    readiness: () => cacheReadiness(cache.health()),
    metrics: metrics.registry,
  })
}
