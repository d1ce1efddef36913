import type { ConformanceCase } from '../conformance-case.ts'
import {
  configMap,
  core,
  del,
  get,
  grouped,
  merge,
  pod,
  post,
  put,
  scenario,
  setup,
  watching,
} from '../requests.ts'

const configMaps = core('configmaps')
const now = setup(get(configMaps, { capture: { rv: 'metadata.resourceVersion' } }))
const make = (name: string, labels = {}) =>
  setup(post(configMaps, { metadata: { name, labels }, data: { k: 'v' } }))
const known = setup(
  get(`${configMaps}?resourceVersion=0`, { until: { path: 'items.1.metadata.name' } }),
)
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
const partial = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' }

const switches = ['', 'true', 'false', '1', '0', 'nonsense']
const matches = ['', 'NotOlderThan', 'Exact', 'Nonsense']
const revisions = ['', '0', '{rv}']
/** Every way to ask for initial events; a watch that starts ends after a second. */
const combinations = switches
  .slice(0, 3)
  .flatMap((initial) =>
    matches.flatMap((match) =>
      revisions.map((revision) =>
        [
          'watch=true&timeoutSeconds=1&allowWatchBookmarks=true',
          initial === '' ? '' : `&sendInitialEvents=${initial}`,
          match === '' ? '' : `&resourceVersionMatch=${match}`,
          revision === '' ? '' : `&resourceVersion=${revision}`,
        ].join(''),
      ),
    ),
  )

const parameters = [
  'watch=1',
  'watch=yes',
  'watch=True',
  'watch=',
  'watch',
  'watch=false',
  'watch=0',
  'watch=FALSE',
  'watch=f',
  'watch=false&watch=true',
  'watch=true&watch=false',
]
const unusualQueries = [
  'watch=true&allowWatchBookmarks=nonsense&timeoutSeconds=1',
  'watch=true&sendInitialEvents=nonsense&timeoutSeconds=1',
  'watch=true&timeoutSeconds=1&limit=1',
  'watch=true&timeoutSeconds=1&timeoutSeconds=abc',
  'watch=true&timeoutSeconds=abc&timeoutSeconds=1',
  'watch=true&timeoutSeconds=-1&resourceVersion=abc',
  'watch=true&timeoutSeconds=1.5',
  'watch=true&timeoutSeconds=99999999999999999999',
  'watch=true&timeoutSeconds=1&nonsense=1',
  'watch=true&timeoutSeconds=1&labelSelector=a%3Db&labelSelector=c%3Dd',
  'watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Da&fieldSelector=metadata.name%3Db',
  'watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Da,metadata.namespace%3D{ns}',
  'watch=true&timeoutSeconds=1&fieldSelector=metadata.name!%3Da',
  'watch=true&timeoutSeconds=1&fieldSelector=metadata.nonsense%3Da',
  'watch=true&timeoutSeconds=1&labelSelector=a+in+(',
]

