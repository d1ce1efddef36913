import type { Frozen } from 'setpoint'
import type { PodMonitor, PodMonitorSpecPodMetricsEndpointsItem } from './kinds/pod-monitor.ts'
import type { ServiceMonitor } from './kinds/service-monitor.ts'
import type { Stack } from './monitoring-stack.ts'
import type { Selection } from './select.ts'

/** An endpoint of a monitor, and the file that has its targets. */
export interface ScrapedEndpoint {
  readonly monitor: Frozen<ServiceMonitor> | Frozen<PodMonitor>
  readonly endpoint: Frozen<PodMonitorSpecPodMetricsEndpointsItem>
  readonly index: number
}

/** The endpoints of all monitors. */
export function endpointsOf({ serviceMonitors, podMonitors }: Selection): ScrapedEndpoint[] {
  const ofServices = serviceMonitors.flatMap((monitor) =>
    monitor.spec.endpoints.map((endpoint, index) => ({ monitor, endpoint, index })),
  )
  const ofPods = podMonitors.flatMap((monitor) =>
    monitor.spec.podMetricsEndpoints.map((endpoint, index) => ({ monitor, endpoint, index })),
  )
  return [...ofServices, ...ofPods]
}

/** The file with the targets of an endpoint. */
export function targetFile({ monitor: { kind, metadata }, index }: ScrapedEndpoint): string {
  return `${kind}_${metadata.namespace}_${metadata.name}_${index}.json`
}

/**
 * The content of `prometheus.yml`. The script of the pod replaces `@NAME@` by the variable of that
 * name. The targets are in other files, which Prometheus reads again by itself.
 */
export function prometheusConfig({ metadata, spec }: Stack, selection: Selection) {
  return {
    global: {
      scrape_interval: spec.scrapeInterval,
      evaluation_interval: spec.scrapeInterval,
      external_labels: {
        prometheus: `${metadata.namespace}/${metadata.name}`,
        prometheus_replica: '@POD_NAME@',
      },
    },
    rule_files: ['@RUN@/rules/*'],
    alerting: {
      // Replicas send the same alert, which Alertmanager must be able to recognize.
      alert_relabel_configs: [{ action: 'labeldrop', regex: 'prometheus_replica' }],
      alertmanagers:
        spec.alertmanagers.length === 0
          ? []
          : [{ static_configs: [{ targets: [...spec.alertmanagers].sort() }] }],
    },
    scrape_configs: endpointsOf(selection).map(scrapeConfig),
  }
}

function scrapeConfig(scraped: ScrapedEndpoint) {
  const { kind, metadata } = scraped.monitor
  const { path, scheme, interval, scrapeTimeout, honorLabels } = scraped.endpoint
  return {
    job_name: `${kind}/${metadata.namespace}/${metadata.name}/${scraped.index}`,
    ...(path === undefined ? {} : { metrics_path: path }),
    ...(scheme === undefined ? {} : { scheme }),
    ...(interval === undefined ? {} : { scrape_interval: interval }),
    ...(scrapeTimeout === undefined ? {} : { scrape_timeout: scrapeTimeout }),
    ...(honorLabels === undefined ? {} : { honor_labels: honorLabels }),
    file_sd_configs: [{ files: [`@TARGETS@/${targetFile(scraped)}`], refresh_interval: '10s' }],
  }
}
