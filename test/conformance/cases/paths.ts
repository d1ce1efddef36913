import type { ConformanceCase } from '../conformance-case.ts'
import { core, get, post, put, scenario } from '../requests.ts'

const configMaps = core('configmaps')
const unknown = [
  '/nonsense',
  '/api/v2',
  '/api/v1/nonsense',
  '/api/v1/namespaces/{ns}/nonsense',
  '/api/v1/namespaces/{ns}/configmaps/a/nonsense',
  '/api/v1/namespaces/{ns}/configmaps/a/b/c/d',
  '/apis/nonsense',
  '/apis/nonsense/v1',
  '/apis/apps/v9',
  '/apis/apps/v1/nonsense',
  '/apis/apps/v1/namespaces/{ns}/deployments/d/nonsense',
  '/api/v1/namespaces/{ns}/nodes',
  '/api/v1/namespaces/{ns}/configmaps/',
  '/api/v1//configmaps',
  '/openapi/v4',
]
const discovery = [
  '/api',
  '/api/v1',
  '/apis/apps',
  '/apis/apps/v1',
  '/apis/batch/v1',
  '/apis/rbac.authorization.k8s.io/v1',
  '/apis/apiextensions.k8s.io/v1',
  '/apis/autoscaling',
  '/apis/networking.k8s.io/v1',
  '/apis/policy/v1',
  '/apis/coordination.k8s.io/v1',
  '/apis/events.k8s.io/v1',
]
const methods = [
  ['PUT', configMaps],
  ['PATCH', configMaps],
  ['POST', '/api/v1/nodes/n'],
  ['OPTIONS', configMaps],
  ['DELETE', '/version'],
  ['POST', '/api'],
  ['PUT', `${configMaps}/a/status`],
  ['POST', '/apis/apps/v1'],
  ['GET', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'],
  ['DELETE', `${core('pods')}/p/status`],
] as const

/** Discovery, and paths and methods that do not exist. */
export const pathCases: readonly ConformanceCase[] = [
  ...unknown.map((path) => scenario(`${path} gets the same answer`, [get(path, { isRaw: true })])),
  ...discovery.map((path) => scenario(`${path} has the same discovery document`, [get(path)])),
  ...methods.map(([method, path]) =>
    scenario(`${method} ${path} gets the same answer`, [{ method, path, showHeaders: ['allow'] }]),
  ),
  scenario('the health of the server is one word', [
    get('/healthz'),
    get('/readyz'),
    get('/livez'),
    get('/healthz/ping'),
  ]),
  scenario('groups are discovered as one document when requested', [
    get('/apis', {
      show: ['kind', 'apiVersion', 'metadata'],
      headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' },
    }),
    get('/api', {
      headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' },
      show: [
        'kind',
        'apiVersion',
        'items.0.metadata',
        'items.0.versions.0.version',
        'items.0.versions.0.resources.0',
      ],
    }),
  ]),
  scenario('the core document of OpenAPI has its header fields', [
    get('/openapi/v3/api/v1', { show: ['openapi', 'info.title'] }),
  ]),
  scenario('the index of OpenAPI names the groups', [get('/openapi/v3', { show: ['kind'] })]),
  scenario('OpenAPI version 2 is served', [
    get('/openapi/v2', { show: ['swagger', 'info.title'] }),
  ]),
  scenario('migrations of storage versions are not served by default', [
    get('/apis/storagemigration.k8s.io'),
    get('/apis/storagemigration.k8s.io/v1beta1'),
    get('/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations'),
    post('/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations', {
      apiVersion: 'storagemigration.k8s.io/v1beta1',
      kind: 'StorageVersionMigration',
      metadata: { name: 'a' },
      spec: { resource: { group: 'apps', resource: 'deployments' } },
    }),
    get('/openapi/v3/apis/storagemigration.k8s.io/v1beta1'),
  ]),
  scenario('the version has its fields', [get('/version', { show: ['major', 'minor'] })]),
  scenario('a body that is not an object is refused by other verbs too', [
    put(`${configMaps}/a`, { text: 'x' }),
    post(core('pods'), { text: '"x"' }),
  ]),
]
