/**
 * optional/: objects of a deployment that the project asks for in its settings.
 *
 * `monitoringObjects` has what Prometheus and Grafana need, from the metrics that operators export.
 * `networkPolicy` and `disruptionBudget` protect the pods. `project-objects.ts` calls them.
 *
 * Everything is pure. A test compares the names of metrics with those of a running operator.
 */
export { needsPrometheusOperator, PrometheusRule, ServiceMonitor } from './monitoring-kinds.ts'
export { monitoringObjects } from './monitoring-objects.ts'
export { disruptionBudget, networkPolicy } from './pod-protection.ts'
