import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase, Request } from '../conformance-case.ts'
import {
  apply,
  del,
  get,
  merge,
  operations,
  post,
  put,
  scenario,
  setup,
  watching,
} from '../requests.ts'
import {
  crd,
  definition,
  definitions,
  open,
  specSchema,
  version,
  widget,
  widgets,
  withWidgets,
} from './widgets.ts'

const second = widgets.replace('/v1/', '/v2/')
const text = { type: 'string' }
const one = version(specSchema({ a: text, b: text }))
const two = (extra: JsonObject = {}): JsonObject =>
  version(specSchema({ a: text, c: text }), { name: 'v2', storage: false, ...extra })
const widgetCreated = setup(post(widgets, widget({ spec: { a: 'x', b: 'y' } })))
const status = ['status.conditions', 'status.acceptedNames', 'status.storedVersions']
const served = (path: string, code = 200): Request => setup(get(path, { until: { code } }))
const change = (body: JsonObject): Request => setup(merge(definition, body))
const answer = ['code', 'reason', 'message', 'details', 'metadata.generation', 'spec', ...status]

/** Lists and maps of strings. */
const lists = (item: JsonObject, extra: JsonObject): JsonObject => ({
  other: text,
  plain: { type: 'array', items: item },
  set: { type: 'array', items: item, 'x-kubernetes-list-type': 'set' },
  byKey: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', required: ['k'], properties: { k: text, v: item, w: text } },
  },
  map: { type: 'object', additionalProperties: item },
  object: { type: 'object', properties: { a: item, b: text, z: text }, ...extra },
})

/** Definitions that are created as dry runs. */
const tried: readonly (readonly [string, JsonObject])[] = [
  ['conversion of strategy None', { conversion: { strategy: 'None' } }],
  ['conversion of an unknown strategy', { conversion: { strategy: 'Magic' } }],
  ['conversion by a webhook without an address', { conversion: { strategy: 'Webhook' } }],
  [
    'conversion by a webhook without versions',
    {
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { service: { name: 's', namespace: 'n' } } },
      },
    },
  ],
  [
    'conversion by a webhook of unknown versions',
    {
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v9'], clientConfig: { url: 'https://example.com' } },
      },
    },
  ],
  [
    'conversion by a webhook',
    {
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { service: { name: 's', namespace: 'n' } },
        },
      },
    },
  ],
  [
    'conversion by a webhook that is not safe',
    {
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { url: 'http://example.com?a=b' },
        },
      },
    },
  ],
  [
    'a webhook without its strategy',
    {
      conversion: {
        strategy: 'None',
        webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://example.com' } },
      },
    },
  ],
  ['unknown fields that are preserved', { preserveUnknownFields: true }],
  ['unknown fields that are not preserved', { preserveUnknownFields: false }],
  ['no names', { names: {} }],
  ['a plural with capitals', { names: { plural: 'Widgets', kind: 'Widget' } }],
  ['a kind in small letters', { names: { plural: 'widgets', kind: 'widget' } }],
  ['a kind with a dash', { names: { plural: 'widgets', kind: 'Wid-Get' } }],
  ['a kind that is its list', { names: { plural: 'widgets', kind: 'Widget', listKind: 'Widget' } }],
  [
    'short names and categories that are not valid',
    { names: { plural: 'widgets', kind: 'Widget', shortNames: ['W!', ''], categories: ['A B'] } },
  ],
  [
    'all names',
    {
      names: {
        plural: 'widgets',
        singular: 'widget',
        kind: 'Widget',
        listKind: 'WidgetList',
        shortNames: ['wd', 'wds'],
        categories: ['all', 'tools'],
      },
    },
  ],
  ['cluster scope', { scope: 'Cluster' }],
  ['no scope', { scope: '' }],
  ['a group that is not valid', { group: 'Example' }],
  ['a version that is not served', { versions: [{ ...one, served: false }] }],
  [
    'a deprecated version without a warning of its own',
    { versions: [one, two({ deprecated: true })] },
  ],
  [
    'a warning of a version that is not deprecated',
    { versions: [one, two({ deprecationWarning: 'old' })] },
  ],
  [
    'a warning that is empty',
    { versions: [one, two({ deprecated: true, deprecationWarning: '' })] },
  ],
  [
    'a warning of two lines',
    { versions: [one, two({ deprecated: true, deprecationWarning: 'a\nb' })] },
  ],
  [
    'selectable fields of all kinds',
    {
      versions: [
        version(specSchema({ a: text, n: { type: 'integer' }, o: { type: 'object' } }), {
          selectableFields: [
            { jsonPath: '.spec.a' },
            { jsonPath: '.spec.n' },
            { jsonPath: '.spec.o' },
            { jsonPath: 'spec.a' },
            { jsonPath: '.metadata.name' },
            { jsonPath: '.spec.a' },
            { jsonPath: '' },
          ],
        }),
      ],
    },
  ],
  [
    'too many selectable fields',
    {
      versions: [
        version(specSchema(Object.fromEntries('abcdefghi'.split('').map((name) => [name, text]))), {
          selectableFields: 'abcdefghi'.split('').map((name) => ({ jsonPath: `.spec.${name}` })),
        }),
      ],
    },
  ],
  [
    'columns of all kinds',
    {
      versions: [
        {
          ...one,
          additionalPrinterColumns: [
            { name: 'A', type: 'string', jsonPath: '.spec.a', format: 'byte' },
            { name: '', type: 'string', jsonPath: '.spec.a' },
            { name: 'B', type: 'string', jsonPath: 'spec' },
            { name: 'C', type: 'string', jsonPath: '.spec[' },
            { name: 'D', type: 'date', jsonPath: '.spec.d', format: 'nonsense' },
          ],
        },
      ],
    },
  ],
  [
    'a scale whose paths do not exist',
    {
      versions: [
        {
          ...one,
          subresources: {
            scale: {
              specReplicasPath: '.spec.none',
              statusReplicasPath: '.status.none',
              labelSelectorPath: '.metadata.labels',
            },
          },
        },
      ],
    },
  ],
]

