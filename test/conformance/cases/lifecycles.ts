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
  operations,
  pod,
  post,
  put,
  scenario,
  setup,
  watching,
} from '../requests.ts'
import { crd, open, version, widget, widgets, withWidgets } from './widgets.ts'

const configMaps = core('configmaps')
const pods = core('pods')
const services = core('services')
const jobs = grouped('batch/v1', 'jobs')
const leases = grouped('coordination.k8s.io/v1', 'leases')
const autoscalers = (v: string): string => grouped(`autoscaling/${v}`, 'horizontalpodautoscalers')
const events = core('events')
const newEvents = grouped('events.k8s.io/v1', 'events')
const uid = '00000000-0000-0000-0000-000000000001'
const owner = (extra: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'o',
  uid,
  ...extra,
})
const held = (finalizers: string[]): Request =>
  setup(post(configMaps, { metadata: { name: 'h', finalizers } }))
const names = [
  'kind',
  'metadata',
  'items.0.metadata.name',
  'items.1.metadata.name',
  'items.2.metadata.name',
  'code',
  'message',
  'details',
  'status',
]
const many = ['a', 'b', 'c'].map((name) =>
  setup(post(configMaps, { metadata: { name, labels: { n: name, all: 'x' } } })),
)

const collections: readonly (readonly [string, string, JsonObject?])[] = [
  ['a selector of labels', '?labelSelector=n%3Da'],
  ['a selector that is wrong', '?labelSelector=%3D'],
  ['a selector of fields', '?fieldSelector=metadata.name!%3Da'],
  ['a field that is not selectable', '?fieldSelector=data%3Da'],
  ['a limit', '?limit=1'],
  ['an exact revision of nothing', '?resourceVersion=0&resourceVersionMatch=Exact'],
  ['a dry run in the body', '', { dryRun: ['All'] }],
  ['a policy in the body', '', { propagationPolicy: 'Foreground' }],
  ['a wrong policy in the body', '', { propagationPolicy: 'Nonsense' }],
  ['preconditions in the body', '', { preconditions: { uid } }],
  ['a policy in the query', '?propagationPolicy=Orphan'],
  ['a grace in the query', '?gracePeriodSeconds=0'],
  ['a kind in the body', '', { kind: 'ConfigMap', apiVersion: 'v1' }],
  ['options in query and body', '?dryRun=All', { propagationPolicy: 'Background' }],
]
const owners: readonly (readonly [string, JsonObject[]])[] = [
  ['no version', [owner({ apiVersion: '' })]],
  ['a bad version', [owner({ apiVersion: 'a/b/c' })]],
  ['no kind', [owner({ kind: '' })]],
  ['no name', [owner({ name: '' })]],
  ['no uid', [owner({ uid: '' })]],
  ['an event', [owner({ kind: 'Event' })]],
  ['an event of the other group', [owner({ apiVersion: 'events.k8s.io/v1', kind: 'Event' })]],
  [
    'two controllers',
    [
      owner({ controller: true }),
      owner({ uid: uid.replace('1', '2'), name: 'p', controller: true }),
    ],
  ],
  ['the same twice', [owner(), owner()]],
  ['the same uid with other names', [owner(), owner({ name: 'p' })]],
  ['flags', [owner({ controller: true, blockOwnerDeletion: true })]],
]

