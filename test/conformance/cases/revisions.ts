import type { ConformanceCase, Step } from '../conformance-case.ts'
import { configMap, core, del, get, merge, post, scenario, setup, watching } from '../requests.ts'
import { crd, open, version, widgets, withWidgets } from './widgets.ts'

const configMaps = core('configmaps')
const setUp = ['a', 'b', 'c', 'd', 'e'].map((name) => setup(post(configMaps, configMap(name))))
const now = setup(get(configMaps, { capture: { rv: 'metadata.resourceVersion' } }))
const later = [setup(merge(`${configMaps}/a`, { data: { k: 'w' } })), setup(del(`${configMaps}/d`))]
const compact: Step = { compact: true }
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
const partial = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' }
const show = [
  'kind',
  'code',
  'reason',
  'message',
  'details',
  'metadata',
  'items.0.metadata.name',
  'items.1.metadata.name',
  'items.2.metadata.name',
  'items.3.metadata.name',
]
const future = '999999999999'

/** The requests after the first page, when its revision was compacted. */
const expired = (limit: number, second: readonly Step[]): readonly Step[] => [
  ...setUp,
  setup(get(`${configMaps}?limit=2`, { capture: { next: 'metadata.continue' } })),
  ...later,
  compact,
  get(`${configMaps}?limit=${limit}&continue={next}`, {
    show,
    capture: { next: 'metadata.continue' },
  }),
  ...second,
]