const names = (plural: string, extra: JsonObject): JsonObject => ({
  metadata: { name: `${plural}.{ns}.example.com` },
  spec: {
    ...(crd([version(open)])['spec'] as JsonObject),
    names: { plural, kind: 'Gadget', ...extra },
  },
})

const conflicts: readonly (readonly [string, JsonObject])[] = [
  ['kind', { kind: 'Widget' }],
  ['list kind', { listKind: 'WidgetList' }],
  ['singular', { singular: 'widget' }],
  ['short name', { shortNames: ['wd'] }],
  ['plural as a short name', { shortNames: ['widgets', 'free'] }],
  ['singular and kind', { kind: 'Widget', singular: 'widget', shortNames: ['wd', 'free'] }],
]

/** Changes of definitions, and their effect on existing objects. */
export const definitionChangeCases: readonly ConformanceCase[] = [
  ...tried.map(([name, spec]) =>
    scenario(`a definition with ${name} is accepted or refused the same way`, [
      post(`${definitions}?dryRun=All`, crd([one], spec)),
    ]),
  ),
  ...conflicts.map(([name, extra]) => ({
    ...withWidgets(
      `a second definition with the same ${name} is not accepted`,
      crd([one], {
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
      }),
      [
        setup(post(definitions, names('gadgets', extra))),
        get(`${definitions}/gadgets.{ns}.example.com`, {
          until: { path: 'status.conditions.1.type' },
          show: status,
        }),
        setup(del(definition)),
        get(`${definitions}/gadgets.{ns}.example.com`, {
          until: { path: 'status.conditions.1.reason', value: 'InitialNamesAccepted' },
          show: status,
        }),
      ],
    ),
    cleanup: [`${definitions}/gadgets.{ns}.example.com`, definition],
  })),
  withWidgets('an added version shows the stored objects', crd([one]), [
    widgetCreated,
    merge(definition, { spec: { versions: [one, two()] } }, { show: answer }),
    served(second),
    get(`${second}/w`),
    get(`${widgets}/w`),
    get(second),
  ]),
  withWidgets('a version is removed', crd([one, two()]), [
    widgetCreated,
    served(second),
    merge(definition, { spec: { versions: [one] } }, { show: answer }),
    served(second, 404),
    get(second, { isRaw: true }),
    get(`${widgets}/w`),
  ]),
  withWidgets('a version is no longer served', crd([one, two()]), [
    widgetCreated,
    served(second),
    change({ spec: { versions: [one, two({ served: false })] } }),
    served(second, 404),
    get(`${second}/w`, { isRaw: true }),
    get('/apis/{ns}.example.com', { until: { path: 'versions.0.version', value: 'v1' } }),
  ]),
  withWidgets('the stored version changes and both are recorded', crd([one, two()]), [
    widgetCreated,
    merge(
      definition,
      { spec: { versions: [{ ...one, storage: false }, two({ storage: true })] } },
      { show: answer },
    ),
    served(second),
    get(definition, { show: status, until: { path: 'status.storedVersions.1' } }),
    get(`${second}/w`),
    get(`${widgets}/w`),
    merge(definition, { spec: { versions: [two({ storage: true })] } }, { show: answer }),
    merge(
      `${definition}/status`,
      { status: { storedVersions: ['v2'] } },
      { show: ['code', 'message', ...status] },
    ),
    merge(definition, { spec: { versions: [two({ storage: true })] } }, { show: answer }),
  ]),
  withWidgets('stored versions must exist', crd([one, two()]), [
    merge(`${definition}/status`, { status: { storedVersions: ['v9'] } }, { show: answer }),
    merge(`${definition}/status`, { status: { storedVersions: [] } }, { show: answer }),
    merge(`${definition}/status`, { status: { storedVersions: ['v2'] } }, { show: answer }),
  ]),
  withWidgets('a field that is removed from the schema is no longer shown', crd([one]), [
    widgetCreated,
    change({ spec: { versions: [version(specSchema({ a: text }))] } }),
    get(`${widgets}/w`, { until: { path: 'spec.a' }, show: ['spec.a'] }),
    merge(`${widgets}/w`, { spec: { a: 'z' } }, { show: ['spec.a', 'metadata.generation'] }),
  ]),
  withWidgets('an added default is shown immediately', crd([one]), [
    widgetCreated,
    change({
      spec: { versions: [version(specSchema({ a: text, d: { type: 'integer', default: 7 } }))] },
    }),
    get(`${widgets}/w`, { until: { path: 'spec.d' } }),
    get(widgets),
    merge(`${widgets}/w`, { metadata: { labels: { a: 'b' } } }),
  ]),
  withWidgets('a stricter schema tolerates existing values', crd([one]), [
    widgetCreated,
    change({
      spec: {
        versions: [
          version(
            specSchema({
              a: { ...text, maxLength: 0 },
              b: text,
              d: { type: 'integer', default: 1 },
            }),
          ),
        ],
      },
    }),
    get(`${widgets}/w`, { until: { path: 'spec.d' }, show: ['spec'] }),
    merge(`${widgets}/w`, { spec: { b: 'new' } }),
    merge(`${widgets}/w`, { spec: { a: 'new' } }),
    put(`${widgets}/w`, widget({ spec: { a: 'x' } })),
    post(widgets, widget({ spec: { a: 'x' } }, { name: 'x' })),
  ]),
  withWidgets(
    'a stricter schema tolerates existing items of lists by their keys',
    crd([version(specSchema(lists(text, {})))]),
    [
      setup(
        post(
          widgets,
          widget({
            spec: {
              plain: ['long', 'b'],
              byKey: [
                { k: 'a', v: 'long' },
                { k: 'b', v: 'x' },
              ],
              map: { a: 'long', 'b.c': 'long' },
              object: { a: 'long' },
              set: ['long'],
            },
          }),
        ),
      ),
      change({
        spec: {
          versions: [
            version(
              specSchema({
                ...lists({ ...text, maxLength: 3 }, { required: ['z'] }),
                ready: { type: 'integer', default: 1 },
              }),
            ),
          ],
        },
      }),
      get(`${widgets}/w`, { until: { path: 'spec.ready' }, show: ['spec'] }),
      ...[
        { other: 'y' },
        { plain: ['long', 'c'] },
        { plain: ['b', 'long'] },
        {
          byKey: [
            { k: 'b', v: 'x' },
            { k: 'a', v: 'long' },
          ],
        },
        {
          byKey: [
            { k: 'c', v: 'x' },
            { k: 'a', v: 'long' },
          ],
        },
        { byKey: [{ k: 'a', v: 'long', w: 'new' }] },
        { byKey: [{ k: 'a', v: 'longer' }] },
        { map: { a: 'long', d: 'x' } },
        { map: { d: 'long' } },
        { map: { 'b.c': 'longer' } },
        { object: { b: 'x' } },
        { object: { a: 'long', z: 'x' } },
        { set: ['long', 'b'] },
        { set: ['b', 'b'] },
      ].map((spec) =>
        merge(
          `${widgets}/w?dryRun=All`,
          { spec },
          { show: ['code', 'message', 'details.causes', 'kind'] },
        ),
      ),
    ],
  ),
  withWidgets('subresources are added later', crd([version(open)]), [
    setup(post(widgets, widget({ spec: { n: 2 }, status: { n: 1, s: 'app=x' } }))),
    get(`${widgets}/w/status`, { isRaw: true }),
    get(`${widgets}/w/scale`, { isRaw: true }),
    put(`${widgets}/w/status`, widget({})),
    change({
      spec: {
        versions: [
          version(open, {
            subresources: {
              status: {},
              scale: {
                specReplicasPath: '.spec.n',
                statusReplicasPath: '.status.n',
                labelSelectorPath: '.status.s',
              },
            },
          }),
        ],
      },
    }),
    served(`${widgets}/w/scale`),
    get(`${widgets}/w/status`),
    get(`${widgets}/w/scale`),
    merge(`${widgets}/w`, { status: { n: 9 } }),
    merge(`${widgets}/w/status`, { status: { n: 9 } }),
  ]),
  withWidgets('scope, group and names of a definition are immutable', crd([one]), [
    merge(definition, { spec: { scope: 'Cluster' } }, { show: answer }),
    merge(definition, { spec: { group: 'b.example.com' } }, { show: answer }),
    merge(definition, { spec: { names: { plural: 'others' } } }, { show: answer }),
    merge(definition, { spec: { names: { kind: 'Other', listKind: 'Others' } } }, { show: answer }),
    merge(definition, { metadata: { name: 'b' } }, { show: answer }),
    operations(definition, [{ op: 'remove', path: '/spec/versions' }], { show: answer }),
    operations(definition, [{ op: 'remove', path: '/spec/versions/0/schema' }], { show: answer }),
    merge(definition, { spec: { preserveUnknownFields: true } }, { show: answer }),
  ]),
  withWidgets('short names and categories can change', crd([one]), [
    setup(merge(definition, { spec: { names: { shortNames: ['wd'], categories: ['all'] } } })),
    get('/apis/{ns}.example.com/v1', { until: { path: 'resources.0.shortNames' } }),
    get(definition, { show: status, until: { path: 'status.acceptedNames.shortNames' } }),
  ]),
  withWidgets('a replaced definition needs its revision', crd([one]), [
    put(definition, crd([one]), { show: answer }),
    put(
      definition,
      { ...crd([one]), metadata: { name: 'widgets.{ns}.example.com', resourceVersion: '1' } },
      { show: answer },
    ),
  ]),
  withWidgets('a definition is applied', crd([one]), [
    apply(
      `${definition}?fieldManager=one`,
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        ...crd([one, two()]),
      },
      { show: ['code', 'message', 'metadata.generation', 'metadata.managedFields'] },
    ),
  ]),
  withWidgets(
    'every answer of a deprecated version warns',
    crd([
      one,
      two({ deprecated: true }),
      version(open, {
        name: 'v3',
        storage: false,
        deprecated: true,
        deprecationWarning: 'do not use v3',
      }),
    ]),
    [
      widgetCreated,
      served(second),
      get(`${second}/w`, { show: ['kind'] }),
      get(second, { show: ['kind'] }),
      post(
        second,
        { ...widget({}, { name: 'x' }), apiVersion: '{ns}.example.com/v2' },
        { show: ['kind'] },
      ),
      get(second.replace('/v2/', '/v3/'), { show: ['kind'] }),
      get(`${second}/none`),
      del(`${second}/x`, undefined, { show: ['kind', 'status'] }),
    ],
  ),
  withWidgets('objects are watched and listed in each version', crd([one, two()]), [
    served(second),
    setup(get(widgets, { capture: { rv: 'metadata.resourceVersion' } })),
    widgetCreated,
    setup(
      post(second, {
        ...widget({ spec: { a: 'x', c: 'z' } }, { name: 'x' }),
        apiVersion: '{ns}.example.com/v2',
      }),
    ),
    setup(merge(`${second}/w`, { spec: { c: 'lost' } })),
    watching(`${widgets}?watch=true&resourceVersion={rv}`, [], { events: 2 }),
    watching(`${second}?watch=true&resourceVersion={rv}`, [], { events: 2 }),
    get(widgets),
    get(second),
    get(`${second}/x`),
    get(`${widgets}/x`),
  ]),
  withWidgets('a field that only one version has is pruned', crd([one, two()]), [
    served(second),
    post(second, {
      ...widget({ spec: { a: 'x', b: 'y', c: 'z' } }),
      apiVersion: '{ns}.example.com/v2',
    }),
    get(`${widgets}/w`),
    merge(`${widgets}/w`, { spec: { b: 'b' } }),
    get(`${second}/w`),
  ]),
  withWidgets(
    'versions are applied by two managers',
    crd([version(open), version(open, { name: 'v2', storage: false })]),
    [
      served(second),
      apply(`${widgets}/w?fieldManager=one`, widget({ spec: { a: 'x' } })),
      apply(`${second}/w?fieldManager=two`, {
        ...widget({ spec: { b: 'y' } }),
        apiVersion: '{ns}.example.com/v2',
      }),
      apply(`${second}/w?fieldManager=one`, {
        ...widget({ spec: { a: 'x', c: 'z' } }),
        apiVersion: '{ns}.example.com/v2',
      }),
      apply(`${second}/w?fieldManager=two`, {
        ...widget({ spec: { a: 'no' } }),
        apiVersion: '{ns}.example.com/v2',
      }),
      apply(`${widgets}/w?fieldManager=two`, { ...widget({}), apiVersion: '{ns}.example.com/v2' }),
    ],
  ),
  withWidgets(
    'a version is removed under the managers of its objects',
    crd([version(open), version(open, { name: 'v2', storage: false })]),
    [
      served(second),
      setup(
        apply(`${second}/w?fieldManager=two`, {
          ...widget({ spec: { b: 'y' } }),
          apiVersion: '{ns}.example.com/v2',
        }),
      ),
      change({ spec: { versions: [version(open)] } }),
      served(second, 404),
      get(`${widgets}/w`),
      merge(`${widgets}/w`, { spec: { c: 1 } }),
      apply(`${widgets}/w?fieldManager=one`, widget({ spec: { b: 'z' } })),
    ],
  ),
  withWidgets(
    'a watch by selectable fields follows transitions',
    crd([
      version(specSchema({ a: text, n: { type: 'integer' }, b: { type: 'boolean' } }), {
        selectableFields: [
          { jsonPath: '.spec.a' },
          { jsonPath: '.spec.n' },
          { jsonPath: '.spec.b' },
        ],
      }),
    ]),
    [
      setup(get(widgets, { capture: { rv: 'metadata.resourceVersion' } })),
      watching(
        `${widgets}?watch=true&resourceVersion={rv}&fieldSelector=spec.a%3Dx`,
        [
          setup(post(widgets, widget({ spec: { a: 'y' } }))),
          setup(merge(`${widgets}/w`, { spec: { a: 'x' } })),
          setup(merge(`${widgets}/w`, { spec: { n: 2 } })),
          setup(merge(`${widgets}/w`, { spec: { a: null } })),
        ],
        { events: 3 },
      ),
      get(`${widgets}?fieldSelector=spec.n%3D2`, { show: ['items.0.metadata.name'] }),
      get(`${widgets}?fieldSelector=spec.n!%3D2`, { show: ['items'] }),
      get(`${widgets}?fieldSelector=spec.a%3D`, { show: ['items.0.metadata.name'] }),
      get(`${widgets}?fieldSelector=spec.b%3Dfalse`, { show: ['items'] }),
      get(`${widgets}?fieldSelector=spec.a%3Dx,spec.n%3D2,metadata.namespace%3D{ns}`, {
        show: ['items'],
      }),
      get(`${widgets}?fieldSelector=spec.none%3Dx`),
      get(`${widgets}?fieldSelector=metadata.labels%3Dx`),
      watching(`${widgets}?watch=true&fieldSelector=spec.none%3Dx`, [], { events: 1 }),
      del(`${widgets}?fieldSelector=spec.none%3Dx`),
    ],
  ),
  {
    ...withWidgets(
      'a cluster-scoped definition has cluster-scoped objects',
      crd([one], { scope: 'Cluster' }),
      [],
    ),
    steps: [
      setup(post(definitions, crd([one], { scope: 'Cluster' }))),
      served('/apis/{ns}.example.com/v1/widgets'),
      post('/apis/{ns}.example.com/v1/widgets', widget({ spec: { a: 'x' } })),
      get('/apis/{ns}.example.com/v1/widgets/w'),
      get('/apis/{ns}.example.com/v1/widgets'),
      get(widgets, { isRaw: true }),
      post(widgets, widget(), { isRaw: true }),
      post('/apis/{ns}.example.com/v1/widgets', widget({}, { name: 'x', namespace: 'default' })),
      del('/apis/{ns}.example.com/v1/widgets/w'),
    ],
  },
]
