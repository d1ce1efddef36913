import * as z from 'zod'
import {
  defineResource,
  type Frozen,
  immutable,
  type InferResource,
  quantity,
  rule,
} from 'setpoint'

const selector = z.object({
  matchLabels: z.record(z.string(), z.string()).optional(),
  matchExpressions: z
    .array(
      z.object({
        key: z.string(),
        operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
        values: z.array(z.string()).optional(),
      }),
    )
    .optional(),
})

/** A duration of Prometheus, such as `90s`, `1h30m` or `15d`. */
const prometheusDuration = z.string().regex(/^([0-9]+(ms|[smhdwy]))+$/)

/** A Prometheus with what it scrapes and its alerts, and a Grafana that shows it. */
export const MonitoringStack = defineResource({
  group: 'monitoring.example.com',
  version: 'v1',
  kind: 'MonitoringStack',
  shortNames: ['mstack'],
  description: 'A Prometheus that scrapes the targets of ServiceMonitors, and a Grafana.',
  spec: z.object({
    version: z
      .string()
      .regex(/^\d+\.\d+\.\d+$/)
      .describe('The version of Prometheus.'),
    replicas: z.int32().min(1).max(9).default(1).describe('How many replicas scrape everything.'),
    retention: prometheusDuration.default('15d').describe('How long samples are kept.'),
    scrapeInterval: prometheusDuration
      .default('30s')
      .describe('Also how often alerts are checked.'),
    storage: z
      .object({
        size: quantity().default('10Gi'),
        storageClassName: z.string().optional(),
      })
      .prefault({})
      .check(immutable()),
    namespaces: z
      .array(z.string().min(1))
      .max(50)
      .optional()
      .describe(
        'Where monitors, rules, dashboards and targets are selected; the own namespace unless given.',
      ),
    serviceMonitorSelector: selector.prefault({}).describe('An empty selector selects all.'),
    podMonitorSelector: selector.prefault({}),
    ruleSelector: selector.prefault({}),
    alertmanagers: z
      .array(z.string().regex(/^[^\s/]+:\d+$/))
      .default([])
      .describe('HOST:PORT of each Alertmanager.'),
    grafana: z
      .object({ version: z.string().regex(/^\d+\.\d+\.\d+$/) })
      .optional()
      .describe('A Grafana with this Prometheus as data source, and all selected dashboards.'),
  }),
  status: z.object({
    url: z.string().optional(),
    targets: z.int32().describe('How many endpoints of monitors are scraped.'),
    rules: z.int32().describe('How many PrometheusRules are used.'),
    dashboards: z.int32(),
  }),
  conditions: ['Ready', 'Accepted'],
  columns: {
    Version: '.spec.version',
    Replicas: '.spec.replicas',
    Ready: '.status.conditions[?(@.type=="Ready")].status',
    Accepted: '.status.conditions[?(@.type=="Accepted")].status',
    Targets: '.status.targets',
    Rules: '.status.rules',
    Dashboards: '.status.dashboards',
  },
  rules: [
    rule('size(self.metadata.name) <= 40', {
      message: 'the name must have at most 40 characters, because other names contain it',
    }),
  ],
})

/** A MonitoringStack as the functions of the operator receive it. */
export type Stack = Frozen<InferResource<typeof MonitoringStack>>

/** The namespaces from which a stack selects objects. */
export function namespacesOf({ metadata, spec }: Stack): readonly string[] {
  return [...new Set(spec.namespaces ?? [metadata.namespace])].sort()
}
