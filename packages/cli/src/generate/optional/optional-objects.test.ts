import { type AnyOperator, operator, start } from 'setpoint'
import { ConfigMap, Namespace } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import application from '../../../../../operators/01-application/operator.ts'
import { deployWorld } from '../../deploy/testdata/deploy-world.ts'
import type { Project } from '../../project/index.ts'
import { projectManifests } from '../project-manifests.ts'
import { projectObjects } from '../project-objects.ts'
import { alertRules } from './alert-rules.ts'
import { dashboard } from './dashboard.ts'

const plain = operator(ConfigMap, { name: 'configmaps' }).reconcile(async () => undefined)

function objectsOf(
  settings: Project['settings'],
  operators: readonly AnyOperator[] = [application],
) {
  const project = { folder: '/project', name: 'shop', version: '1.2.3', settings }
  const { workload, monitoring, rights, definitions } = projectObjects({ project, operators })
  const all = [...workload, ...monitoring, ...rights, ...definitions].map(
    ({ manifest }) => manifest,
  )
  return {
    all,
    of: (kind: string) => all.filter((manifest) => manifest.kind === kind),
  }
}

test('generates no optional objects unless the project asks for them', () => {
  const kinds = new Set(objectsOf({ replicas: 2 }, [plain]).all.map(({ kind }) => kind))
  for (const kind of ['ServiceMonitor', 'PrometheusRule', 'ConfigMap', 'PodDisruptionBudget']) {
    expect(kinds).not.toContain(kind)
  }
  expect(kinds).not.toContain('NetworkPolicy')
})

test('the ServiceMonitor selects the Service of metrics and no other', () => {
  const { of } = objectsOf({ monitoring: { labels: { release: 'prometheus' }, interval: '15s' } })
  const [monitor] = of('ServiceMonitor')
  expect(monitor).toMatchObject({
    apiVersion: 'monitoring.coreos.com/v1',
    metadata: { name: 'shop', namespace: 'shop-system', labels: { release: 'prometheus' } },
    spec: {
      namespaceSelector: { matchNames: ['shop-system'] },
      endpoints: [{ port: 'metrics', path: '/metrics', interval: '15s' }],
    },
  })
  const { selector } = monitor?.['spec'] as {
    selector: { matchLabels: Record<string, string> }
  }
  const selected = of('Service').filter(({ metadata }) =>
    Object.entries(selector.matchLabels).every(([name, value]) => metadata.labels[name] === value),
  )
  expect(selected.map(({ metadata }) => metadata.name)).toEqual(['shop-metrics'])
})

test('monitoring has switches for its parts', () => {
  const { of } = objectsOf({ monitoring: { alerts: false, dashboard: false } })
  expect(of('ServiceMonitor')).toHaveLength(1)
  expect([...of('PrometheusRule'), ...of('ConfigMap')]).toEqual([])
})

