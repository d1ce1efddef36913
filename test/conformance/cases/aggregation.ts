import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase, Request, Step } from '../conformance-case.ts'
import { as, core, del, get, post, scenario, setup } from '../requests.ts'

const services = '/apis/apiregistration.k8s.io/v1/apiservices'
const group = '{ns}.example.com'
const one = `/apis/${group}/v1`
const widgets = `${one}/namespaces/{ns}/widgets`
const aggregated = {
  headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' },
}

/** A Service that leads to this machine. */
function service(externalName = 'localhost'): Request {
  const spec = { type: 'ExternalName', externalName }
  return setup(post(core('services'), { metadata: { name: 'backend' }, spec }))
}

type Port = '{modernPort}' | '{legacyPort}' | 1

interface ApiServiceOptions {
  readonly version?: string
  readonly groupName?: string
  readonly port?: Port
  readonly spec?: JsonObject
}

/** An APIService of a server behind the Service. Its priority makes it the second group. */
function apiService({
  version = 'v1',
  groupName = group,
  port = '{modernPort}',
  spec = {},
}: ApiServiceOptions = {}): Request {
  const object = {
    metadata: { name: `${version}.${groupName}` },
    spec: {
      group: groupName,
      version,
      groupPriorityMinimum: 20_000,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: { namespace: '{ns}', name: 'backend', port },
      ...spec,
    },
  }
  // The ports are numbers.
  const text = JSON.stringify(object).replace(/"(\{\w+Port\})"/, '$1')
  return setup(post(services, { text }))
}

const conditions = { show: ['status.conditions'] } as const

/** The condition, when it has this reason. */
function condition(reason: string, name = `v1.${group}`): Request {
  const until = { path: 'status.conditions.0.reason', value: reason }
  return get(`${services}/${name}`, { ...conditions, until })
}

const available = setup(condition('Passed'))

function aggregation(name: string, steps: readonly Step[], others: readonly string[] = []) {
  const cleanup = [`v1.${group}`, ...others].map((each) => `${services}/${each}`)
  return scenario(name, steps, { cleanup })
}

const forged = {
  headers: {
    'x-remote-user': 'root',
    'x-remote-group': 'system:masters',
    'x-remote-uid': '0',
    'x-remote-extra-scopes': 'all',
    'x-forwarded-for': '192.0.2.1',
    'x-own': 'kept',
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  },
}

const proxied: readonly ConformanceCase[] = [
  aggregation('the condition of an available server', [
    service(),
    apiService(),
    condition('Passed'),
  ]),
  aggregation('requests are passed on with the user in headers', [
    service(),
    apiService(),
    available,
    get(one),
    get(widgets),
    get(`${widgets}/echo`),
    get(`${widgets}/echo`, forged),
    get(`${widgets}/echo?b=2&a=x%20y&b=1&c=~%2F*&empty`),
    get(`${widgets}/with%20space`),
    get(`${widgets}/echo/status`),
    get(`${one}/widgets?limit=5`),
    post(widgets, { kind: 'Widget', metadata: { name: 'sent' } }),
    del(`${widgets}/echo`),
    del(`${widgets}/echo`, { propagationPolicy: 'Foreground' }),
    { method: 'PATCH', path: `${widgets}/echo`, body: { text: '  not json' } },
    { method: 'HEAD', path: `${widgets}/echo` },
    { method: 'OPTIONS', path: `${widgets}/echo` },
  ]),
  aggregation('impersonated users are passed on', [
    service(),
    apiService(),
    available,
    get(`${widgets}/echo`, {
      headers: {
        'impersonate-user': 'jane',
        'impersonate-group': 'system:masters',
        'impersonate-uid': 'u-1',
        'impersonate-extra-acme.com%2fproject': 'some',
      },
    }),
    get(`${widgets}/echo`, as('jane')),
    get(one, as('jane')),
  ]),
  aggregation('answers are passed back', [
    service(),
    apiService(),
    available,
    get(`${widgets}/teapot`),
    get(`${widgets}/status`),
    get(`${widgets}/redirect`),
    get(`${widgets}/headers`, { showHeaders: ['x-own', 'access-control-allow-origin'] }),
    get(`${widgets}/cached`, { showHeaders: ['cache-control'] }),
    { watch: `${widgets}?watch=1`, during: [] },
    get(`${one}/unknown/path/of/the/server`),
    get(`${one}/`),
  ]),
]

