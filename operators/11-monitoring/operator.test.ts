import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testWorld, type TestWorld } from '@setpoint/cluster'
import { type CrdManifest, type InferManifest, rbacFor } from 'setpoint'
import {
  conditionOf,
  ConfigMap,
  CustomResourceDefinition,
  Deployment,
  Namespace,
  Pod,
  Secret,
  Service,
  StatefulSet,
} from 'setpoint/kinds'
import { expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import * as z from 'zod'
import { projectObjects } from '../../packages/cli/src/generate/index.ts'
import application from '../01-application/operator.ts'
import { PodMonitor } from './kinds/pod-monitor.ts'
import { PrometheusRule } from './kinds/prometheus-rule.ts'
import { ServiceMonitor } from './kinds/service-monitor.ts'
import { MonitoringStack } from './monitoring-stack.ts'
import monitoring from './operator.ts'
import type { TargetGroup } from './targets.ts'

type Spec = InferManifest<typeof MonitoringStack>['spec']

async function monitoringWorld(): Promise<TestWorld> {
  const operators = [monitoring]
  const world = await testWorld({ operators, rules: rbacFor(operators) })
  onTestFinished(() => world[Symbol.asyncDispose]())
  const crds = parseAllDocuments(readFileSync(new URL('crds.yaml', import.meta.url), 'utf8'))
  for (const crd of crds) {
    await world.client.create(CustomResourceDefinition, crd.toJS() as CrdManifest)
  }
  await world.client.create(Namespace, { metadata: { name: 'shop' } })
  await world.host.sleep(120_000)
  return world
}

async function createStack({ client, settle }: TestWorld, spec: Partial<Spec> = {}) {
  await client.create(MonitoringStack, {
    metadata: { name: 'platform' },
    spec: { version: '2.53.5', namespaces: ['default', 'shop'], ...spec },
  })
  await settle()
}

/** A Deployment with a Service, whose pods serve metrics. */
async function createWeb({ client }: TestWorld): Promise<void> {
  const labels = { app: 'web' }
  const ports = [{ name: 'http', containerPort: 8080 }]
  await client.create(Deployment, {
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'web', image: 'web', ports }] },
      },
    },
  })
  await client.create(Service, {
    metadata: { name: 'web', namespace: 'shop', labels },
    spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  })
}

async function filesOf({ client }: TestWorld, name: string): Promise<Record<string, string>> {
  return (await client.get(ConfigMap, `platform-${name}`)).data ?? {}
}

async function targetsIn(world: TestWorld, file: string): Promise<readonly TargetGroup[]> {
  return JSON.parse((await filesOf(world, 'prometheus-targets'))[file] ?? '[]') as TargetGroup[]
}

const monitor = {
  metadata: { name: 'web', namespace: 'shop' },
  spec: { selector: { matchLabels: { app: 'web' } }, endpoints: [{ port: 'http' }] },
}

test('the targets of a ServiceMonitor follow the pods, without another prometheus.yml', async () => {
  const world = await monitoringWorld()
  await createWeb(world)
  await world.client.create(ServiceMonitor, monitor)
  await createStack(world)
  const file = 'ServiceMonitor_shop_web_0.json'
  const before = await targetsIn(world, file)
  expect(before).toHaveLength(2)
  expect(before[0]?.labels).toMatchObject({ job: 'web', namespace: 'shop', service: 'web' })
  const config = (await filesOf(world, 'prometheus'))['prometheus.yml']
  const [pod] = await world.client.listAll(Pod, { namespace: 'shop' })
  await world.client.delete(Pod, { name: pod?.metadata.name ?? '', namespace: 'shop' })
  await world.settle()
  const after = await targetsIn(world, file)
  expect(after).toHaveLength(2)
  expect(after.map(({ labels }) => labels['pod'])).not.toContain(pod?.metadata.name)
  expect((await filesOf(world, 'prometheus'))['prometheus.yml']).toBe(config)
})