/** Compacted revisions, and future revisions. */
export const revisionCases: readonly ConformanceCase[] = [
  scenario('a compacted revision is answered with 410', [
    ...setUp,
    now,
    ...later,
    compact,
    get(`${configMaps}?resourceVersion={rv}&resourceVersionMatch=Exact`),
    get(`${configMaps}?resourceVersion={rv}&resourceVersionMatch=Exact&limit=2`),
    get(`${configMaps}?resourceVersion={rv}&resourceVersionMatch=NotOlderThan`, { show }),
    get(`${configMaps}?resourceVersion={rv}`, { show }),
    get(`${configMaps}?resourceVersion={rv}&limit=2`, { show: ['kind', 'items.1.metadata.name'] }),
    get(`${configMaps}/a?resourceVersion={rv}`, { show: ['data'] }),
  ]),
  scenario('the first revision is answered with 410', [
    now,
    compact,
    get(`${configMaps}?resourceVersion=1&resourceVersionMatch=Exact`),
    get(`${configMaps}?resourceVersion=1&resourceVersionMatch=Exact`, { headers: table }),
  ]),
  scenario(
    'an expired continue token is answered with an inconsistent one',
    expired(2, [
      get(`${configMaps}?limit=1&continue={next}`, {
        show,
        capture: { next: 'metadata.continue' },
      }),
      get(`${configMaps}?limit=1&continue={next}`, { show }),
    ]),
  ),
  scenario('an expired continue token gets the same answer without a limit', expired(0, [])),
  scenario('an expired continue token gets the same answer as a table', [
    ...setUp,
    setup(get(`${configMaps}?limit=2`, { capture: { next: 'metadata.continue' } })),
    ...later,
    compact,
    get(`${configMaps}?limit=2&continue={next}`, { headers: table, show }),
  ]),
  withWidgets('a watch from the first revision is too old', crd([version(open)]), [
    watching(`${widgets}?watch=true&resourceVersion=1`, [], { events: 1 }),
    watching(`${widgets}?watch=true&resourceVersion=1&timeoutSeconds=5`, [], {}),
    watching(
      `${widgets}?watch=true&resourceVersion=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`,
      [],
      { events: 1 },
    ),
    watching(`${widgets}?watch=true&resourceVersion=1`, [], { events: 1, headers: table }),
    watching(`${widgets}?watch=true&resourceVersion=1`, [], {
      events: 1,
      headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
    }),
  ]),
  scenario('initial events are sent for a compacted revision', [
    ...setUp,
    compact,
    watching(
      `${configMaps}?watch=true&resourceVersion=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      [],
      { events: 6 },
    ),
  ]),
  scenario('a list of a future revision times out', [
    get(`${configMaps}?resourceVersion=${future}`, { showHeaders: ['retry-after'] }),
    get(`${configMaps}?resourceVersion=${future}&resourceVersionMatch=NotOlderThan&limit=2`, {
      showHeaders: ['retry-after'],
    }),
  ]),
  scenario('an exact list of a future revision times out', [
    get(`${configMaps}?resourceVersion=${future}&resourceVersionMatch=Exact`, {
      showHeaders: ['retry-after'],
    }),
  ]),
  scenario('a get of a future revision times out', [
    ...setUp,
    get(`${configMaps}/a?resourceVersion=${future}`, { showHeaders: ['retry-after'] }),
    get(`${configMaps}/none?resourceVersion=${future}`, { showHeaders: ['retry-after'] }),
  ]),
  scenario('a watch from a future revision waits for it', [
    watching(`${configMaps}?watch=true&resourceVersion=${future}&timeoutSeconds=1`, []),
  ]),
  scenario('initial events of a future revision time out', [
    watching(
      `${configMaps}?watch=true&resourceVersion=${future}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`,
      [],
    ),
  ]),
  scenario('revisions that are not numbers are refused', [
    ...setUp,
    get(`${configMaps}/a?resourceVersion=abc`),
    get(`${configMaps}/a?resourceVersion=-1`),
    get(`${configMaps}/a?resourceVersion=1.5`),
    get(`${configMaps}/a?resourceVersion=99999999999999999999`),
    get(`${configMaps}?resourceVersion=99999999999999999999`),
    watching(`${configMaps}?watch=true&resourceVersion=-1`, [], { events: 1 }),
    watching(`${configMaps}?watch=true&resourceVersion=1.5`, [], { events: 1 }),
  ]),
  scenario('a get of an older revision returns the current object', [
    ...setUp,
    now,
    ...later,
    get(`${configMaps}/a?resourceVersion={rv}`, { show: ['data'] }),
    get(`${configMaps}/a?resourceVersion=0`, { show: ['kind'] }),
    get(`${configMaps}/a?resourceVersion={rv}&resourceVersionMatch=Exact`, { show: ['data'] }),
  ]),
  scenario('a list of metadata is paged', [
    ...setUp,
    get(`${configMaps}?limit=2`, { headers: partial, capture: { next: 'metadata.continue' } }),
    get(`${configMaps}?limit=2&continue={next}`, {
      headers: partial,
      capture: { next: 'metadata.continue' },
    }),
    get(`${configMaps}?limit=2&continue={next}`, { headers: partial }),
  ]),
  scenario('a list as tables is paged', [
    ...setUp,
    get(`${configMaps}?limit=3`, { headers: table, capture: { next: 'metadata.continue' } }),
    get(`${configMaps}?limit=3&continue={next}`, { headers: table }),
  ]),
  scenario('tokens of pages across namespaces contain the namespace', [
    ...setUp,
    get('/api/v1/configmaps?limit=1&labelSelector=app%3Dnone', { show }),
  ]),
  scenario('forged tokens are refused with the same message', [
    ...setUp,
    ...[
      '{"v":"meta.k8s.io/v1","rv":5,"start":""}',
      '{"v":"meta.k8s.io/v1","rv":0,"start":"b"}',
      '{"v":"meta.k8s.io/v1","rv":-2,"start":"b"}',
      '{"v":"meta.k8s.io/v2","rv":5,"start":"b"}',
      '{"v":"meta.k8s.io/v1","rv":"5","start":"b"}',
      '{"v":"meta.k8s.io/v1","rv":5,"start":"../b"}',
      '{"v":"meta.k8s.io/v1","rv":5,"start":"/../b"}',
      '{"rv":5}',
      '[]',
      '"text"',
      '7',
      'null',
      '{"v":1}',
      '{',
      '',
    ].map((text) =>
      get(`${configMaps}?limit=1&continue=${Buffer.from(text).toString('base64url')}`, { show }),
    ),
    get(`${configMaps}?limit=1&continue=***`, { show }),
    get(`${configMaps}?limit=1&continue=abc%3D`, { show }),
    get(`${configMaps}?limit=1&continue=eyJ2IjoxfQ%3D%3D`, { show }),
  ]),
  scenario('an inconsistent token continues from its key', [
    ...setUp,
    get(
      `${configMaps}?limit=2&continue=${Buffer.from('{"v":"meta.k8s.io/v1","rv":-1,"start":"b"}').toString('base64url')}`,
      { show },
    ),
  ]),
]