test('alerts and the dashboard use only metrics that a running operator exports', async () => {
  await using world = await deployWorld()
  const service = { name: 'shop-webhooks', namespace: 'default' }
  const timer = operator(Namespace, { name: 'timer' }).every('10s', async () => undefined)
  const running = await start([application, timer], {
    host: world.host,
    connection: world.connection,
    install: true,
    election: { name: 'shop', identity: 'pod-0' },
    webhooks: { service },
  })
  await world.host.sleep(30_000)
  const exported = new Set(
    [...running.metrics.text().matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`] : [name],
    ),
  )
  await running.stop()
  const settings = { name: 'shop', namespace: 'shop-system' }
  const texts = [
    ...alertRules({ settings, hasWebhooks: true }).map(({ expr }) => expr),
    ...[
      ...JSON.stringify(dashboard({ name: 'shop', hasWebhooks: true })).matchAll(
        /"expr":"(.*?[^\\])"/g,
      ),
    ].map(([, expr = '']) => expr),
  ]
  const used = texts.flatMap((text) =>
    [...text.matchAll(/([a-z_]+)\{/g)].map(([, name = '']) => name),
  )
  // Of Prometheus itself, of kube-state-metrics, and of the process, which a virtual host does not
  // measure.
  const others = [/^up$/, /^kube_/, /^(process|nodejs)_/]
  const own = [...new Set(used)].filter((name) => !others.some((other) => other.test(name)))
  expect(own.length).toBeGreaterThan(15)
  expect(own.filter((name) => !exported.has(name))).toEqual([])
})

test('alerts are about one deployment, and only about webhooks that exist', () => {
  const settings = { name: 'shop', namespace: 'a' }
  const rules = alertRules({ settings, hasWebhooks: false })
  for (const { expr } of rules) expect(expr).toContain('namespace="a"')
  expect(rules.map(({ alert }) => alert)).not.toContain('SetpointCertificateExpires')
  expect(alertRules({ settings, hasWebhooks: true }).map(({ alert }) => alert)).toContain(
    'SetpointCertificateExpires',
  )
})

test('the dashboard in the ConfigMap is JSON, with panels that do not overlap', () => {
  const [config] = objectsOf({ monitoring: true }).of('ConfigMap')
  expect(config?.metadata.labels).toMatchObject({ grafana_dashboard: '1' })
  const { 'shop.json': text = '' } = config?.['data'] as Record<string, string>
  const { panels } = JSON.parse(text) as {
    panels: { gridPos: { x: number; y: number }; id: number }[]
  }
  const places = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)
  expect(new Set(places).size).toBe(panels.length)
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
})

test('a PodDisruptionBudget needs more than one replica', () => {
  expect(objectsOf({ disruptionBudget: true }).of('PodDisruptionBudget')).toEqual([])
  expect(
    objectsOf({ disruptionBudget: true, replicas: 2 }).of('PodDisruptionBudget'),
  ).toMatchObject([
    {
      spec: {
        maxUnavailable: 1,
        selector: {
          matchLabels: {
            'app.kubernetes.io/name': 'shop',
            'app.kubernetes.io/component': 'operator',
          },
        },
      },
    },
  ])
})

test('a NetworkPolicy opens exactly the ports of the pods', () => {
  expect(objectsOf({ networkPolicy: true }, [plain]).of('NetworkPolicy')).toMatchObject([
    { metadata: { name: 'shop' }, spec: { ingress: [{ ports: [{ port: 'probes' }] }] } },
  ])
  expect(objectsOf({}).of('NetworkPolicy')).toMatchObject([
    {
      metadata: { name: 'shop-webhooks' },
      spec: { ingress: [{ ports: [{ port: 'probes' }, { port: 'webhooks' }] }] },
    },
  ])
  expect(objectsOf({ networkPolicy: false }).of('NetworkPolicy')).toEqual([])
})

test('pods have volumes, mounts, variables, labels and annotations of the settings', () => {
  const { of, all } = objectsOf({
    pod: {
      volumes: [{ name: 'ca', configMap: { name: 'ca' } }],
      terminationGracePeriodSeconds: 60,
    },
    volumeMounts: [{ name: 'ca', mountPath: '/ca' }],
    envFrom: [{ secretRef: { name: 'token' } }],
    labels: { team: 'shop' },
    podLabels: { 'sidecar.istio.io/inject': 'false' },
    podAnnotations: { 'example.com/note': 'x' },
    serviceAccountAnnotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/shop' },
  })
  expect(of('Deployment')).toMatchObject([
    {
      spec: {
        template: {
          metadata: {
            labels: { 'sidecar.istio.io/inject': 'false', 'app.kubernetes.io/name': 'shop' },
            annotations: { 'example.com/note': 'x' },
          },
          spec: {
            terminationGracePeriodSeconds: 60,
            volumes: [{ name: 'ca' }],
            containers: [
              {
                envFrom: [{ secretRef: { name: 'token' } }],
                volumeMounts: [{ name: 'ca', mountPath: '/ca' }],
              },
            ],
          },
        },
      },
    },
  ])
  expect(of('ServiceAccount')).toMatchObject([
    { metadata: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/shop' } } },
  ])
  for (const { metadata } of all) expect(metadata.labels['team']).toBe('shop')
})

test('install.yaml has all objects of the kustomization in the same order', () => {
  const project = { folder: '/project', name: 'shop', version: '1.2.3', settings: {} }
  const files = projectManifests({ project, operators: [application], hasInstallFile: true })
  const text = (path: string): string => files.find((file) => file.path === path)?.text ?? ''
  const documents = (yaml: string) =>
    [parseAllDocuments(yaml)].flat().map((document) => document.toJS() as object)
  const [kustomization] = documents(text('config/kustomization.yaml'))
  const { resources } = kustomization as { resources: string[] }
  expect(documents(text('config/install.yaml'))).toEqual(
    resources.flatMap((path) => documents(text(`config/${path}`))),
  )
  expect(resources).not.toContain('install.yaml')
})