test('selects exactly what setpoint generate --monitoring writes, and promtool accepts the rules', async () => {
  const world = await monitoringWorld()
  const { client } = world
  const settings = { namespace: 'shop', monitoring: { labels: { release: 'platform' } } }
  const project = { folder: '/project', name: 'shop', version: '1.2.3', settings }
  const {
    rights,
    workload,
    monitoring: monitors,
  } = projectObjects({
    project,
    operators: [application],
  })
  for (const { kind, manifest } of [...rights, ...workload, ...monitors]) {
    await client.create(kind, manifest as never)
  }
  // Another release, which is not selected.
  await client.create(ServiceMonitor, monitor)
  const selector = { matchLabels: { release: 'platform' } }
  await createStack(world, {
    serviceMonitorSelector: selector,
    ruleSelector: selector,
    grafana: { version: '12.0.2' },
  })
  const { status } = await client.get(MonitoringStack, 'platform')
  expect(status).toMatchObject({ targets: 1, rules: 1, dashboards: 1 })
  expect(conditionOf({ status }, 'Accepted')?.status).toBe('True')
  const [target] = await targetsIn(world, 'ServiceMonitor_shop_shop_0.json')
  // The alerts and the dashboard of the operator select by these labels.
  expect(target?.labels).toMatchObject({ job: 'shop-metrics', namespace: 'shop' })
  expect(Object.keys(await filesOf(world, 'grafana-dashboards'))).toEqual([
    'dashboard_shop_shop-dashboard_shop.json',
  ])
  const rules = (await filesOf(world, 'prometheus'))['rules_shop_shop.yaml'] ?? ''
  expect(rules).toContain('SetpointOperatorDown')
  if (spawnSync('promtool', ['--version']).error !== undefined) return
  const folder = mkdtempSync(join(tmpdir(), 'setpoint-promtool-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'rules.yaml'), rules)
  const checked = spawnSync('promtool', ['check', 'rules', join(folder, 'rules.yaml')])
  expect(`${String(checked.stdout)}${String(checked.stderr)}`).toContain('SUCCESS')
})

test('an object with an unsupported field is refused and named, and the others are used', async () => {
  const world = await monitoringWorld()
  const { client } = world
  await createStack(world)
  await client.create(PodMonitor, {
    metadata: { name: 'good', namespace: 'shop' },
    spec: { selector: {}, podMetricsEndpoints: [{ port: 'http' }] },
  })
  const rules = [{ expr: 'up', for: '1m' }]
  await client.create(PrometheusRule, {
    metadata: { name: 'bad', namespace: 'shop' },
    spec: { groups: [{ name: 'a', rules }] },
  })
  await client.create(ConfigMap, {
    metadata: { name: 'broken', namespace: 'shop', labels: { grafana_dashboard: '1' } },
    data: { 'a.json': '{}' },
  })
  await world.settle()
  const { status } = await client.get(MonitoringStack, 'platform')
  expect(status).toMatchObject({ targets: 1, rules: 0, dashboards: 0 })
  expect(conditionOf({ status }, 'Accepted')).toMatchObject({
    status: 'False',
    reason: 'SomeRefused',
    message:
      'PrometheusRule shop/bad: spec.groups.0.rules.0: must have either alert or record; ' +
      'ConfigMap shop/broken: a.json is not a dashboard: it has no title',
  })
  await client.delete(PrometheusRule, { name: 'bad', namespace: 'shop' })
  await client.delete(ConfigMap, { name: 'broken', namespace: 'shop' })
  await world.settle()
  const fixed = await client.get(MonitoringStack, 'platform')
  expect(conditionOf(fixed, 'Accepted')?.status).toBe('True')
})

test('objects in other namespaces are not selected', async () => {
  const world = await monitoringWorld()
  await world.client.create(ServiceMonitor, monitor)
  await createStack(world, { namespaces: undefined })
  expect((await world.client.get(MonitoringStack, 'platform')).status?.targets).toBe(0)
})

/** The documented fields of the files that Grafana reads at its start. */
const datasourceFile = z.strictObject({
  apiVersion: z.literal(1),
  prune: z.boolean(),
  datasources: z
    .array(
      z.strictObject({
        name: z.string(),
        type: z.literal('prometheus'),
        uid: z.string().max(40),
        access: z.enum(['proxy', 'direct']),
        url: z.url(),
        isDefault: z.boolean(),
        editable: z.boolean(),
        jsonData: z.strictObject({ timeInterval: z.string() }),
      }),
    )
    .length(1),
})
const providerFile = z.strictObject({
  apiVersion: z.literal(1),
  providers: z
    .array(
      z.strictObject({
        name: z.string(),
        type: z.literal('file'),
        allowUiUpdates: z.boolean(),
        updateIntervalSeconds: z.number(),
        options: z.strictObject({ path: z.string() }),
      }),
    )
    .length(1),
})

test('Grafana gets its data source, the folder of the dashboards and a random password', async () => {
  const world = await monitoringWorld()
  const { client } = world
  await createStack(world, { grafana: { version: '12.0.2' } })
  const files = await filesOf(world, 'grafana-provisioning')
  const source = datasourceFile.parse(JSON.parse(files['datasources.yaml'] ?? ''))
  expect(source.datasources[0]?.url).toBe('http://platform-prometheus.default.svc:9090')
  const { providers } = providerFile.parse(JSON.parse(files['dashboards.yaml'] ?? ''))
  const { spec } = await client.get(Deployment, 'platform-grafana')
  const [server] = spec.template.spec?.containers ?? []
  expect(server?.volumeMounts).toContainEqual(
    expect.objectContaining({ name: 'dashboards', mountPath: providers[0]?.options.path }),
  )
  const { data = {} } = await client.get(Secret, 'platform-grafana-admin')
  const password = atob(data['password'] ?? '')
  expect(password.length).toBeGreaterThan(20)
  expect(JSON.stringify(spec)).not.toContain(password)
  await client.patch(MonitoringStack, 'platform', { merge: { spec: { grafana: null } } })
  await world.settle()
  expect(await client.find(Deployment, 'platform-grafana')).toBeUndefined()
  expect(await client.find(StatefulSet, 'platform-prometheus')).toBeDefined()
})

test('writes nothing in a steady state, even after a restart', async () => {
  const world = await monitoringWorld()
  await createWeb(world)
  await world.client.create(ServiceMonitor, monitor)
  await createStack(world, { grafana: { version: '12.0.2' } })
  const stack = await world.client.get(MonitoringStack, 'platform')
  expect(conditionOf(stack, 'Ready')?.status).toBe('True')
  world.writes()
  await world.restart()
  await world.settle()
  expect(world.writes()).toEqual([])
})
