/**
 * metrics/: metrics for Prometheus and probes for the kubelet.
 *
 * `MetricsRegistry` has counters, gauges and histograms and writes them as text; users may add
 * their own. `OperatorMetrics` fills one from controllers, caches and requests, with the names of
 * controller-runtime, so that existing dashboards and alerts work. `serveMetricsAndProbes` serves both over
 * HTTP, with `/healthz`, `/livez` and `/readyz`; `cacheReadiness` makes the checks of readiness.
 * `start/` connects them.
 *
 * The number of series is bounded. Counting never fails a reconcile or a request. A probe never
 * waits: it responds from the current state.
 */
export { cacheReadiness } from './cache-readiness.ts'
export type { Counter } from './counter.ts'
export type { Gauge } from './gauge.ts'
export type { Histogram } from './histogram.ts'
export { MetricsRegistry } from './metrics-registry.ts'
export { OperatorMetrics } from './operator-metrics.ts'
export type { ReadinessCheck } from './readiness-check.ts'
export { serveMetricsAndProbes } from './serve-metrics-and-probes.ts'
export { SharedRegistries, type SharedRegistry } from './shared-registries.ts'
