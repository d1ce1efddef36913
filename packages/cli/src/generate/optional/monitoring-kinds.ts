import type { Kind } from 'setpoint'

const group = 'monitoring.coreos.com'

function monitoringKind(kind: string, plural: string): Kind {
  const version = 'v1'
  return {
    group,
    version,
    apiVersion: `${group}/${version}`,
    kind,
    plural,
    scope: 'Namespaced',
    subresources: [],
  }
}

/** Says which Services Prometheus scrapes. */
export const ServiceMonitor: Kind = monitoringKind('ServiceMonitor', 'servicemonitors')

/** Has alerts. */
export const PrometheusRule: Kind = monitoringKind('PrometheusRule', 'prometheusrules')

/** Whether a kind needs the CRDs of the Prometheus Operator, which a cluster might not have. */
export function needsPrometheusOperator(kind: Pick<Kind, 'group'>): boolean {
  return kind.group === group
}
