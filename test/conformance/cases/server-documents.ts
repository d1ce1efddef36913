import type { ConformanceCase, Request } from '../conformance-case.ts'
import { as, configMap, core, get, grouped, post, scenario, setup } from '../requests.ts'
import { crd, specSchema, version, widget, widgets, withWidgets } from './widgets.ts'

const configMaps = core('configmaps')
const aggregated = (v: string): Record<string, string> => ({
  accept: `application/json;g=apidiscovery.k8s.io;v=${v};as=APIGroupDiscoveryList`,
})
const bearer = { headers: { authorization: 'Bearer viewer-token' } }
const anonymous = { headers: { authorization: '' } }
const shownHeaders = ['allow', 'x-content-type-options', 'location', 'vary', 'cache-control']
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

/** Paths that are requested with every method. */
const places = [
  '/',
  '/api',
  '/apis/apps/v1',
  '/version',
  '/healthz',
  '/openapi/v2',
  '/nonsense',
  configMaps,
  `${configMaps}/none`,
  `${grouped('apps/v1', 'deployments')}/none/scale`,
  `${core('pods')}/none/binding`,
  `${core('pods')}/none/log`,
  '/apis/authorization.k8s.io/v1/subjectaccessreviews',
  '/api/v1/nodes',
  '/api/v1/componentstatuses',
]
const pathVariants = [
  `${configMaps}/`,
  `${configMaps}//a`,
  '/api/v1/namespaces//configmaps',
  '//api/v1/namespaces/{ns}/configmaps',
  '/api//v1/namespaces/{ns}/configmaps',
  '/api/v1/namespaces/{ns}/configmaps/%61',
  '/api/v1/namespaces/{ns}/config%6Daps/a',
  '/api/v1/namespaces/{ns}/configmaps/a%2Fb',
  '/api/v1/namespaces/{ns}/configmaps/a%20b',
  '/api/v1/namespaces/{ns}/configmaps/%',
  '/api/v1/namespaces/{ns}/configmaps/%zz',
  '/api/v1/namespaces/{ns}/configmaps/..',
  '/api/v1/namespaces/{ns}/configmaps/.',
  '/api/v1/namespaces/{ns}/configmaps/a/',
  '/api/v1/namespaces/{ns}/configmaps/A',
  '/api/v1/namespaces/{ns}/ConfigMaps',
  '/API/v1/namespaces/{ns}/configmaps',
  '/api/V1/namespaces/{ns}/configmaps',
  '/api/v1/namespaces/{ns}/',
  '/api/v1/namespaces/',
  '/api/',
  '/apis/',
  '/apis/apps/',
  '/apis/apps/v1/',
  '/apis//v1',
  '/apis/v1/configmaps',
  '/api/apps/v1/deployments',
  '/apis/core/v1/configmaps',
  '/api/v1/configmaps/a',
  '/api/v1/deployments',
  '/apis/apps/v1beta1/deployments',
  '/apis/extensions/v1beta1/ingresses',
  '/api/v1/namespaces/{ns}/configmaps/a/status',
  '/api/v1/namespaces/{ns}/pods/p/nonsense',
  '/api/v1/namespaces/{ns}/services/s/status',
  '/api/v1/proxy/namespaces/{ns}/pods/p',
  '/apis/apps/v1/namespaces/{ns}',
  '/apis/apps/v1/namespaces',
  '/version/',
  '/healthz/',
  '/healthz/nonsense',
  '/healthz/etcd',
  '/livez/ping',
  '/readyz/nonsense',
  '/openapi/v3/',
  '/openapi/v3/nonsense',
  '/openapi/v2/',
  '/openapi',
  '/metrics/',
  '/logs',
  '/swagger.json',
  '/ui',
]
const queries = [
  'limit=1&limit=2',
  'limit=',
  'limit=abc&limit=1',
  'limit=1.5',
  'limit=99999999999999999999',
  'limit=+1',
  'labelSelector=a&labelSelector=b',
  'labelSelector=',
  'labelSelector=%zz',
  'nonsense=1',
  '%zz',
  '&&&',
  'limit',
  'limit;continue',
  'pretty=nonsense',
  'timeout=1s',
  'timeout=abc',
  'timeout=-1s',
  'timeout=0s',
  'timeoutSeconds=0',
  'allowWatchBookmarks=abc',
  'resourceVersion=0&resourceVersion=1',
  'fieldSelector=metadata.name',
  'fieldSelector=metadata.name%3Da%3Db',
  'fieldSelector=,',
  'fieldSelector=metadata.name%3D%3Da,metadata.name!%3Db',
  'fieldSelector=metadata.name+in+(a)',
  'fieldSelector=metadata.name%3D%5C',
  'fieldSelector=metadata.name%3Da%5C,b',
]
const accepts = [
  '*/*',
  'application/*',
  'text/*',
  'text/html',
  'application/json;q=0.5,application/yaml',
  'application/yaml;q=0',
  'application/json;as=Table;v=v2;g=meta.k8s.io',
  'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
  'application/json;as=Nonsense;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  'application/json;as=Nonsense;v=v1;g=meta.k8s.io,application/json',
  'application/json;stream=watch',
  'application/json;charset=utf-8',
  'nonsense',
  ',',
  'application/json, */*',
  'application/cbor, application/json',
  'application/vnd.kubernetes.protobuf, application/json',
]

