import {
  type Controller,
  type Reason,
  RetryLaterError,
  type RunReport,
} from '../controller/index.ts'
import { isSetpointError, SetpointError } from '../errors/index.ts'
import type { MetricsRegistry } from './metrics-registry.ts'
import { QueueMetrics } from './queue-metrics.ts'

/** The properties of a controller that are read at every scrape. */
export type ObservedController = Pick<
  Controller,
  'name' | 'concurrency' | 'depth' | 'active' | 'added' | 'runningMs'
>

/** The buckets of controller-runtime, in seconds. */
const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
  1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
]

const results = ['error', 'requeue_after', 'requeue', 'success'] as const
const causes: readonly Reason['cause'][] = ['change', 'recheck', 'retry', 'external']

/** The metrics of controllers, with the names of controller-runtime. */
export class ControllerMetrics {
  readonly #families: ReturnType<typeof families>
  readonly #queues: QueueMetrics
  readonly #controllers = new Map<string, ObservedController>()

  constructor(registry: MetricsRegistry) {
    this.#families = families(registry)
    this.#queues = new QueueMetrics(registry)
    registry.onCollect(() => this.#collect())
  }

  /**
   * Shows a controller, with zeros before its first reconcile, because rates need them. Returns a
   * function that removes it.
   */
  add(controller: ObservedController): () => void {
    const { name } = controller
    if (this.#controllers.has(name)) {
      throw new SetpointError('METRIC_INVALID', `a controller named ${name} already exists`, {
        hint: 'give each operator its own name',
      })
    }
    this.#controllers.set(name, controller)
    const { total, errors, terminalErrors, timeouts, panics, seconds, reasons } = this.#families
    for (const result of results) total.add({ controller: name, result }, 0)
    for (const family of [errors, terminalErrors, timeouts, panics])
      family.add({ controller: name }, 0)
    for (const cause of causes) reasons.add({ controller: name, cause }, 0)
    seconds.prepare({ controller: name })
    const removeQueue = this.#queues.add(controller)
    return () => {
      if (this.#controllers.get(name) !== controller) return
      removeQueue()
      this.#controllers.delete(name)
    }
  }

  runEnded(report: RunReport): void {
    const { controller, error, durationMs, run } = report
    const { total, errors, terminalErrors, timeouts, panics, seconds, reasons } = this.#families
    const result = resultOf(report)
    total.add({ controller, result })
    if (result === 'error') errors.add({ controller })
    if (report.result === 'gave-up') terminalErrors.add({ controller })
    if (isSetpointError(error, 'RUN_OVERDUE')) timeouts.add({ controller })
    if (isProgrammingError(error)) panics.add({ controller })
    seconds.observe({ controller }, durationMs / 1000)
    for (const { cause } of run.reasons) reasons.add({ controller, cause })
    this.#queues.runEnded(report)
  }

  #collect(): void {
    const { concurrency, active } = this.#families
    concurrency.clear()
    active.clear()
    for (const [name, controller] of this.#controllers) {
      concurrency.set({ controller: name }, controller.concurrency)
      active.set({ controller: name }, controller.active)
    }
  }
}

/**
 * Giving up is an error, as in Go. A RetryLaterError is a requeue: after the author's delay, or
 * after the backoff.
 */
function resultOf({ result, error }: RunReport): (typeof results)[number] {
  switch (result) {
    case 'done':
      return 'success'
    case 'recheck':
      return 'requeue_after'
    case 'later': {
      const hasTime = error instanceof RetryLaterError && error.afterMs !== undefined
      return hasTime ? 'requeue_after' : 'requeue'
    }
    case 'failed':
    case 'gave-up':
      return 'error'
  }
}

/** Errors of the language, where Go would panic. One with a cause is a network error of `fetch`. */
function isProgrammingError(error: unknown): boolean {
  const isOfLanguage = [TypeError, ReferenceError, RangeError].some((type) => error instanceof type)
  return isOfLanguage && (error as Error).cause === undefined
}

function families(registry: MetricsRegistry) {
  const labels = ['controller'] as const
  return {
    total: registry.counter({
      name: 'controller_runtime_reconcile_total',
      help: 'Total number of reconciliations per controller',
      labels: ['controller', 'result'],
    }),
    errors: registry.counter({
      name: 'controller_runtime_reconcile_errors_total',
      help: 'Total number of reconciliation errors per controller',
      labels,
    }),
    terminalErrors: registry.counter({
      name: 'controller_runtime_terminal_reconcile_errors_total',
      help: 'Total number of terminal reconciliation errors per controller',
      labels,
    }),
    timeouts: registry.counter({
      name: 'controller_runtime_reconcile_timeouts_total',
      help: 'Total number of reconciliation timeouts per controller',
      labels,
    }),
    panics: registry.counter({
      name: 'controller_runtime_reconcile_panics_total',
      help: 'Total number of reconciliation panics per controller',
      labels,
    }),
    seconds: registry.histogram({
      name: 'controller_runtime_reconcile_time_seconds',
      help: 'Length of time per reconciliation per controller',
      labels,
      buckets: reconcileBuckets,
    }),
    concurrency: registry.gauge({
      name: 'controller_runtime_max_concurrent_reconciles',
      help: 'Maximum number of concurrent reconciles per controller',
      labels,
    }),
    active: registry.gauge({
      name: 'controller_runtime_active_workers',
      help: 'Number of currently used workers per controller',
      labels,
    }),
    reasons: registry.counter({
      name: 'setpoint_run_reasons_total',
      help: 'Total number of reasons of reconciles, by cause',
      labels: ['controller', 'cause'],
    }),
  }
}
