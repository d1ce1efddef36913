import type { CacheHealth } from '../cache/index.ts'
import type { RequestReport } from '../client/index.ts'
import type { RunReport } from '../controller/index.ts'
import type { ProcessMeter } from '../host/index.ts'
import { addCacheMetrics } from './cache-metrics.ts'
import { ControllerMetrics, type ObservedController } from './controller-metrics.ts'
import type { Counter } from './counter.ts'
import type { Gauge } from './gauge.ts'
import { MetricsRegistry } from './metrics-registry.ts'
import { addProcessMetrics } from './process-metrics.ts'

/**
 * The metrics of running operators, with the names of controller-runtime. Its functions can be
 * passed as callbacks: `new Client(host, connection, { onRequest: metrics.requestEnded })`.
 */
export class OperatorMetrics {
  /** The registry of all metrics, including a user's own. */
  readonly registry: MetricsRegistry
  readonly #controllers: ControllerMetrics
  readonly #requests: Counter<'code' | 'method' | 'host'>
  readonly #leaders: Gauge<'name'>
  readonly #caches = new Set<() => readonly CacheHealth[]>()

  constructor(meter: ProcessMeter, registry: MetricsRegistry = new MetricsRegistry()) {
    this.registry = registry
    addProcessMetrics(registry, meter)
    this.#controllers = new ControllerMetrics(registry)
    addCacheMetrics(registry, () => [...this.#caches].flatMap((health) => health()))
    this.#requests = registry.counter({
      name: 'rest_client_requests_total',
      help: 'Number of HTTP requests, partitioned by status code, method, and host.',
      labels: ['code', 'method', 'host'],
    })
    this.#leaders = registry.gauge({
      name: 'leader_election_master_status',
      help: "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string used to identify the lease. Please make sure to group by name.",
      labels: ['name'],
    })
  }

  /**
   * Shows a controller from now on; report its reconciles by `runEnded`. Returns a function that
   * removes it.
   */
  addController(controller: ObservedController): () => void {
    return this.#controllers.add(controller)
  }

  /**
   * Shows caches from now on; their health is read at every scrape. Returns a function that removes
   * them.
   */
  addCaches(health: () => readonly CacheHealth[]): () => void {
    this.#caches.add(health)
    return () => void this.#caches.delete(health)
  }

  /** For `onRunEnd` of controllers. */
  readonly runEnded = (report: RunReport): void => {
    this.#controllers.runEnded(report)
  }

  /** For `onRequest` of clients. */
  readonly requestEnded = ({ code, method, host }: RequestReport): void => {
    // client-go counts a request without a response this way.
    this.#requests.add({ code: code === undefined ? '<error>' : String(code), method, host })
  }

  /** Whether this process leads, by the name of the Lease; not shown before the first call. */
  readonly setLeader = (name: string, isLeader: boolean): void => {
    this.#leaders.set({ name }, isLeader ? 1 : 0)
  }
}
