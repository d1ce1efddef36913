import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase, Request } from '../conformance-case.ts'
import { del, get, merge, post, scenario, setup, watching } from '../requests.ts'
import { crd, definition, definitions, open, version, withWidgets } from './widgets.ts'

const status = ['status.conditions', 'status.acceptedNames', 'status.storedVersions']
const pathOf = (plural: string): string => `${definitions}/${plural}.{ns}.example.com`
const watchOf = (plural: string): string =>
  `${definitions}?watch=1&fieldSelector=metadata.name%3D${plural}.{ns}.example.com`

/** Another definition of the group. */
const named = (plural: string, kind: string, extra: JsonObject = {}): JsonObject => ({
  metadata: { name: `${plural}.{ns}.example.com` },
  spec: {
    // With a version of its own, so that discovery lists it alone.
    ...(crd([version(open, { name: plural })])['spec'] as JsonObject),
    names: { plural, kind, ...extra },
  },
})

/** The state of a definition once its names were checked. */
const checked = (plural: string, reason = 'NoConflicts', at = 0): Request =>
  get(pathOf(plural), {
    until: { path: `status.conditions.${at}.reason`, value: reason },
    show: status,
  })

const established = (plural: string): Request =>
  setup(get(pathOf(plural), { until: { path: 'status.conditions.1.status', value: 'True' } }))

const short = (shortNames: readonly string[]): JsonObject => ({
  spec: { names: { shortNames: [...shortNames] } },
})

const cleanup = [pathOf('gadgets'), pathOf('things'), definition]
const widgetNames = { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] }
const first = crd([version(open)], { names: widgetNames })

/** Names that two definitions of a group want. */
export const definitionNameCases: readonly ConformanceCase[] = [
  {
    ...withWidgets('all short names that are in use are reported', first, [
      setup(post(definitions, named('gadgets', 'Gadget', { shortNames: ['wd', 'g', 'widget'] }))),
      checked('gadgets', 'ShortNamesConflict'),
      get('/apis/{ns}.example.com/v1', { show: ['resources'] }),
    ]),
    cleanup,
  },
  {
    ...withWidgets('an established definition keeps its accepted names in a conflict', first, [
      setup(
        post(definitions, named('gadgets', 'Gadget', { shortNames: ['g'], categories: ['a'] })),
      ),
      established('gadgets'),
      setup(merge(pathOf('gadgets'), short(['wd', 'h']))),
      checked('gadgets', 'ShortNamesConflict'),
      setup(merge(pathOf('gadgets'), { spec: { names: { categories: ['b'] } } })),
      get(pathOf('gadgets'), {
        until: { path: 'status.acceptedNames.categories.0', value: 'b' },
        show: status,
      }),
      get('/apis/{ns}.example.com/gadgets', {
        until: { path: 'resources.0.categories.0', value: 'b' },
        show: ['resources'],
      }),
      setup(merge(pathOf('gadgets'), short(['h']))),
      checked('gadgets'),
    ]),
    cleanup,
  },
  {
    ...withWidgets('a name is free when the other definition gives it up', first, [
      setup(post(definitions, named('gadgets', 'Gadget', { shortNames: ['wd'] }))),
      checked('gadgets', 'ShortNamesConflict'),
      setup(merge(definition, short(['w']))),
      get(pathOf('gadgets'), {
        until: { path: 'status.conditions.1.status', value: 'True' },
        show: status,
      }),
      get(definition, { show: status }),
    ]),
    cleanup,
  },
  {
    ...withWidgets('a definition that is not established keeps the names it got', first, [
      setup(post(definitions, named('gadgets', 'Widget', { shortNames: ['g'], listKind: 'GL' }))),
      checked('gadgets', 'KindConflict'),
      setup(post(definitions, named('things', 'Thing', { shortNames: ['g'], listKind: 'GL' }))),
      checked('things', 'ListKindConflict'),
    ]),
    cleanup,
  },
  {
    ...withWidgets('a watch shows how a definition gets a name that became free', first, [
      watching(
        watchOf('gadgets'),
        [
          setup(post(definitions, named('gadgets', 'Gadget', { shortNames: ['wd'] }))),
          setup(checked('gadgets', 'ShortNamesConflict')),
          setup(del(definition)),
        ],
        { events: 4 },
      ),
    ]),
    cleanup,
  },
  scenario(
    'a name may be used twice in a definition and in other groups',
    [
      setup(post(definitions, named('gadgets', 'Gadget', { shortNames: ['gadget', 'pods'] }))),
      established('gadgets'),
      get(pathOf('gadgets'), { show: status }),
    ],
    { cleanup },
  ),
]
