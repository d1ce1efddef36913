import { ConfigMap } from 'setpoint/kinds'
import { clusterObject, type ClusterObject, ownLabels } from '../cluster-object.ts'
import { metricsComponent } from '../manager-objects.ts'
import type { ManifestSettings } from '../manifest-settings.ts'
import { alertRules } from './alert-rules.ts'
import { dashboard } from './dashboard.ts'
import { PrometheusRule, ServiceMonitor } from './monitoring-kinds.ts'

/** The objects for Prometheus and Grafana that the settings ask for, by purpose. */
export function monitoringObjects(
  settings: ManifestSettings,
  { hasWebhooks }: { readonly hasWebhooks: boolean },
): {
  readonly serviceMonitor: readonly ClusterObject[]
  readonly alerts: readonly ClusterObject[]
  readonly dashboard: readonly ClusterObject[]
} {
  const { monitoring, name, namespace } = settings
  if (monitoring === undefined) return { serviceMonitor: [], alerts: [], dashboard: [] }
  const own = ownLabels(settings)
  const labels = { ...monitoring.labels, ...own }
  const file = {
    [`${name}.json`]: `${JSON.stringify(dashboard({ name, hasWebhooks }), undefined, 2)}\n`,
  }
  return {
    serviceMonitor: monitoring.serviceMonitor
      ? [
          clusterObject(ServiceMonitor, {
            name,
            namespace,
            labels,
            fields: { spec: serviceMonitorSpec(settings, monitoring.interval) },
          }),
        ]
      : [],
    alerts: monitoring.alerts
      ? [
          clusterObject(PrometheusRule, {
            name,
            namespace,
            labels,
            fields: { spec: { groups: [{ name, rules: alertRules({ settings, hasWebhooks }) }] } },
          }),
        ]
      : [],
    // The label by which the sidecar of Grafana's chart finds dashboards.
    dashboard: monitoring.dashboard
      ? [
          clusterObject(ConfigMap, {
            name: `${name}-dashboard`,
            namespace,
            labels: { ...own, grafana_dashboard: '1' },
            fields: { data: file },
          }),
        ]
      : [],
  }
}

function serviceMonitorSpec(settings: ManifestSettings, interval: string): object {
  return {
    selector: { matchLabels: { ...ownLabels(settings), ...metricsComponent } },
    namespaceSelector: { matchNames: [settings.namespace] },
    endpoints: [{ port: 'metrics', path: '/metrics', interval }],
  }
}
