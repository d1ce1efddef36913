import type { ConformanceCase } from '../conformance-case.ts'
import {
  configMap,
  core,
  del,
  deployment,
  get,
  grouped,
  merge,
  pod,
  post,
  scenario,
  setup,
} from '../requests.ts'

const configMaps = core('configmaps')
const deployments = grouped('apps/v1', 'deployments')
const pods = core('pods')
const created = setup(
  post(configMaps, configMap('a'), {
    capture: { rv: 'metadata.resourceVersion', uid: 'metadata.uid' },
  }),
)
const held = setup(post(configMaps, { metadata: { name: 'h', finalizers: ['example.com/a'] } }))

/** Options for the deletion of a ConfigMap, which is read afterwards. */
const options = [
  {},
  { propagationPolicy: 'Orphan' },
  { propagationPolicy: 'Background' },
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Nonsense' },
  { orphanDependents: true },
  { orphanDependents: false },
  { orphanDependents: true, propagationPolicy: 'Background' },
  { gracePeriodSeconds: 0 },
  { gracePeriodSeconds: -1 },
  { gracePeriodSeconds: 30 },
  { preconditions: { uid: '{uid}' } },
  { preconditions: { uid: '00000000-0000-0000-0000-000000000001' } },
  { preconditions: { resourceVersion: '{rv}' } },
  { preconditions: { resourceVersion: '1' } },
  { dryRun: ['All'] },
  { dryRun: ['Some'] },
  { kind: 'DeleteOptions', apiVersion: 'v1' },
  { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' },
  { kind: 'ConfigMap', apiVersion: 'v1' },
  { kind: 'Nonsense', apiVersion: 'example.com/v1' },
  { unknownField: 1 },
]

const queries = [
  'propagationPolicy=Orphan',
  'propagationPolicy=Foreground',
  'propagationPolicy=Nonsense',
  'gracePeriodSeconds=0',
  'gracePeriodSeconds=abc',
  'dryRun=All',
  'dryRun=Some',
  'orphanDependents=true',
]

const names = [
  'kind',
  'items.0.metadata.name',
  'items.1.metadata.name',
  'items.2.metadata.name',
  'items.3',
]
const many = ['a', 'b', 'c'].map((name) =>
  setup(post(configMaps, { metadata: { name, labels: { n: name } } })),
)

/** Deletes. */
export const deletionCases: readonly ConformanceCase[] = [
  ...options.map((option) =>
    scenario(`a deletion with ${JSON.stringify(option)} gets the same answer`, [
      created,
      del(`${configMaps}/a`, option),
      get(`${configMaps}/a`),
    ]),
  ),
  ...queries.map((query) =>
    scenario(`a deletion with ?${query} gets the same answer`, [
      created,
      del(`${configMaps}/a?${query}`),
      get(`${configMaps}/a`),
    ]),
  ),
  scenario('a deletion of a missing object is 404', [del(`${configMaps}/absent`)]),
  scenario('a deletion with a body that is not JSON is refused', [
    created,
    del(`${configMaps}/a`, { text: 'x' }),
  ]),
  scenario('a finalizer keeps an object until it is removed', [
    held,
    del(`${configMaps}/h`),
    get(`${configMaps}/h`),
    del(`${configMaps}/h`),
    merge(`${configMaps}/h`, { metadata: { finalizers: [] } }),
    get(`${configMaps}/h`),
  ]),
  scenario('a terminating object can be changed but not created again', [
    held,
    setup(del(`${configMaps}/h`)),
    merge(`${configMaps}/h`, { data: { k: 'v' } }),
    post(configMaps, configMap('h')),
  ]),
  scenario('a new object of the same name has another uid', [
    { ...created, isSetup: false },
    del(`${configMaps}/a`),
    post(configMaps, configMap('a')),
  ]),
  scenario('a pod that was never scheduled is deleted immediately', [
    setup(post(pods, pod('p'))),
    del(`${pods}/p`),
    get(`${pods}/p`),
  ]),
  scenario('a pod on a node is deleted with a grace period', [
    setup(post(pods, pod('p', { nodeName: 'n' }))),
    del(`${pods}/p`),
    get(`${pods}/p`),
    del(`${pods}/p`, { gracePeriodSeconds: 5 }),
    del(`${pods}/p`, { gracePeriodSeconds: 0 }),
    get(`${pods}/p`),
  ]),
  scenario('a pod has its own grace period', [
    setup(post(pods, pod('p', { nodeName: 'n', terminationGracePeriodSeconds: 7 }))),
    del(`${pods}/p`),
  ]),
  scenario('a finished pod on a node is deleted immediately', [
    setup(post(pods, pod('p', { nodeName: 'n' }))),
    setup(merge(`${pods}/p/status`, { status: { phase: 'Succeeded' } })),
    del(`${pods}/p`),
    get(`${pods}/p`),
  ]),
  scenario('a deployment is deleted in the foreground', [
    setup(post(deployments, deployment('d'))),
    del(`${deployments}/d`, { propagationPolicy: 'Foreground' }),
    get(`${deployments}/d`),
    merge(`${deployments}/d`, { metadata: { finalizers: null } }),
    get(`${deployments}/d`),
  ]),
  scenario('a deployment is deleted and its dependents are orphaned', [
    setup(post(deployments, deployment('d'))),
    del(`${deployments}/d`, { propagationPolicy: 'Orphan' }),
    get(`${deployments}/d`),
  ]),
  scenario('a collection is deleted', [
    ...many,
    del(configMaps, undefined, { show: names }),
    get(configMaps, { show: names }),
  ]),
  scenario('a part of a collection is deleted', [
    ...many,
    del(`${configMaps}?labelSelector=n+in+(a,b)`, undefined, { show: names }),
    get(configMaps, { show: names }),
  ]),
  scenario('a collection is deleted by a field', [
    ...many,
    del(`${configMaps}?fieldSelector=metadata.name%3Da`, undefined, { show: names }),
    get(configMaps, { show: names }),
  ]),
  scenario('a dry run of the deletion of a collection deletes nothing', [
    ...many,
    del(`${configMaps}?dryRun=All`, undefined, { show: names }),
    get(configMaps, { show: names }),
  ]),
  scenario('a deleted collection with finalizers is terminating', [
    held,
    del(configMaps),
    get(configMaps),
  ]),
  scenario('collections of services cannot be deleted where the server does not support it', [
    del(core('services')),
  ]),
  scenario('a namespace waits for its finalizer and refuses new objects', [
    setup(post('/api/v1/namespaces', { metadata: { name: '{ns}-x' } })),
    del('/api/v1/namespaces/{ns}-x'),
    post('/api/v1/namespaces/{ns}-x/configmaps', configMap('a')),
    get('/api/v1/namespaces/{ns}-x'),
    {
      method: 'PUT',
      path: '/api/v1/namespaces/{ns}-x/finalize',
      body: { metadata: { name: '{ns}-x' }, spec: { finalizers: [] } },
    },
    get('/api/v1/namespaces/{ns}-x'),
  ]),
  scenario('some namespaces cannot be deleted', [
    del('/api/v1/namespaces/default'),
    del('/api/v1/namespaces/kube-system'),
  ]),
]