/** From creation to deletion: owners, finalizers, collections, and objects with two versions. */
export const lifecycleCases: readonly ConformanceCase[] = [
  ...collections.map(([name, query, body]) =>
    scenario(`a collection is deleted with ${name} the same way`, [
      ...many,
      del(`${configMaps}${query}`, body, { show: names }),
      get(configMaps, { show: names }),
    ]),
  ),
  ...owners.map(([name, ownerReferences]) =>
    scenario(`an owner with ${name} is accepted or refused the same way`, [
      post(configMaps, { metadata: { name: 'a', ownerReferences } }),
      setup(post(configMaps, configMap('b'))),
      merge(`${configMaps}/b`, { metadata: { ownerReferences } }),
    ]),
  ),
  scenario('a pod that is deleted immediately is MODIFIED first', [
    setup(get(pods, { capture: { rv: 'metadata.resourceVersion' } })),
    watching(
      `${pods}?watch=true&resourceVersion={rv}`,
      [setup(post(pods, pod('p'))), setup(del(`${pods}/p`))],
      { events: 3 },
    ),
  ]),
  scenario('a pod with a finalizer and a node waits for both', [
    setup(
      post(pods, {
        ...pod('p', { nodeName: 'n' }),
        metadata: { name: 'p', finalizers: ['example.com/x'] },
      }),
    ),
    del(`${pods}/p`, { gracePeriodSeconds: 10 }),
    del(`${pods}/p`, { gracePeriodSeconds: 20 }, { show: ['metadata.deletionGracePeriodSeconds'] }),
    del(
      `${pods}/p`,
      { gracePeriodSeconds: 5 },
      { show: ['metadata.deletionGracePeriodSeconds', 'metadata.generation'] },
    ),
    merge(
      `${pods}/p`,
      { metadata: { finalizers: null } },
      { show: ['metadata.finalizers', 'metadata.deletionGracePeriodSeconds'] },
    ),
    get(`${pods}/p`, { show: ['metadata.deletionGracePeriodSeconds'] }),
    del(
      `${pods}/p`,
      { gracePeriodSeconds: 0 },
      { show: ['kind', 'metadata.deletionGracePeriodSeconds'] },
    ),
    get(`${pods}/p`, { show: ['code'] }),
  ]),
  scenario('a pod that is being deleted may finish', [
    setup(post(pods, pod('p', { nodeName: 'n' }))),
    setup(del(`${pods}/p`)),
    merge(
      `${pods}/p/status`,
      { status: { phase: 'Succeeded' } },
      { show: ['status.phase', 'metadata.deletionGracePeriodSeconds'] },
    ),
    merge(
      `${pods}/p`,
      { metadata: { deletionTimestamp: null } },
      { show: ['code', 'message', 'metadata.deletionGracePeriodSeconds'] },
    ),
    merge(
      `${pods}/p`,
      { metadata: { deletionGracePeriodSeconds: 1 } },
      { show: ['code', 'message', 'metadata.deletionGracePeriodSeconds'] },
    ),
    post(pods, pod('p')),
  ]),
  scenario('finalizers of propagation are replaced by the next deletion', [
    held(['example.com/x']),
    del(`${configMaps}/h`, { propagationPolicy: 'Orphan' }),
    del(`${configMaps}/h`, { propagationPolicy: 'Foreground' }),
    del(`${configMaps}/h`, { propagationPolicy: 'Background' }),
    del(`${configMaps}/h`),
    del(`${configMaps}/h`, { preconditions: { uid } }),
    del(`${configMaps}/h`, { dryRun: ['All'] }, { show: ['metadata.finalizers'] }),
    operations(`${configMaps}/h`, [{ op: 'remove', path: '/metadata/finalizers/0' }]),
    get(`${configMaps}/h`),
  ]),
  scenario('finalizers of the server keep their meaning', [
    held(['foregroundDeletion']),
    del(`${configMaps}/h`),
    merge(`${configMaps}/h`, { metadata: { finalizers: ['foregroundDeletion', 'example.com/y'] } }),
    merge(
      `${configMaps}/h`,
      { metadata: { finalizers: null } },
      { show: ['kind', 'metadata.finalizers'] },
    ),
  ]),
  scenario('a job orphans its pods by default', [
    setup(
      post(jobs, {
        metadata: { name: 'j' },
        spec: {
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
        },
      }),
    ),
    del(`${jobs}/j?dryRun=All`),
    del(`${jobs}/j`),
    get(`${jobs}/j`, { show: ['metadata.finalizers', 'metadata.deletionGracePeriodSeconds'] }),
  ]),
  scenario('a deletion by the wrong identity is refused', [
    setup(
      post(configMaps, configMap('a'), {
        capture: { rv: 'metadata.resourceVersion', uid: 'metadata.uid' },
      }),
    ),
    setup(merge(`${configMaps}/a`, { data: { k: 'w' } })),
    del(`${configMaps}/a`, { preconditions: { resourceVersion: '{rv}' } }),
    del(`${configMaps}/a`, { preconditions: { uid: '{uid}', resourceVersion: '{rv}' } }),
    del(`${configMaps}/a`, { preconditions: { uid } }),
    del(`${configMaps}/a`, { preconditions: { uid: '' } }),
  ]),
  scenario('options of deletions in query and body', [
    setup(post(configMaps, configMap('a'))),
    del(`${configMaps}/a?propagationPolicy=Nonsense`, {
      propagationPolicy: 'Background',
      dryRun: ['All'],
    }),
    del(`${configMaps}/a?dryRun=All`, { propagationPolicy: 'Background' }),
    del(`${configMaps}/a?dryRun=All&dryRun=All`),
    del(`${configMaps}/a?gracePeriodSeconds=-1&dryRun=All`),
    del(`${configMaps}/a?orphanDependents=abc&dryRun=All`),
    del(`${configMaps}/a?orphanDependents=true&propagationPolicy=Orphan`),
    del(`${configMaps}/a?preconditions.uid=${uid}&dryRun=All`),
    del(`${configMaps}/a?fieldValidation=Strict&nonsense=1&dryRun=All`),
    del(`${configMaps}/a`, { gracePeriodSeconds: 'x' }),
    del(`${configMaps}/a`, { dryRun: 'All' }),
    del(`${configMaps}/a`, []),
    del(`${configMaps}/a`, null),
    del(`${configMaps}/a`, { ignoreStoreReadErrorWithClusterBreakingPotential: true }),
  ]),
  withWidgets(
    'a custom resource is kept by a finalizer, orphaned and deleted',
    crd([version(open)]),
    [
      setup(post(widgets, widget({}, { finalizers: ['example.com/x'] }))),
      del(`${widgets}/w`),
      del(`${widgets}/w`, { propagationPolicy: 'Foreground' }),
      merge(`${widgets}/w`, { spec: { a: 1 } }, { show: ['metadata.generation', 'spec'] }),
      merge(`${widgets}/w`, {
        metadata: { finalizers: ['example.com/x', 'example.com/y', 'foregroundDeletion'] },
      }),
      apply(`${widgets}/w?fieldManager=x`, widget({ spec: { b: 1 } }), {
        show: ['metadata.generation', 'spec'],
      }),
      merge(`${widgets}/w`, { metadata: { finalizers: [] } }),
      get(`${widgets}/w`),
      del(`${widgets}/w`),
      del(widgets, undefined, { show: names }),
    ],
  ),
  scenario('a generated name is made of its prefix', [
    post(
      configMaps,
      { metadata: { generateName: 'generated-' } },
      { show: ['metadata.name', 'metadata.generateName'] },
    ),
    post(configMaps, { metadata: { generateName: 'x'.repeat(260) } }, { show: ['code', 'reason'] }),
    post(configMaps, { metadata: { generateName: 'UPPER-generated-' } }),
    post(configMaps, { metadata: { generateName: 'a.b.' } }, { show: ['metadata.generateName'] }),
    post(
      `${configMaps}?dryRun=All`,
      { metadata: { generateName: 'generated-' } },
      { show: ['metadata.name'] },
    ),
    put(`${configMaps}/a`, { metadata: { generateName: 'a' } }),
  ]),
  scenario('names and namespaces of URL and body must agree', [
    setup(post(configMaps, configMap('a'))),
    put(`${configMaps}/a`, configMap('b')),
    put(`${configMaps}/a`, { metadata: { name: 'a', namespace: 'elsewhere' } }),
    put(`${configMaps}/a`, { metadata: {} }),
    put(`${configMaps}/a`, {}),
    put(
      '/api/v1/namespaces/{ns}',
      { metadata: { name: '{ns}', namespace: 'x' } },
      { show: ['code', 'message', 'metadata.namespace'] },
    ),
    post('/api/v1/configmaps', configMap('a')),
    put('/api/v1/configmaps/a', configMap('a')),
    post('/api/v1/namespaces/none/configmaps', configMap('a')),
    post('/api/v1/namespaces/none/pods', pod('a')),
    put('/api/v1/namespaces/none/configmaps/a', configMap('a')),
    get('/api/v1/namespaces/none/configmaps', { show: names }),
    apply('/api/v1/namespaces/none/configmaps/a?fieldManager=x', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
    }),
  ]),
  scenario('an existing object cannot be created', [
    setup(post(configMaps, configMap('a'))),
    post(configMaps, configMap('a')),
    post(`${configMaps}?dryRun=All`, configMap('a')),
    post(configMaps, { metadata: { name: 'a', resourceVersion: '1' } }),
    post(configMaps, { metadata: { name: 'a' }, data: { '': 'x' } }),
  ]),
  ...(
    [
      ['services', services, { spec: { ports: [{ port: 80 }] } }],
      ['leases', leases, {}],
      ['endpoints', core('endpoints'), {}],
      ['limit ranges', core('limitranges'), {}],
      ['config maps', configMaps, {}],
      ['secrets', core('secrets'), {}],
      ['pods', pods, { spec: { containers: [{ name: 'c', image: 'i' }] } }],
      ['deployments', grouped('apps/v1', 'deployments'), deployment('x')],
      ['ingresses', grouped('networking.k8s.io/v1', 'ingresses'), {}],
    ] satisfies [string, string, JsonObject][]
  ).map(([name, path, body]) =>
    scenario(`a replacement of absent ${name} gets the same answer`, [
      put(
        `${path}/x`,
        { ...body, metadata: { name: 'x' } },
        { show: ['kind', 'code', 'message', 'reason', 'metadata'] },
      ),
      put(
        `${path}/y`,
        { ...body, metadata: { name: 'y', resourceVersion: '5' } },
        { show: ['kind', 'code', 'message', 'reason', 'metadata'] },
      ),
      put(
        `${path}/z`,
        { ...body, metadata: { name: 'z', uid } },
        { show: ['kind', 'code', 'message', 'reason', 'metadata'] },
      ),
    ]),
  ),
  scenario('an event has two versions', [
    post(events, {
      metadata: { name: 'old' },
      involvedObject: {
        kind: 'Pod',
        name: 'p',
        namespace: '{ns}',
        apiVersion: 'v1',
        fieldPath: 'x',
      },
      reason: 'R',
      message: 'M',
      type: 'Normal',
      count: 3,
      source: { component: 'me', host: 'h' },
      firstTimestamp: '2020-01-01T00:00:00Z',
      lastTimestamp: '2020-01-01T00:00:01Z',
    }),
    get(`${newEvents}/old`),
    post(newEvents, {
      metadata: { name: 'new' },
      regarding: { kind: 'Pod', name: 'p', namespace: '{ns}' },
      related: { kind: 'Node', name: 'n' },
      reason: 'R',
      note: 'N',
      type: 'Warning',
      action: 'A',
      eventTime: '2020-01-01T00:00:00.000001Z',
      reportingController: 'example.com/c',
      reportingInstance: 'i',
      series: { count: 2, lastObservedTime: '2020-01-01T00:00:05.000000Z' },
    }),
    get(`${events}/new`),
    post(newEvents, {
      metadata: { name: 'bad' },
      regarding: {},
      reason: '',
      note: 'x'.repeat(1025),
      type: 'Odd',
      eventTime: null,
    }),
    post(events, { metadata: { name: 'bad' }, involvedObject: { namespace: 'elsewhere' } }),
    merge(
      `${newEvents}/new`,
      { series: { count: 3 } },
      { show: ['series', 'deprecatedCount', 'code', 'message'] },
    ),
    merge(`${newEvents}/new`, { note: 'other' }),
    merge(`${events}/old`, { count: 4, message: 'again' }, { show: ['count', 'message'] }),
    get(events, {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
      show: ['columnDefinitions.0.name', 'columnDefinitions.4.name'],
    }),
  ]),
  scenario('an autoscaler has two versions', [
    post(autoscalers('v1'), {
      metadata: { name: 'one' },
      spec: {
        maxReplicas: 3,
        minReplicas: 2,
        targetCPUUtilizationPercentage: 70,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      },
    }),
    get(`${autoscalers('v2')}/one`),
    post(autoscalers('v2'), {
      metadata: { name: 'two' },
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
          },
        ],
      },
    }),
    get(`${autoscalers('v1')}/two`),
    merge(
      `${autoscalers('v1')}/two`,
      { spec: { targetCPUUtilizationPercentage: 80 } },
      { show: ['spec', 'metadata.managedFields'] },
    ),
    get(`${autoscalers('v2')}/two`, { show: ['spec', 'metadata.managedFields'] }),
    post(autoscalers('v1'), {
      metadata: { name: 'bad' },
      spec: { maxReplicas: 0, minReplicas: -1, scaleTargetRef: {} },
    }),
    post(autoscalers('v2'), {
      metadata: { name: 'bad' },
      spec: {
        maxReplicas: 1,
        minReplicas: 2,
        scaleTargetRef: { kind: 'a/b', name: '..' },
        metrics: [{ type: 'Odd' }],
      },
    }),
  ]),
  scenario('a lease is validated', [
    post(leases, {
      metadata: { name: 'l' },
      spec: {
        leaseDurationSeconds: 0,
        leaseTransitions: -1,
        acquireTime: '2020-01-01T00:00:00.000000Z',
      },
    }),
    post(leases, { metadata: { name: 'l' }, spec: { renewTime: 'x' } }),
    post(leases, {
      metadata: { name: 'l' },
      spec: { holderIdentity: '', renewTime: '2020-01-01T00:00:00.5Z' },
    }),
    put(`${leases}/m`, { metadata: { name: 'm' }, spec: { leaseDurationSeconds: 5 } }),
    put(`${leases}/m`, { metadata: { name: 'm' }, spec: { leaseDurationSeconds: 6 } }),
    merge(`${leases}/m`, { spec: { leaseDurationSeconds: 7 } }),
  ]),
  scenario(
    'services release their addresses and ports',
    [
      setup(
        post(services, {
          metadata: { name: 's' },
          spec: {
            type: 'NodePort',
            clusterIP: '10.96.1.1',
            ports: [{ port: 80, nodePort: 31111 }],
          },
        }),
      ),
      del(`${services}/s?dryRun=All`, undefined, { show: ['kind', 'metadata.name'] }),
      post(services, {
        metadata: { name: 't' },
        spec: { clusterIP: '10.96.1.1', ports: [{ port: 80 }] },
      }),
      del(`${services}/s`, undefined, { show: ['kind', 'metadata.name', 'spec.clusterIP'] }),
      post(
        services,
        {
          metadata: { name: 't' },
          spec: {
            type: 'NodePort',
            clusterIP: '10.96.1.1',
            ports: [{ port: 80, nodePort: 31111 }],
          },
        },
        { show: ['kind', 'spec.clusterIP', 'message'] },
      ),
    ],
    { cleanup: [`${services}/s`, `${services}/t`] },
  ),
  scenario(
    'addresses of services are objects',
    [
      setup(
        post(services, {
          metadata: { name: 's' },
          spec: { clusterIP: '10.96.1.1', ports: [{ port: 80 }] },
        }),
      ),
      get('/apis/networking.k8s.io/v1/ipaddresses/10.96.1.1'),
      setup(del(`${services}/s`)),
      get('/apis/networking.k8s.io/v1/ipaddresses/10.96.1.1'),
      get('/apis/networking.k8s.io/v1/servicecidrs/kubernetes', { show: ['kind', 'spec'] }),
    ],
    { cleanup: [`${services}/s`] },
  ),
]
