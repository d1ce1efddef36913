import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dashboardProblem, problemOf } from './accept.ts'
import type { PodMonitor, PodMonitorSpec } from './kinds/pod-monitor.ts'
import type { ServiceMonitor, ServiceMonitorSpec } from './kinds/service-monitor.ts'
import { MonitoringStack, type Stack } from './monitoring-stack.ts'
import { prometheusConfig } from './prometheus-config.ts'
import { type Selection, text } from './select.ts'

type Spec = Partial<Stack['spec']>

function stack(spec: Spec = {}): Stack {
  return MonitoringStack.parse({
    apiVersion: 'monitoring.example.com/v1',
    kind: 'MonitoringStack',
    metadata: { name: 'platform', namespace: 'monitoring', uid: 'u' },
    spec: { version: '2.42.0', ...spec },
  }) as Stack
}

const metadata = {
  name: 'web',
  namespace: 'shop',
  uid: 'u',
  resourceVersion: '1',
  creationTimestamp: '',
}
const apiVersion = 'monitoring.coreos.com/v1'

function serviceMonitor(spec: Partial<ServiceMonitorSpec> = {}): ServiceMonitor {
  const defaults = { selector: {}, endpoints: [{ port: 'http' }] }
  return { apiVersion, kind: 'ServiceMonitor', metadata, spec: { ...defaults, ...spec } }
}

function podMonitor(spec: Partial<PodMonitorSpec> = {}): PodMonitor {
  const defaults = { selector: {}, podMetricsEndpoints: [{ port: 'http' }] }
  return { apiVersion, kind: 'PodMonitor', metadata, spec: { ...defaults, ...spec } }
}

const nothing: Selection = {
  serviceMonitors: [],
  podMonitors: [],
  rules: {},
  dashboards: {},
  refused: [],
}

function configOf(selection: Partial<Selection>, spec: Spec = {}) {
  return prometheusConfig(stack({ namespaces: ['shop'], ...spec }), { ...nothing, ...selection })
}

test('each endpoint of a monitor is a scrape configuration', () => {
  const config = configOf({
    serviceMonitors: [
      serviceMonitor({
        endpoints: [
          { port: 'http' },
          {
            port: 'admin',
            path: '/m',
            scheme: 'https',
            interval: '5s',
            scrapeTimeout: '1s',
            honorLabels: true,
          },
        ],
      }),
    ],
    podMonitors: [podMonitor()],
  })
  expect(config.scrape_configs).toMatchObject([
    {
      job_name: 'ServiceMonitor/shop/web/0',
      file_sd_configs: [{ files: ['@TARGETS@/ServiceMonitor_shop_web_0.json'] }],
    },
    {
      job_name: 'ServiceMonitor/shop/web/1',
      metrics_path: '/m',
      scheme: 'https',
      scrape_interval: '5s',
      scrape_timeout: '1s',
      honor_labels: true,
    },
    {
      job_name: 'PodMonitor/shop/web/0',
      file_sd_configs: [{ files: ['@TARGETS@/PodMonitor_shop_web_0.json'] }],
    },
  ])
})

test.each([
  [serviceMonitor(), undefined],
  [
    { kind: 'ServiceMonitor', spec: { selector: {}, endpoints: [{ port: 'a', basicAuth: {} }] } },
    'spec.endpoints.0.basicAuth is not supported',
  ],
  [
    { kind: 'ServiceMonitor', spec: { selector: {}, endpoints: [], sampleLimit: 5 } },
    'spec.sampleLimit is not supported',
  ],
  [
    serviceMonitor({ endpoints: [{ port: 'a', interval: 'soon' }] }),
    'spec.endpoints.0.interval: is not a duration of Prometheus',
  ],
  [
    serviceMonitor({ endpoints: [{ port: 'a', interval: '1m', scrapeTimeout: '61s' }] }),
    'spec.endpoints.0: scrapeTimeout is longer than interval',
  ],
  [podMonitor(), undefined],
  [
    {
      kind: 'PodMonitor',
      spec: { selector: {}, podMetricsEndpoints: [{ port: 'a', relabelings: [] }] },
    },
    'spec.podMetricsEndpoints.0.relabelings is not supported',
  ],
  [
    { kind: 'PrometheusRule', spec: { groups: [{ name: 'a', rules: [{ alert: 'A', expr: 1 }] }] } },
    undefined,
  ],
  [
    { kind: 'PrometheusRule', spec: { groups: [{ name: 'a', rules: [{ expr: 'up' }] }] } },
    'spec.groups.0.rules.0: must have either alert or record',
  ],
  [
    { kind: 'PrometheusRule', spec: { groups: [{ name: 'a', limit: 1 }] } },
    'spec.groups.0.limit is not supported',
  ],
] as const)('the problem of %j is %j', (object, problem) => {
  expect(problemOf(object)).toBe(problem)
})

test.each([
  ['{ "title": "Shop" }', undefined],
  ['{ "title": "" }', 'is not a dashboard: it has no title'],
  ['[]', 'is not a dashboard: it has no title'],
  ['{', 'is not JSON: '],
])('the problem of the dashboard %j is %j', (dashboard, problem) => {
  if (problem === undefined) expect(dashboardProblem(dashboard)).toBeUndefined()
  else expect(dashboardProblem(dashboard)).toContain(problem)
})

test('promtool accepts the configuration', ({ skip }) => {
  skip(spawnSync('promtool', ['--version']).error !== undefined, 'promtool is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'setpoint-promtool-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const config = configOf(
    {
      serviceMonitors: [serviceMonitor()],
      podMonitors: [podMonitor({ podMetricsEndpoints: [{ port: 'a', interval: '1s' }] })],
    },
    { alertmanagers: ['alertmanager.monitoring.svc:9093'] },
  )
  const file = join(folder, 'prometheus.yml')
  const targets = [{ targets: ['10.0.0.1:80'], labels: { job: 'web' } }]
  for (const monitor of ['ServiceMonitor', 'PodMonitor']) {
    writeFileSync(join(folder, `${monitor}_shop_web_0.json`), text(targets))
  }
  const filled = text(config).replaceAll(/@(TARGETS|RUN)@/g, folder)
  expect(filled.match(/@[A-Z_]+@/g)).toEqual(['@POD_NAME@'])
  writeFileSync(file, filled)
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'config', file], {
    encoding: 'utf8',
  })
  expect(`${stdout}${stderr}`).toContain('SUCCESS')
  expect(status).toBe(0)
})
