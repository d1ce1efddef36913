import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase, Request } from '../conformance-case.ts'
import {
  apply,
  configMap,
  core,
  del,
  deployment,
  get,
  grouped,
  merge,
  post,
  put,
  scenario,
  setup,
  strategic,
  watching,
} from '../requests.ts'
import { crd, open, specSchema, version, widget, widgets, withWidgets } from './widgets.ts'

const configMaps = core('configmaps')
const jobs = grouped('batch/v1', 'jobs')
const events = grouped('events.k8s.io/v1', 'events')
const leases = grouped('coordination.k8s.io/v1', 'leases')
const autoscalers = grouped('autoscaling/v1', 'horizontalpodautoscalers')
const claims = core('persistentvolumeclaims')

const methods = ['POST', 'PATCH', 'FOO', 'OPTIONS', 'DELETE', 'TRACE'] as const
const withMethods = (path: string): Request[] =>
  methods.map((method) => ({ method, path, show: ['kind', 'message'] }))
const accepting = (accept: string): { headers: Record<string, string> } => ({ headers: { accept } })
const table = 'application/json;as=Table;v=v2;g=meta.k8s.io'
const partialList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
const applied = (path: string, config: JsonObject, extra: Partial<Request> = {}): Request =>
  apply(`${path}?fieldManager=m`, config, extra)
const job = {
  metadata: { name: 'a' },
  spec: {
    template: {
      spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
    },
  },
}
const event = {
  action: 'Do',
  eventTime: '2026-01-01T00:00:00.000000Z',
  metadata: { name: 'a' },
  reason: 'Did',
  regarding: { namespace: '{ns}' },
  reportingController: 'example.com/c',
  reportingInstance: 'c-1',
  type: 'Normal',
}
const autoscaler = {
  metadata: { name: 'a' },
  spec: {
    maxReplicas: 3,
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
  },
}
const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'a' } }