/** Options of watches, in all combinations. */
export const watchOptionCases: readonly ConformanceCase[] = [
  ...combinations.map((query) =>
    scenario(`a watch with ${query} gets the same answer`, [
      make('a'),
      make('b'),
      known,
      now,
      watching(`${configMaps}?${query}`, []),
    ]),
  ),
  ...parameters.map((query) =>
    scenario(`a request with ${query} is handled the same way`, [
      make('a'),
      get(`${configMaps}?${query}&timeoutSeconds=1`, { isRaw: true, show: [] }),
    ]),
  ),
  ...unusualQueries.map((query) =>
    scenario(`a watch with ${query} is parsed the same way`, [
      make('a'),
      make('b'),
      watching(`${configMaps}?${query}`, []),
    ]),
  ),
  scenario('a watch of one object by its path is a read', [
    make('a'),
    get(`${configMaps}/a?watch=true`, { show: ['kind', 'type'] }),
    get(`${configMaps}/none?watch=true`),
  ]),
  scenario('the deprecated paths of watches select their objects', [
    make('a'),
    watching('/api/v1/watch/namespaces/{ns}/configmaps?timeoutSeconds=1', []),
    watching('/api/v1/watch/namespaces/{ns}/configmaps/a?timeoutSeconds=1', []),
    watching('/api/v1/watch/namespaces/{ns}/configmaps/none?timeoutSeconds=1', []),
    watching('/api/v1/watch/namespaces/{ns}?timeoutSeconds=1', []),
    watching(
      '/api/v1/watch/configmaps?timeoutSeconds=1&fieldSelector=metadata.namespace%3D{ns}',
      [],
    ),
    watching('/apis/apps/v1/watch/namespaces/{ns}/deployments?timeoutSeconds=1', []),
    watching('/api/v1/watch/namespaces/{ns}/nonsense?timeoutSeconds=1', []),
    watching('/api/v1/watch/namespaces/{ns}/configmaps?timeoutSeconds=1&watch=false', []),
    watching('/api/v1/watch/namespaces/{ns}/configmaps?resourceVersion=abc', []),
    { method: 'POST', path: '/api/v1/watch/namespaces/{ns}/configmaps', body: configMap('x') },
    { method: 'DELETE', path: '/api/v1/watch/namespaces/{ns}/configmaps' },
    { method: 'DELETE', path: '/api/v1/watch/namespaces/{ns}/configmaps/a' },
    { method: 'PUT', path: '/api/v1/watch/namespaces/{ns}/configmaps/a', body: configMap('a') },
  ]),
  scenario('a watch of tables of everything has columns once and bookmarks with rows', [
    make('a'),
    make('b'),
    known,
    watching(
      `${configMaps}?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`,
      [],
      { headers: table },
    ),
    watching(`${core('pods')}?watch=true&timeoutSeconds=1`, [setup(post(core('pods'), pod('p')))], {
      headers: table,
    }),
  ]),
  scenario('a watch of tables can omit or include objects', [
    make('a'),
    make('b'),
    known,
    watching(`${configMaps}?watch=true&includeObject=None&timeoutSeconds=1`, [], {
      headers: table,
    }),
    watching(`${configMaps}?watch=true&includeObject=Object&timeoutSeconds=1`, [], {
      headers: table,
    }),
    watching(`${configMaps}?watch=true&includeObject=Nonsense&timeoutSeconds=1`, [], {
      headers: table,
    }),
  ]),
  scenario('a watch of metadata by labels follows transitions', [
    now,
    watching(
      `${configMaps}?watch=true&resourceVersion={rv}&labelSelector=app%3Dx`,
      [
        make('a', { app: 'x' }),
        setup(merge(`${configMaps}/a`, { metadata: { labels: { app: 'y' } } })),
        setup(merge(`${configMaps}/a`, { metadata: { labels: { app: 'x' } } })),
        setup(del(`${configMaps}/a`)),
      ],
      { events: 4, headers: partial },
    ),
  ]),
  scenario('a watch of one name sees deletion and recreation', [
    now,
    watching(
      `${configMaps}?watch=true&resourceVersion={rv}&fieldSelector=metadata.name%3Da`,
      [
        make('a'),
        make('b'),
        setup(put(`${configMaps}/a`, configMap('a', { k: 'w' }))),
        setup(del(`${configMaps}/a`)),
        make('a'),
      ],
      { events: 4 },
    ),
  ]),
  scenario('a watch of a collection sees it deleted one by one', [
    make('a', { app: 'x' }),
    make('b', { app: 'x' }),
    now,
    watching(
      `${configMaps}?watch=true&resourceVersion={rv}`,
      [setup(del(`${configMaps}?labelSelector=app%3Dx`))],
      { events: 2 },
    ),
  ]),
  scenario('a graceful deletion of a pod is MODIFIED and then DELETED', [
    setup(get(core('pods'), { capture: { rv: 'metadata.resourceVersion' } })),
    watching(
      `${core('pods')}?watch=true&resourceVersion={rv}`,
      [
        setup(post(core('pods'), pod('p', { nodeName: 'n' }))),
        setup(del(`${core('pods')}/p`)),
        setup(del(`${core('pods')}/p`, { gracePeriodSeconds: 0 })),
      ],
      { events: 3 },
    ),
  ]),
  scenario('a scale and a status are changes of their object', [
    setup(
      post(grouped('apps/v1', 'deployments'), {
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: {
            metadata: { labels: { a: 'b' } },
            spec: { containers: [{ name: 'c', image: 'i' }] },
          },
        },
      }),
    ),
    setup(get(grouped('apps/v1', 'deployments'), { capture: { rv: 'metadata.resourceVersion' } })),
    watching(
      `${grouped('apps/v1', 'deployments')}?watch=true&resourceVersion={rv}`,
      [
        setup(merge(`${grouped('apps/v1', 'deployments')}/d/scale`, { spec: { replicas: 3 } })),
        setup(merge(`${grouped('apps/v1', 'deployments')}/d/status`, { status: { replicas: 3 } })),
      ],
      { events: 2 },
    ),
  ]),
  scenario('events are watched in both versions', [
    setup(get(core('events'), { capture: { rv: 'metadata.resourceVersion' } })),
    setup(
      post(core('events'), {
        metadata: { name: 'e' },
        involvedObject: { kind: 'Pod', name: 'p', namespace: '{ns}' },
        reason: 'R',
        message: 'M',
        type: 'Normal',
      }),
    ),
    watching(`${core('events')}?watch=true&resourceVersion={rv}`, [], { events: 1 }),
    watching(`${grouped('events.k8s.io/v1', 'events')}?watch=true&resourceVersion={rv}`, [], {
      events: 1,
    }),
    watching(
      `${core('events')}?watch=true&resourceVersion={rv}&fieldSelector=involvedObject.name%3Dp`,
      [],
      { events: 1 },
    ),
    watching(
      `${grouped('events.k8s.io/v1', 'events')}?watch=true&resourceVersion={rv}&fieldSelector=regarding.name%3Dp&timeoutSeconds=1`,
      [],
    ),
    get(`${grouped('events.k8s.io/v1', 'events')}?fieldSelector=regarding.name%3Dp`, {
      show: ['code', 'message', 'items.0.metadata.name'],
    }),
    get(`${grouped('events.k8s.io/v1', 'events')}?fieldSelector=reason%3DR,type%3DNormal`, {
      show: ['code', 'message', 'items.0.metadata.name'],
    }),
    get(
      `${core('events')}?fieldSelector=involvedObject.kind%3DPod,involvedObject.uid%3D,source%3D,reportingComponent%3D`,
      { show: ['code', 'message', 'items.0.metadata.name'] },
    ),
  ]),
]
