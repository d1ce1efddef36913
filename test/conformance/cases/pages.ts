import type { ConformanceCase } from '../conformance-case.ts'
import { configMap, core, del, get, post, scenario, setup } from '../requests.ts'

const configMaps = core('configmaps')
const setUp = ['a', 'b', 'c', 'd', 'e'].map((name) => setup(post(configMaps, configMap(name))))
const now = setup(get(configMaps, { capture: { rv: 'metadata.resourceVersion' } }))
const page = ['metadata', 'items.0.metadata.name', 'items.1.metadata.name', 'items.2.metadata.name']
const show = [
  ...page,
  'items.3.metadata.name',
  'items.4.metadata.name',
  'code',
  'reason',
  'message',
  'details',
]

const queries = [
  'limit=2',
  'limit=5',
  'limit=6',
  'limit=0',
  'limit=-1',
  'limit=abc',
  'limit=2&resourceVersion=0',
  'limit=2&resourceVersion={rv}',
  'limit=2&resourceVersion={rv}&resourceVersionMatch=Exact',
  'limit=2&resourceVersion={rv}&resourceVersionMatch=NotOlderThan',
  'limit=2&resourceVersion=0&resourceVersionMatch=NotOlderThan',
  'limit=2&resourceVersion=0&resourceVersionMatch=Exact',
  'limit=2&resourceVersionMatch=Exact',
  'limit=2&resourceVersionMatch=NotOlderThan',
  'resourceVersionMatch=Exact',
  'resourceVersion={rv}',
  'resourceVersion={rv}&resourceVersionMatch=Exact',
  'resourceVersion={rv}&resourceVersionMatch=NotOlderThan',
  'resourceVersion={rv}&resourceVersionMatch=Nonsense',
  'resourceVersion=abc',
  'resourceVersion=abc&resourceVersionMatch=Exact',
  'resourceVersion=-1',
  'limit=2&labelSelector=app%3Dx',
  'limit=2&fieldSelector=metadata.name%3Dc',
  'continue=nonsense',
  'continue=nonsense&limit=2',
  'sendInitialEvents=true',
  'sendInitialEvents=false',
  'timeoutSeconds=abc',
]

/** Pages and revisions of lists. */
export const pageCases: readonly ConformanceCase[] = [
  ...queries.map((query) =>
    scenario(`a list with ${query} gets the same answer`, [
      ...setUp,
      now,
      get(`${configMaps}?${query}`, { show }),
    ]),
  ),
  scenario('pages continue to the end of the list', [
    ...setUp,
    get(`${configMaps}?limit=2`, { show: page, capture: { next: 'metadata.continue' } }),
    get(`${configMaps}?limit=2&continue={next}`, {
      show: page,
      capture: { next: 'metadata.continue' },
    }),
    get(`${configMaps}?limit=2&continue={next}`, { show: page }),
  ]),
  scenario('a page shows the state of the first page', [
    ...setUp,
    get(`${configMaps}?limit=2`, { show: page, capture: { next: 'metadata.continue' } }),
    setup(del(`${configMaps}/c`)),
    setup(post(configMaps, configMap('cc'))),
    get(`${configMaps}?limit=9&continue={next}`, { show }),
  ]),
  scenario('the page size may change', [
    ...setUp,
    get(`${configMaps}?limit=1`, { show: page, capture: { next: 'metadata.continue' } }),
    get(`${configMaps}?limit=3&continue={next}`, { show: page }),
    get(`${configMaps}?continue={next}`, { show }),
  ]),
  scenario('a token with a revision is refused', [
    ...setUp,
    now,
    get(`${configMaps}?limit=1`, { show: page, capture: { next: 'metadata.continue' } }),
    get(`${configMaps}?limit=1&continue={next}&resourceVersion={rv}`, { show }),
    get(`${configMaps}?limit=1&continue={next}&resourceVersion=0`, { show }),
    get(`${configMaps}?limit=1&continue={next}&resourceVersionMatch=Exact`, { show }),
  ]),
  scenario('a token of one collection is refused for another', [
    ...setUp,
    get(`${configMaps}?limit=1`, { show: page, capture: { next: 'metadata.continue' } }),
    get(`${core('secrets')}?limit=1&continue={next}`, { show }),
  ]),
  scenario('remainingItemCount is omitted with a selector', [
    ...setUp,
    get(`${configMaps}?limit=2&labelSelector=!absent`, { show }),
  ]),
  scenario('an exact revision shows the past state', [
    ...setUp,
    now,
    setup(del(`${configMaps}/a`)),
    get(`${configMaps}?resourceVersion={rv}&resourceVersionMatch=Exact`, { show }),
    get(configMaps, { show }),
  ]),
  scenario('a future revision is answered with a timeout', [
    get(`${configMaps}?resourceVersion=999999999`, { show }),
    get(`${configMaps}?resourceVersion=999999999&resourceVersionMatch=Exact`, { show }),
  ]),
]
