import type { ConformanceCase } from '../conformance-case.ts'
import {
  configMap,
  core,
  del,
  get,
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
const change = (name: string, body: Parameters<typeof merge>[1]) =>
  setup(merge(`${configMaps}/${name}`, body))
const remove = (name: string) => setup(del(`${configMaps}/${name}`))
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
const partial = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' }
const from = `${configMaps}?watch=true&resourceVersion={rv}`
const life = [make('a'), change('a', { data: { k: 'w' } }), remove('a')]
const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan'

const refused = [
  'watch=true&sendInitialEvents=true',
  'watch=true&sendInitialEvents=true&resourceVersionMatch=Exact',
  'watch=true&resourceVersionMatch=NotOlderThan',
  'watch=true&resourceVersion=abc',
  'watch=true&labelSelector=%3D',
  'watch=true&fieldSelector=data.k%3Dv',
  'watch=true&timeoutSeconds=abc',
  'watch=true&sendInitialEvents=false&resourceVersionMatch=Exact',
  'watch=true&continue=abc',
]

/** Watches. */
export const watchCases: readonly ConformanceCase[] = [
  scenario('a watch from a revision reports creation, change and deletion', [
    now,
    watching(from, life, { events: 3 }),
  ]),
  scenario('a watch from a revision reports events from before it was opened', [
    now,
    ...life,
    watching(from, [], { events: 3 }),
  ]),
  scenario('a watch without a revision begins with the existing objects', [
    make('a'),
    make('b'),
    watching(`${configMaps}?watch=true`, [make('c')], { events: 3 }),
  ]),
  scenario('a watch from 0 begins with the existing objects', [
    make('a'),
    get(`${configMaps}/a?resourceVersion=0`, { isSetup: true, until: { code: 200 } }),
    watching(`${configMaps}?watch=true&resourceVersion=0`, [make('c')], { events: 2 }),
  ]),
  scenario('a watch ends after its timeout', [
    make('a'),
    watching(`${configMaps}?watch=true&timeoutSeconds=1`, []),
  ]),
  scenario('the deprecated path of watches works', [
    now,
    watching('/api/v1/watch/namespaces/{ns}/configmaps?resourceVersion={rv}', life, { events: 3 }),
  ]),
  scenario('the deprecated path of a watch of one object works', [
    now,
    watching(
      '/api/v1/watch/namespaces/{ns}/configmaps/a?resourceVersion={rv}',
      [make('b'), ...life],
      { events: 3 },
    ),
  ]),
  scenario(
    'an object that begins to match a label selector is ADDED and one that no longer matches is DELETED',
    [
      now,
      watching(
        `${from}&labelSelector=app%3Dx`,
        [
          make('a'),
          change('a', { metadata: { labels: { app: 'x' } } }),
          change('a', { data: { k: 'w' } }),
          change('a', { metadata: { labels: { app: 'y' } } }),
          change('a', { data: { k: 'z' } }),
          make('b', { app: 'x' }),
          remove('b'),
        ],
        { events: 5 },
      ),
    ],
  ),
  scenario('a watch by name excludes other objects', [
    now,
    watching(`${from}&fieldSelector=metadata.name%3Da`, [make('b'), ...life], { events: 3 }),
  ]),
  scenario('a watch by a field follows transitions', [
    now,
    watching(
      `${core('pods')}?watch=true&resourceVersion={rv}&fieldSelector=status.phase%3DRunning`,
      [
        setup(post(core('pods'), pod('p'))),
        setup(merge(`${core('pods')}/p/status`, { status: { phase: 'Running' } })),
        setup(merge(`${core('pods')}/p/status`, { status: { phase: 'Failed' } })),
      ],
      { events: 2 },
    ),
  ]),
  scenario('a change that changes nothing is not an event', [
    now,
    watching(from, [make('a'), change('a', { data: { k: 'v' } }), remove('a')], { events: 2 }),
  ]),
  scenario('a deletion that waits for a finalizer is MODIFIED first', [
    now,
    watching(
      from,
      [
        setup(post(configMaps, { metadata: { name: 'a', finalizers: ['example.com/x'] } })),
        remove('a'),
        change('a', { metadata: { finalizers: null } }),
      ],
      { events: 3 },
    ),
  ]),
  scenario('initial events end with an annotated bookmark', [
    make('a'),
    make('b'),
    watching(`${configMaps}?watch=true&allowWatchBookmarks=true&${initial}`, [], { events: 3 }),
  ]),
  scenario('initial events of an empty collection are a bookmark', [
    watching(`${configMaps}?watch=true&allowWatchBookmarks=true&${initial}`, [], { events: 1 }),
  ]),
  scenario('initial events are followed by live ones', [
    make('a'),
    watching(`${configMaps}?watch=true&allowWatchBookmarks=true&${initial}`, [make('b')], {
      events: 3,
    }),
  ]),
  scenario('initial events without bookmarks have no end bookmark', [
    make('a'),
    watching(`${configMaps}?watch=true&${initial}`, [make('b')], { events: 2 }),
  ]),
  scenario('initial events are not sent unless requested', [
    make('a'),
    now,
    watching(
      `${configMaps}?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion={rv}`,
      [make('b')],
      { events: 1 },
    ),
  ]),
  scenario('a watch of tables sends the columns once', [
    now,
    watching(from, life, { events: 3, headers: table }),
  ]),
  scenario('a watch of metadata sends metadata', [
    now,
    watching(from, life, { events: 3, headers: partial }),
  ]),
  scenario('a bookmark of metadata is metadata', [
    watching(`${configMaps}?watch=true&allowWatchBookmarks=true&${initial}`, [], {
      events: 1,
      headers: partial,
    }),
  ]),
  scenario('a bookmark among tables is a table', [
    watching(`${configMaps}?watch=true&allowWatchBookmarks=true&${initial}`, [], {
      events: 1,
      headers: table,
    }),
  ]),
  scenario('a watch of YAML is refused', [
    now,
    watching(from, [], { events: 1, headers: { accept: 'application/yaml' } }),
  ]),
  scenario('a replaced object is one MODIFIED event', [
    make('a'),
    now,
    watching(from, [setup(put(`${configMaps}/a`, configMap('a', { k: 'new' })))], { events: 1 }),
  ]),
  ...refused.map((query) =>
    scenario(`a watch with ${query} is refused with the same message`, [
      watching(`${configMaps}?${query}`, [], { events: 1 }),
    ]),
  ),
]
