/**
 * metrics/: what a process tells about itself, for Prometheus and for the kubelet.
 *
 * `MetricsRegistry` holds counters, gauges and histograms and writes them as text; users may add their own.
 * `OperatorMetrics` fills one from controllers, caches and requests, under the names controller-runtime has, so
 * that existing dashboards and alerts work. `serveProbes` offers both over HTTP, with `/healthz`, `/livez` and `/readyz`;
 * `cacheReadiness` is what makes readiness mean something. Whoever starts a process wires them up.
 *
 * It promises that the number of series is bounded, that counting never fails a run or a request, and that no
 * probe waits for anything: every answer comes from what is known already.
 */
export { cacheReadiness } from './cache-readiness.ts'
export type { Counter } from './counter.ts'
export type { Gauge } from './gauge.ts'
export type { Histogram } from './histogram.ts'
export { MetricsRegistry } from './metrics-registry.ts'
export { OperatorMetrics } from './operator-metrics.ts'
export type { ReadinessCheck } from './readiness-check.ts'
export { serveProbes } from './serve-probes.ts'