const one = (path: string): Request => get(path, { isRaw: true, showHeaders: shownHeaders })

/** Documents of the server, and unusual requests. */
export const serverDocumentCases: readonly ConformanceCase[] = [
  ...places.map((path) =>
    scenario(
      `${path} has the same answer for every method`,
      methods.map((method) => ({
        method,
        path,
        showHeaders: ['allow', 'x-content-type-options'],
        ...(method === 'GET' || method === 'HEAD' || !path.includes('/api') ? { show: [] } : {}),
      })),
    ),
  ),
  scenario('unusual forms of paths get the same answer', [
    setup(post(configMaps, configMap('a'))),
    ...pathVariants.map((path) => ({
      ...one(path),
      ...(/^\/(?:apis?|openapi|healthz|metrics|version)/.test(path)
        ? { show: ['kind', 'code', 'message', 'reason'], isRaw: false }
        : {}),
    })),
  ]),
  scenario('unknown paths are refused to users without rights', [
    ...[
      '/nonsense',
      '/api/v1/nonsense',
      '/apis/nonsense/v1/x',
      '/metrics',
      '/debug/pprof/',
      '/logs',
      '/',
      '/apis/apps/v1',
      '/openapi/v2',
      '/healthz',
      '/configz',
      '/.well-known/openid-configuration',
      '/openid/v1/jwks',
    ].map((path) =>
      get(path, { ...as('jane'), show: ['code', 'message', 'reason', 'details', 'status'] }),
    ),
  ]),
  scenario('anonymous users see few paths', [
    ...[
      '/api',
      '/healthz',
      '/readyz',
      '/livez',
      '/version',
      '/apis',
      '/metrics',
      '/openapi/v2',
      '/.well-known/openid-configuration',
      configMaps,
    ].map((path) =>
      get(path, { ...anonymous, show: ['code', 'message', 'reason', 'details', 'status'] }),
    ),
    get('/version', { ...bearer, show: ['major'] }),
    get(configMaps, bearer),
    get(configMaps, { headers: { authorization: 'Basic YTpi' } }),
    get(configMaps, { headers: { authorization: 'Bearer' } }),
    get(configMaps, { headers: { authorization: 'bearer viewer-token' } }),
    get(configMaps, { headers: { authorization: 'Bearer  viewer-token' } }),
  ]),
  scenario('queries are parsed the same way', [
    setup(post(configMaps, configMap('a'))),
    setup(post(configMaps, configMap('b'))),
    ...queries.map((query) =>
      get(`${configMaps}?${query}`, {
        show: [
          'kind',
          'code',
          'message',
          'reason',
          'details',
          'metadata.remainingItemCount',
          'items.0.metadata.name',
          'items.1.metadata.name',
        ],
      }),
    ),
  ]),
  scenario('accepted types are parsed the same way', [
    setup(post(configMaps, configMap('a'))),
    ...accepts
      .flatMap((accept) => [
        get(`${configMaps}/a`, {
          headers: { accept },
          show: ['kind', 'apiVersion', 'code', 'message', 'reason'],
        }),
        get(configMaps, {
          headers: { accept },
          show: ['kind', 'apiVersion', 'code', 'message', 'reason'],
        }),
      ])
      .filter((request) => !request.headers?.['accept']?.startsWith('application/vnd')),
  ]),
  scenario(
    'accepted types of discovery are parsed the same way',
    accepts
      .filter((accept) => !accept.includes('yaml') && !accept.includes('vnd'))
      .flatMap((accept) =>
        ['/api', '/apis/apps', '/apis/apps/v1', '/version', '/openapi/v3'].map((path) =>
          get(path, { headers: { accept }, show: ['kind', 'code', 'message', 'reason', 'major'] }),
        ),
      ),
  ),
  scenario('aggregated discovery has its form and an ETag', [
    ...['v2', 'v2beta1', 'v3'].flatMap((v) =>
      ['/api', '/apis'].map((path) =>
        get(path, {
          headers: aggregated(v),
          show: [
            'kind',
            'apiVersion',
            'metadata',
            'items.0.metadata.name',
            'items.0.versions.0.version',
            'items.0.versions.0.freshness',
            'items.1.metadata.name',
            'items.2.metadata.name',
            'items.5.versions.0.resources.0',
            'message',
          ],
          showHeaders: ['vary'],
        }),
      ),
    ),
    get('/api', {
      headers: {
        accept:
          'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json',
      },
      show: ['kind', 'apiVersion'],
    }),
    get('/apis/apps', { headers: aggregated('v2'), show: ['kind', 'message', 'code'] }),
  ]),
  scenario('the aggregated discovery of the core group is the same', [
    get('/api', { headers: aggregated('v2') }),
  ]),
  scenario('the groups are discovered', [
    get('/apis', {
      show: [
        'kind',
        'apiVersion',
        'groups.0',
        'groups.1',
        'groups.2',
        'groups.3',
        'groups.5',
        'groups.7',
        'groups.9',
        'groups.11',
        'groups.13',
      ],
    }),
  ]),
  ...[
    '/apis/apiregistration.k8s.io/v1',
    '/apis/authentication.k8s.io/v1',
    '/apis/authorization.k8s.io/v1',
    '/apis/autoscaling/v1',
    '/apis/autoscaling/v2',
    '/apis/certificates.k8s.io/v1',
    '/apis/storage.k8s.io/v1',
    '/apis/flowcontrol.apiserver.k8s.io/v1',
    '/apis/admissionregistration.k8s.io/v1',
    '/apis/node.k8s.io/v1',
    '/apis/scheduling.k8s.io/v1',
    '/apis/discovery.k8s.io/v1',
    '/apis/resource.k8s.io/v1',
  ].map((path) => scenario(`${path} has the same discovery document`, [get(path)])),
  scenario('health is reported check by check', [
    get('/healthz?verbose', { show: [] }),
    get('/livez?verbose', { show: [] }),
    get('/readyz?verbose', { show: [] }),
    get('/healthz?exclude=etcd'),
    get('/healthz?exclude=nonsense'),
    get('/healthz?exclude=etcd&exclude=ping'),
    get('/livez/log', { isRaw: true }),
    get('/readyz/ping', { isRaw: true }),
    get('/readyz/etcd', { isRaw: true }),
    get('/readyz/shutdown', { isRaw: true }),
    get('/readyz/informer-sync', { isRaw: true }),
    get('/livez/poststarthook/start-apiextensions-controllers', { isRaw: true }),
  ]),
  scenario('the verbose health is the same', [
    get('/healthz?verbose', { isRaw: true }),
    get('/livez?verbose', { isRaw: true }),
    get('/readyz?verbose', { isRaw: true }),
    get('/readyz?verbose&exclude=etcd', { isRaw: true }),
    get('/healthz?verbose&exclude=nonsense', { isRaw: true }),
  ]),
  scenario('the root lists paths', [get('/', { show: ['paths.0', 'paths.1', 'paths.2'] })]),
  scenario('the issuer of tokens is published', [
    get('/.well-known/openid-configuration', {
      show: ['issuer', 'response_types_supported', 'subject_types_supported'],
    }),
    get('/openid/v1/jwks', { show: ['keys.0.use', 'code'] }),
  ]),
  scenario('the version has all its fields', [
    get('/version', { show: ['major', 'minor', 'compiler'] }),
  ]),
  scenario('metrics are text', [get('/metrics', { isRaw: true, show: [] })]),
  withWidgets(
    'custom resources have a document of OpenAPI',
    crd([
      version(
        specSchema({
          a: { type: 'string', description: 'A text.' },
          n: { type: 'integer', format: 'int32' },
        }),
        {
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' },
          },
        },
      ),
    ]),
    [
      get('/openapi/v3/apis/{ns}.example.com/v1', {
        until: { code: 200 },
        show: ['openapi', 'info'],
      }),
      get('/openapi/v3', { until: { path: 'paths.api/v1' }, show: ['code'] }),
      get('/apis/{ns}.example.com/v1', { until: { code: 200 } }),
      get('/apis/{ns}.example.com', { until: { code: 200 } }),
    ],
  ),
  withWidgets(
    'custom resources have a path for everything',
    crd([version(specSchema({ a: { type: 'string' } }))]),
    [
      setup(post(widgets, widget())),
      ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].map((method) => ({
        method: method as 'GET',
        path: `${widgets}/none`,
        showHeaders: ['allow'],
      })),
      ...['PUT', 'PATCH', 'HEAD', 'OPTIONS'].map((method) => ({
        method: method as 'GET',
        path: widgets,
        showHeaders: ['allow'],
      })),
      ...[
        '/apis/{ns}.example.com/v1/widgets/w',
        '/apis/{ns}.example.com/v2/widgets',
        '/apis/{ns}.example.com/v1/nonsense',
        '/apis/{ns}.example.com/v1/namespaces/{ns}/widgets/',
        '/apis/{ns}.example.com/v1/namespaces/{ns}/widgets/w/',
        '/apis/{ns}.example.com/v1/namespaces/{ns}/Widgets',
        '/apis/{ns}.example.com/v1/namespaces/{ns}/widgets/w/a/b',
        '/apis/{ns}.example.com/v9',
        '/apis/{ns}.example.com/',
      ].map((path) => get(path, { isRaw: true, show: [] })),
      ...[
        '/apis/{ns}.example.com/v1/widgets/w',
        '/apis/{ns}.example.com/v2/widgets',
        '/apis/{ns}.example.com/v1/nonsense',
        '/apis/{ns}.example.com/v9',
      ].map((path) => one(path)),
      ...accepts
        .filter((accept) => !accept.includes('vnd'))
        .map((accept) =>
          get(`${widgets}/w`, {
            headers: { accept },
            show: ['kind', 'apiVersion', 'code', 'message', 'reason'],
          }),
        ),
      post('/apis/{ns}.example.com/v1/widgets', widget(), { isRaw: true }),
      { method: 'DELETE', path: '/apis/{ns}.example.com/v1/widgets', isRaw: true },
    ],
  ),
]
