import type { Frozen } from 'setpoint'
import { EndpointSlice, Pod, Service } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import type { PodMonitor } from './kinds/pod-monitor.ts'
import type { ServiceMonitor, ServiceMonitorSpec } from './kinds/service-monitor.ts'
import type { Stack } from './monitoring-stack.ts'
import { podTargets, serviceTargets, targetNamespaces, type TargetView } from './targets.ts'

const stack = (namespaces: readonly string[]) =>
  ({ metadata: { name: 'platform', namespace: 'monitoring' }, spec: { namespaces } }) as Stack

const metadata = { name: 'web', namespace: 'shop' }

function serviceMonitor(spec: Partial<ServiceMonitorSpec> = {}) {
  const defaults = { selector: {}, endpoints: [{ port: 'http' }] }
  return {
    kind: 'ServiceMonitor',
    metadata,
    spec: { ...defaults, ...spec },
  } as unknown as Frozen<ServiceMonitor>
}

const service = (name: string, labels = {}) => ({ metadata: { name, namespace: 'shop', labels } })

const slice = (of: string, endpoints: readonly object[]) => ({
  metadata: { name: of, namespace: 'shop', labels: { 'kubernetes.io/service-name': of } },
  ports: [
    { name: 'http', port: 8081 },
    { name: 'other', port: 1 },
  ],
  endpoints,
})

const endpoint = (address: string, pod: string, conditions = {}) => ({
  addresses: [address],
  conditions,
  targetRef: { kind: 'Pod', name: pod },
})

interface Objects {
  readonly services?: readonly object[]
  readonly slices?: readonly object[]
  readonly pods?: readonly object[]
}

/** A view of these objects, in which they are listed by namespace and labels. */
function view({ services = [], slices = [], pods = [] }: Objects): TargetView {
  const all = new Map<unknown, readonly object[]>([
    [Service, services],
    [EndpointSlice, slices],
    [Pod, pods],
  ])
  const list = (
    kind: unknown,
    { namespace, labels = {} }: { namespace: string; labels?: object },
  ) =>
    ((all.get(kind) ?? []) as Service[]).filter(
      ({ metadata: of }) =>
        of.namespace === namespace &&
        Object.entries(labels).every(([name, value]) => of.labels?.[name] === value),
    )
  return { list } as unknown as TargetView
}

test.each([
  [undefined, ['a', 'shop'], ['shop']],
  [{ any: true }, ['shop', 'a'], ['a', 'shop']],
  [{ matchNames: ['a', 'b'] }, ['shop', 'a'], ['a']],
  [{ matchNames: ['b'] }, ['shop', 'a'], []],
])(
  'the namespace selector %j of a monitor selects, of the namespaces %j, %j',
  (namespaceSelector, namespaces, expected) => {
    const monitor = serviceMonitor(namespaceSelector === undefined ? {} : { namespaceSelector })
    expect(targetNamespaces(stack(namespaces), monitor)).toEqual(expected)
  },
)

test('a ServiceMonitor finds the endpoints of selected Services, ready or not, in a fixed order', () => {
  const monitor = serviceMonitor({ selector: { matchLabels: { app: 'web' } } })
  const objects = {
    services: [service('web', { app: 'web' }), service('other')],
    slices: [
      slice('web', [
        endpoint('10.0.0.2', 'web-b', { ready: false }),
        endpoint('10.0.0.3', 'web-c', { terminating: true }),
        endpoint('10.0.0.1', 'web-a', { ready: true }),
      ]),
      slice('other', [endpoint('10.0.0.9', 'other')]),
      // The slice of a Service without pods.
      { ...slice('web', []), endpoints: null, ports: null },
    ],
  }
  const labels = { job: 'web', namespace: 'shop', service: 'web', endpoint: 'http' }
  const found = [
    { targets: ['10.0.0.1:8081'], labels: { ...labels, pod: 'web-a' } },
    { targets: ['10.0.0.2:8081'], labels: { ...labels, pod: 'web-b' } },
  ]
  expect(serviceTargets(stack(['shop']), { monitor, port: 'http' }, view(objects))).toEqual(found)
  expect(serviceTargets(stack(['shop']), { monitor, port: 'https' }, view(objects))).toEqual([])
  expect(serviceTargets(stack(['a']), { monitor, port: 'http' }, view(objects))).toEqual([])
})

test('the label that jobLabel names has the job, and IPv6 addresses have brackets', () => {
  const monitor = serviceMonitor({ jobLabel: 'team' })
  const objects = {
    services: [service('web', { team: 'a' })],
    slices: [slice('web', [{ addresses: ['fd00::1'] }])],
  }
  expect(serviceTargets(stack(['shop']), { monitor, port: 'http' }, view(objects))).toEqual([
    {
      targets: ['[fd00::1]:8081'],
      labels: { job: 'a', namespace: 'shop', service: 'web', endpoint: 'http' },
    },
  ])
})

test('a PodMonitor finds running pods by their labels and the name of the port', () => {
  const pod = (name: string, podIP: string | undefined, more: object = {}) => ({
    metadata: { name, namespace: 'shop', labels: { app: 'web' }, ...more },
    spec: {
      containers: [
        { name: 'c', ports: [{ name: 'http', containerPort: 80 }, { containerPort: 1 }] },
      ],
    },
    status: { phase: 'Running', podIP },
  })
  const ended = { ...pod('ended', '10.0.0.4'), status: { phase: 'Succeeded', podIP: '10.0.0.4' } }
  const pods = [
    pod('b', '10.0.0.2'),
    pod('a', '10.0.0.1'),
    pod('new', undefined),
    pod('going', '10.0.0.3', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ended,
    pod('other', '10.0.0.5', { labels: {} }),
  ]
  const selector = { matchExpressions: [{ key: 'app', operator: 'Exists' as const }] }
  const monitor = {
    kind: 'PodMonitor',
    metadata,
    spec: { selector, podMetricsEndpoints: [{ port: 'http' }] },
  } as unknown as Frozen<PodMonitor>
  const labels = { job: 'shop/web', namespace: 'shop', container: 'c', endpoint: 'http' }
  expect(podTargets(stack(['shop']), { monitor, port: 'http' }, view({ pods }))).toEqual([
    { targets: ['10.0.0.1:80'], labels: { ...labels, pod: 'a' } },
    { targets: ['10.0.0.2:80'], labels: { ...labels, pod: 'b' } },
  ])
})