/** What random requests found, one case for each class of differences. */
export const fuzzFoundCases: readonly ConformanceCase[] = [
  scenario('groups answer to every method, versions only to GET', [
    ...withMethods('/apis/apps'),
    ...withMethods('/apis/apps/v1'),
    ...withMethods('/api'),
    ...withMethods('/version'),
  ]),
  scenario('a method that is not allowed comes before an unknown media type', [
    { method: 'FOO', path: configMaps, ...accepting(',') },
    { method: 'HEAD', path: configMaps, ...accepting('text/plain') },
    { method: 'PATCH', path: '/api/v1/configmaps', body: {}, ...accepting(table) },
    { method: 'PATCH', path: `${configMaps}/a%2fx`, body: {}, ...accepting('application/*') },
    post(configMaps, {}, accepting('application/*')),
    get(configMaps, accepting('application/*')),
    { method: 'PATCH', path: '/api/v1/watch/namespaces/{ns}/namespaces', body: {} },
  ]),
  withWidgets('a custom resource outside of a namespace has only lists', crd([version(open)]), [
    ...(['PUT', 'PATCH', 'OPTIONS', 'POST', 'DELETE'] as const).map((method): Request => ({
      method,
      path: '/apis/{ns}.example.com/v1/widgets',
      body: {},
    })),
    { method: 'PATCH', path: widgets, body: {}, ...accepting('text/plain') },
    get(widgets, { ...accepting(partialList), show: ['items', 'kind'] }),
  ]),
  scenario('deletions with preconditions in the query', [
    setup(post(configMaps, configMap('a'))),
    del(`${configMaps}/a?resourceVersion=0`),
    del(`${configMaps}/a?resourceVersion=x`),
    del(`${configMaps}/a?uid=x`),
    del(`${configMaps}/a?uid=&resourceVersion=`),
  ]),
  scenario('options of a deletion that name a kind', [
    setup(post(configMaps, configMap('a'))),
    del(`${configMaps}/a`, { kind: 'Pod' }),
    del(`${configMaps}/a`, { kind: 'Pod', apiVersion: '' }),
    del(`${configMaps}/a`, { kind: '', gracePeriodSeconds: 'x' }),
    del(`${configMaps}/a`, { kind: '', dryRun: [''] }),
    del(`${configMaps}/a`, { kind: '', preconditions: { resourceVersion: '' } }),
  ]),
  scenario('the deletion of a collection checks its list options first', [
    del(`${configMaps}?fieldSelector=metadata.name`, { propagationPolicy: 'x' }),
    del(`${configMaps}?timeoutSeconds=1.5`, { dryRun: ['x'] }),
    del(`${jobs}?labelSelector=a%20in%20(`),
  ]),
  scenario('the order of wrong list options', [
    get(`${configMaps}?limit=x&timeoutSeconds=99999999999999999999`),
    watching(`${configMaps}?watch=1&timeoutSeconds=1&sendInitialEvents=x&continue=x`, []),
    get(`${configMaps}?watch=1&fieldSelector=status.phase%3Dx`, accepting('application/yaml')),
  ]),
  scenario('an unauthorized list with a selector that cannot be parsed', [
    get('/api/v1/namespaces?labelSelector=a%20in%20(&fieldSelector=metadata.name=a', {
      headers: { authorization: '' },
    }),
    get('/api/v1/namespaces?fieldSelector=metadata.name=a', { headers: { authorization: '' } }),
  ]),
  scenario('an empty list of metadata', [
    get(configMaps, { ...accepting(partialList), show: ['items', 'kind'] }),
  ]),
  withWidgets('an object of a custom kind without a usable apiVersion', crd([version(open)]), [
    post(widgets, { kind: 'Widget', metadata: { name: 'a' } }),
    post(widgets, { apiVersion: null, kind: 'Widget', metadata: { name: 'a' } }),
    put(`${widgets}/a`, { apiVersion: '', kind: 'Widget', metadata: { name: 'a' } }),
    post(widgets, { apiVersion: 'a/b/c', kind: 'Widget', metadata: { name: 'a' } }),
    post(widgets, { text: '{"apiVersion":"x", "metadata":{"a":null}}' }),
    setup(post(widgets, widget())),
    get(`${widgets}/w`, accepting(partialList)),
    applied(`${widgets}/w`, widget({}, { name: null })),
  ]),
  scenario('an object of a built-in kind with an odd apiVersion', [
    ...['http://a', 'a/b/c', 'a/', '/v1', '/', '\u0000', 'a\tb'].map((apiVersion) =>
      post(`${configMaps}?dryRun=All`, {
        apiVersion,
        kind: 'ConfigMap',
        metadata: { name: 'a' },
      }),
    ),
    post(configMaps, { apiVersion: 'v1', kind: 'C\u00e9"' }),
  ]),
  withWidgets(
    'the replicas of a custom resource have another type',
    crd([
      version(specSchema({ replicas: { type: 'integer' } }), {
        subresources: {
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      }),
    ]),
    [[], ['b'], {}, { a: { b: 1 } }, 'x', true].map((replicas) =>
      post(widgets, widget({ spec: { replicas } })),
    ),
  ),
  scenario('an apply whose result cannot be converted', [
    applied(`${claims}/a`, { ...claim, spec: { resources: { limits: { a: '2020-01-01' } } } }),
    applied(`${configMaps}/a`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
      binaryData: { k: 'a-b' },
    }),
    applied(`${core('services')}/a`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { ports: [{ port: 1, targetPort: 9007199254740991 }] },
    }),
    applied(`${configMaps}/a`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', creationTimestamp: 'x' },
    }),
  ]),
  scenario('an integer that is too large overflows in an apply and a strategic patch', [
    setup(post(autoscalers, autoscaler)),
    applied(`${autoscalers}/a/status`, {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      status: { currentReplicas: 256, desiredReplicas: 2147483648 },
    }),
    setup(post(grouped('apps/v1', 'deployments'), deployment('d'))),
    strategic(`${grouped('apps/v1', 'deployments')}/d`, { spec: { replicas: 4294967298 } }),
    merge(`${grouped('apps/v1', 'deployments')}/d`, { spec: { replicas: 4294967298 } }),
  ]),
  scenario('an apply with another name', [
    applied(`${configMaps}/a`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: {} } }),
    applied(`${configMaps}/a`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } }),
    applied(`${configMaps}/a`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { uid: '00000000-0000-4000-8000-000000000002' },
    }),
    applied(`${configMaps}/a`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', selfLink: '/a' },
    }),
    applied(`${claims}/a/status`, { ...claim, spec: { unknown: 1 } }),
  ]),
  scenario('a revision that is not a number', [
    put(`${leases}/a`, { metadata: { name: 'a', resourceVersion: 'x' } }),
    post(configMaps, { metadata: { name: 'a', resourceVersion: 'x' } }),
    post(configMaps, { metadata: { name: 'b', resourceVersion: '0' } }),
    post(configMaps, { metadata: { name: 'c', resourceVersion: '5' } }),
  ]),
  scenario('a new object has a name and a prefix, and the name exists', [
    setup(post(configMaps, configMap('a'))),
    post(
      configMaps,
      { metadata: { name: 'a', generateName: 'b-' } },
      { showHeaders: ['retry-after'] },
    ),
  ]),
  scenario('metadata that an update cannot set', [
    setup(post(configMaps, configMap('a'))),
    put(`${configMaps}/a`, { metadata: { name: 'a', deletionGracePeriodSeconds: 5 } }),
    put(`${configMaps}/a`, { metadata: { name: 'a', deletionTimestamp: '2020-01-01T00:00:00Z' } }),
    merge('/api/v1/namespaces/{ns}', { metadata: { annotations: { 'http://a': 'x' } } }),
  ]),
  scenario('the content type comes before the options of a create', [
    post(`${configMaps}?dryRun=None`, {}, { headers: { 'content-type': 'text/plain' } }),
    put(`${configMaps}/a?dryRun=None`, {}, { headers: { 'content-type': 'text/plain' } }),
    { method: 'PATCH', path: `${core('endpoints')}/a`, body: {} },
  ]),
  scenario('a job without labels has those of its template', [
    setup(post(jobs, job)),
    put(`${jobs}/a/status`, { metadata: { name: 'a' }, status: {} }),
  ]),
  scenario('the status of an old autoscaler is not written with its spec', [
    post(autoscalers, { ...autoscaler, status: { currentCPUUtilizationPercentage: 1 } }),
    put(`${autoscalers}/a`, {
      ...autoscaler,
      status: { currentCPUUtilizationPercentage: 1, currentReplicas: 2, desiredReplicas: 3 },
    }),
  ]),
  scenario('an event has no dependents', [
    setup(post(events, event)),
    del(`${events}/a`, { propagationPolicy: 'Orphan' }),
    setup(post(events, event)),
    put(`${events}/a`, { ...event, action: '' }),
  ]),
  scenario('a strategic patch of a field without a type', [
    setup(
      post(grouped('apps/v1', 'controllerrevisions'), {
        metadata: { name: 'a' },
        data: { spec: {} },
        revision: 1,
      }),
    ),
    strategic(`${grouped('apps/v1', 'controllerrevisions')}/a`, { data: { spec: {} } }),
  ]),
  scenario('the proxy of a service without endpoints', [
    setup(post(core('services'), { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } })),
    get(`${core('services')}/a/proxy`),
    get(`${core('services')}/b/proxy`),
  ]),
  scenario('the order of conversion errors', [
    setup(post(grouped('autoscaling/v2', 'horizontalpodautoscalers'), autoscaler)),
    applied(`${grouped('autoscaling/v2', 'horizontalpodautoscalers')}/a/status`, {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      status: { lastScaleTime: 'a b', desiredReplicas: 1 },
      spec: { maxReplicas: -1.5 },
    }),
    setup(post(core('limitranges'), { metadata: { name: 'a' } })),
    strategic(`${core('limitranges')}/a`, { spec: { limits: [{ max: false }] } }),
    setup(
      post(grouped('batch/v1', 'cronjobs'), {
        metadata: { name: 'a' },
        spec: { schedule: '* * * * *', jobTemplate: { spec: job.spec } },
      }),
    ),
    strategic(`${grouped('batch/v1', 'cronjobs')}/a/status`, {
      status: { lastSuccessfulTime: '10%', lastScheduleTime: 'x' },
    }),
  ]),
  scenario('quotes of names in errors', [
    post(core('replicationcontrollers'), {
      metadata: { name: 'a', generateName: 'example.com/a' },
      spec: {
        template: {
          metadata: { labels: { a: 'b' } },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        },
      },
    }),
    setup(post('/api/v1/nodes', { metadata: { name: 'a-{ns}' } })),
    merge('/api/v1/nodes/a-{ns}/status', { status: { declaredFeatures: ['\u0000'] } }),
    post(grouped('autoscaling/v2', 'horizontalpodautoscalers'), {
      ...autoscaler,
      spec: {
        ...autoscaler.spec,
        metrics: [{ type: 'x', resource: { name: 'cpu', target: { type: '\u0000' } } }],
      },
    }),
  ]),
  scenario('the generation of an endpoint slice counts what was sent', [
    setup(
      post(grouped('discovery.k8s.io/v1', 'endpointslices'), {
        metadata: { name: 'a' },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['1.2.3.4'] }],
      }),
    ),
    put(`${grouped('discovery.k8s.io/v1', 'endpointslices')}/a`, {
      metadata: { name: 'a' },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['1.2.3.4'], deprecatedTopology: { a: 'b' } }],
    }),
  ]),
  scenario('the first events of a watch of daemon sets', [
    watching(
      `${grouped('apps/v1', 'daemonsets')}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      [],
      { events: 1 },
    ),
  ]),
  withWidgets(
    'a custom object without a kind whose fields are not validated',
    crd([version(open)]),
    [
      post(`${widgets}?fieldValidation=Ignore`, { ...widget(), kind: null }),
      post(`${widgets}?fieldValidation=Warn`, { ...widget(), kind: null }),
    ],
  ),
]
