import { operator, rolloutOn, when } from 'setpoint'
import {
  ConfigMap,
  Deployment,
  EndpointSlice,
  Pod,
  Secret,
  Service,
  StatefulSet,
} from 'setpoint/kinds'
import {
  dashboards,
  grafanaAdmin,
  grafanaServer,
  grafanaService,
  hasGrafana,
  provisioning,
} from './grafana.ts'
import { PodMonitor } from './kinds/pod-monitor.ts'
import { PrometheusRule } from './kinds/prometheus-rule.ts'
import { ServiceMonitor } from './kinds/service-monitor.ts'
import { MonitoringStack, namespacesOf } from './monitoring-stack.ts'
import { endpointsOf } from './prometheus-config.ts'
import {
  prometheusFiles,
  prometheusName,
  prometheusPort,
  prometheusServer,
  prometheusService,
  replicaService,
  targetFiles,
} from './prometheus.ts'
import { dashboardLabel, select } from './select.ts'

/** Runs a Prometheus and a Grafana for what other operators bring: monitors, rules, dashboards. */
export default operator(MonitoringStack)
  .index('byNamespace', (stack) =>
    namespacesOf(stack).map(
      (namespace) => [namespace, `${stack.metadata.namespace}/${stack.metadata.name}`] as const,
    ),
  )
  .watch(ServiceMonitor, ({ metadata }, view) => view.index('byNamespace').get(metadata.namespace))
  .watch(PodMonitor, ({ metadata }, view) => view.index('byNamespace').get(metadata.namespace))
  .watch(PrometheusRule, ({ metadata }, view) => view.index('byNamespace').get(metadata.namespace))
  .watch(Service, ({ metadata }, view) => view.index('byNamespace').get(metadata.namespace))
  .watch(EndpointSlice, ({ metadata }, view) => view.index('byNamespace').get(metadata.namespace))
  .watch(Pod, ({ metadata }, view) => view.index('byNamespace').get(metadata.namespace))
  .watch(ConfigMap, ({ metadata }, view) => view.index('byNamespace').get(metadata.namespace), {
    labelSelector: dashboardLabel,
  })
  .child('files', ConfigMap, (stack, view) => prometheusFiles(stack, select(stack, view)))
  .child('targets', ConfigMap, (stack, view) => targetFiles(stack, select(stack, view), view))
  .child('service', Service, prometheusService)
  .child('replicas', Service, replicaService)
  .child('prometheus', StatefulSet, { after: ['files', 'targets'] }, prometheusServer)
  .child('admin', Secret, { createOnly: true, includeWhen: hasGrafana }, grafanaAdmin)
  .child('provisioning', ConfigMap, { includeWhen: hasGrafana }, provisioning)
  .child('dashboards', ConfigMap, { includeWhen: hasGrafana }, (stack, view) =>
    dashboards(stack, select(stack, view)),
  )
  .child('grafanaService', Service, { includeWhen: hasGrafana }, grafanaService)
  .child('grafana', Deployment, { includeWhen: hasGrafana }, (stack, { children }) =>
    grafanaServer(stack, rolloutOn(children.provisioning)),
  )
  .status((stack, { service }, view) => {
    const selection = select(stack, view)
    const { refused } = selection
    return {
      url:
        service &&
        `http://${prometheusName(stack)}.${stack.metadata.namespace}.svc:${prometheusPort}`,
      targets: endpointsOf(selection).length,
      rules: Object.keys(selection.rules).length,
      dashboards: Object.keys(selection.dashboards).length,
      conditions: {
        Accepted: when(refused.length === 0, 'AllAccepted', {
          message: refused.length === 0 ? 'all selected objects are used' : refused.join('; '),
          otherwise: 'SomeRefused',
        }),
      },
    }
  })