const unavailable: readonly ConformanceCase[] = [
  aggregation('a Service that does not exist', [
    apiService(),
    condition('ServiceNotFound'),
    get(one),
    get(widgets),
    get('/apis', { show: ['groups.1'] }),
    get(`/apis/${group}`),
    get('/apis', { ...aggregated, show: ['items.1'] }),
  ]),
  aggregation('a server that refuses connections', [
    service('127.0.0.1'),
    apiService({ port: 1 }),
    condition('FailedDiscoveryCheck'),
    get(widgets),
    get('/apis', { ...aggregated, show: ['items.1'] }),
  ]),
  aggregation(
    'a server that does not have the version',
    [
      service(),
      apiService({ groupName: 'missing.{ns}.example.com' }),
      get(`${services}/v1.missing.{ns}.example.com`, {
        show: ['status.conditions.0.reason', 'status.conditions.0.status'],
        until: { path: 'status.conditions.0.reason', value: 'FailedDiscoveryCheck' },
      }),
      get('/apis/missing.{ns}.example.com/v1'),
      get('/apis', { ...aggregated, show: ['items.1'] }),
    ],
    ['v1.missing.{ns}.example.com'],
  ),
  aggregation('a Service without the port', [
    setup(
      post(core('services'), { metadata: { name: 'backend' }, spec: { ports: [{ port: 80 }] } }),
    ),
    apiService({ port: 1 }),
    condition('ServicePortError'),
  ]),
  aggregation('a Service without endpoints', [
    setup(
      post(core('services'), { metadata: { name: 'backend' }, spec: { ports: [{ port: 1 }] } }),
    ),
    apiService({ port: 1 }),
    condition('EndpointsNotFound'),
    setup(
      post('/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices', {
        metadata: { name: 'backend', labels: { 'kubernetes.io/service-name': 'backend' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['192.0.2.1'], conditions: { ready: false } }],
        ports: [{ name: '', port: 1 }],
      }),
    ),
    condition('MissingEndpoints'),
  ]),
  aggregation('a headless Service', [
    setup(
      post(core('services'), {
        metadata: { name: 'backend' },
        spec: { clusterIP: 'None', ports: [{ port: 1 }] },
      }),
    ),
    setup(
      post('/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices', {
        metadata: { name: 'backend', labels: { 'kubernetes.io/service-name': 'backend' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['192.0.2.1'] }],
        ports: [{ name: '', port: 1 }],
      }),
    ),
    apiService({ port: 1 }),
    condition('FailedDiscoveryCheck'),
  ]),
  aggregation('a server that becomes available, and is removed', [
    apiService(),
    condition('ServiceNotFound'),
    service(),
    condition('Passed'),
    get(widgets),
    setup(del(`${services}/v1.${group}`)),
    get(widgets, { until: { code: 404 } }),
    get(`/apis/${group}`, { until: { code: 404 } }),
  ]),
]

const documents: readonly ConformanceCase[] = [
  aggregation(
    'the groups and versions in discovery',
    [
      service(),
      apiService(),
      apiService({ version: 'v2', spec: { versionPriority: 20 } }),
      apiService({ version: 'v1beta1' }),
      available,
      setup(condition('Passed', `v2.${group}`)),
      setup(condition('Passed', `v1beta1.${group}`)),
      get(`/apis/${group}`),
      get('/apis', { show: ['groups.0.name', 'groups.1', 'groups.2.name'] }),
      ...[0, 1, 2].map((index) => {
        const until = { path: `items.1.versions.${index}.freshness`, value: 'Current' }
        return setup(get('/apis', { ...aggregated, until }))
      }),
      get('/apis', { ...aggregated, show: ['items.0.metadata', 'items.1', 'items.2.metadata'] }),
      get(`/apis/${group}/v3`),
    ],
    [`v2.${group}`, `v1beta1.${group}`],
  ),
  aggregation('the discovery of a server that has only a list of resources', [
    service(),
    apiService({ port: '{legacyPort}' }),
    available,
    get('/apis', {
      ...aggregated,
      show: ['items.1'],
      until: { path: 'items.1.versions.0.freshness', value: 'Current' },
    }),
  ]),
  aggregation('the OpenAPI documents of a server', [
    service(),
    apiService(),
    available,
    get(`/openapi/v3${one}`, { until: { code: 200 } }),
    get(`/openapi/v3${one}?hash=OTHER`),
  ]),
]

/** APIServices whose server is another one. */
export const aggregationCases: readonly ConformanceCase[] = [
  ...proxied,
  ...unavailable,
  ...documents,
]
