import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase } from '../conformance-case.ts'
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
  strategic,
  watching,
} from '../requests.ts'
import { schemasWithValues } from './schemas-with-values.ts'
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

const spec = specSchema
const status = { type: 'object', properties: { n: { type: 'integer' } } }

/** Definitions that are refused or completed, each with what it tests. */
const bodies: readonly (readonly [name: string, body: JsonObject])[] = [
  ['nothing', {}],
  ['no schema', crd([{ name: 'v1', served: true, storage: true }])],
  ['no type', crd([version({})])],
  ['no version', crd([])],
  ['no stored version', crd([version({ type: 'object' }, { storage: false })])],
  [
    'two stored versions',
    crd([version({ type: 'object' }), version({ type: 'object' }, { name: 'v2' })]),
  ],
  [
    'the same version twice',
    crd([version({ type: 'object' }), version({ type: 'object' }, { storage: false })]),
  ],
  ['a version with a bad name', crd([version({ type: 'object' }, { name: 'V_1' })])],
  [
    'another name',
    { ...crd([version({ type: 'object' })]), metadata: { name: 'other.{ns}.example.com' } },
  ],
  ['an unknown scope', crd([version({ type: 'object' })], { scope: 'Galaxy' })],
  ['no group', crd([version({ type: 'object' })], { group: '' })],
  ['a schema that is not structural', crd([version({ type: 'object', properties: { a: {} } })])],
  ['items without a type', crd([version(spec({ a: { type: 'array' } }))])],
  [
    'additional and named properties',
    crd([
      version(
        spec({
          a: {
            type: 'object',
            properties: { b: { type: 'string' } },
            additionalProperties: { type: 'string' },
          },
        }),
      ),
    ]),
  ],
  ['a default of a wrong type', crd([version(spec({ a: { type: 'integer', default: 'x' } }))])],
  ['an unknown type', crd([version(spec({ a: { type: 'thing' } }))])],
  [
    'a list that is a map without keys',
    crd([
      version(
        spec({ a: { type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object' } } }),
      ),
    ]),
  ],
  [
    'a column without a path',
    crd([
      version({ type: 'object' }, { additionalPrinterColumns: [{ name: 'A', type: 'string' }] }),
    ]),
  ],
  [
    'a column of an unknown type',
    crd([
      version(
        { type: 'object' },
        { additionalPrinterColumns: [{ name: 'A', type: 'thing', jsonPath: '.a' }] },
      ),
    ]),
  ],
  [
    'a scale with bad paths',
    crd([
      version(
        { type: 'object' },
        { subresources: { scale: { specReplicasPath: 'spec', statusReplicasPath: '' } } },
      ),
    ]),
  ],
  [
    'names with capitals',
    crd([version({ type: 'object' })], {
      names: { plural: 'widgets', kind: 'Widget', singular: 'Widget', shortNames: ['W'] },
    }),
  ],
  [
    'a field that may be selected but does not exist',
    crd([version({ type: 'object' }, { selectableFields: [{ jsonPath: '.spec.x' }] })]),
  ],
  [
    'preserved unknown fields at the top',
    crd([version({ type: 'object' })], { preserveUnknownFields: true }),
  ],
]

const both = version(
  {
    ...spec({ a: { type: 'string' }, n: { type: 'integer', default: 1 } }),
    properties: {
      ...(spec({ a: { type: 'string' }, n: { type: 'integer', default: 1 } })[
        'properties'
      ] as JsonObject),
      status,
    },
  },
  {
    subresources: {
      status: {},
      scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' },
    },
    additionalPrinterColumns: [
      { name: 'A', type: 'string', jsonPath: '.spec.a' },
      { name: 'N', type: 'integer', jsonPath: '.spec.n', priority: 1 },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
    selectableFields: [{ jsonPath: '.spec.a' }],
  },
)
const widgetCreated = setup(post(widgets, widget({ spec: { a: 'x' } })))
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }

/** Definitions and custom resources. */
export const definitionCases: readonly ConformanceCase[] = [
  ...bodies.map(([name, body]) =>
    scenario(`a definition with ${name} gets the same answer`, [
      post(`${definitions}?dryRun=All`, body),
    ]),
  ),
  ...schemasWithValues.map(([name, schema, ...values]) =>
    withWidgets(
      `values for ${name} are accepted or refused the same way`,
      crd([version(spec({ f: schema }))]),
      [
        post(`${widgets}?dryRun=All`, widget({ spec: {} })),
        ...values.map((value) => post(`${widgets}?dryRun=All`, widget({ spec: { f: value } }))),
      ],
    ),
  ),
  scenario(
    'a definition becomes established',
    [
      post(definitions, crd([both])),
      get(definition, { until: { path: 'status.conditions.1.status', value: 'True' } }),
    ],
    { cleanup: [definition] },
  ),
  withWidgets('a custom resource is created, read and listed', crd([both]), [
    post(widgets, widget({ spec: { a: 'x', nope: 1 }, status: { n: 1 }, more: 1 })),
    get(`${widgets}/w`),
    get(widgets),
  ]),
  withWidgets('a custom resource counts generations', crd([both]), [
    widgetCreated,
    merge(`${widgets}/w`, { spec: { a: 'y' } }),
    merge(`${widgets}/w`, { metadata: { labels: { a: 'b' } } }),
    merge(`${widgets}/w`, { status: { n: 5 } }),
    merge(`${widgets}/w/status`, { status: { n: 5 }, spec: { a: 'z' } }),
  ]),
  withWidgets('a custom resource is scaled', crd([both]), [
    widgetCreated,
    get(`${widgets}/w/scale`),
    merge(`${widgets}/w/scale`, { spec: { replicas: 4 } }),
    put(`${widgets}/w/scale`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'w', namespace: '{ns}' },
      spec: { replicas: 5 },
    }),
    get(`${widgets}/w`),
  ]),
  withWidgets('a custom resource must be replaced with its revision', crd([both]), [
    widgetCreated,
    put(`${widgets}/w`, widget({ spec: { a: 'y' } })),
  ]),
  withWidgets('a custom resource is a table with its columns', crd([both]), [
    widgetCreated,
    get(widgets, { headers: table }),
  ]),
  withWidgets(
    'a custom resource without columns is a table of names and ages',
    crd([version(open)]),
    [widgetCreated, get(widgets, { headers: table })],
  ),
  withWidgets('a custom resource is selected by its fields', crd([both]), [
    widgetCreated,
    get(`${widgets}?fieldSelector=spec.a%3Dx`, { show: ['items.0.metadata.name'] }),
    get(`${widgets}?fieldSelector=spec.a%3Dy`, { show: ['items.0.metadata.name'] }),
    get(`${widgets}?fieldSelector=spec.n%3D1`),
  ]),
  withWidgets('a custom resource is patched with operations and not strategically', crd([both]), [
    widgetCreated,
    operations(`${widgets}/w`, [{ op: 'replace', path: '/spec/a', value: 'z' }]),
    strategic(`${widgets}/w`, { spec: { a: 'y' } }),
  ]),
  withWidgets('unknown fields of a custom resource are refused when strict', crd([both]), [
    post(`${widgets}?fieldValidation=Strict`, widget({ spec: { nope: 1 } })),
    post(`${widgets}?fieldValidation=Warn`, widget({ spec: { nope: 1 } })),
  ]),
  withWidgets('a custom resource of another kind or version is refused', crd([both]), [
    post(widgets, { ...widget(), kind: 'Gadget' }),
    post(widgets, { ...widget(), apiVersion: '{ns}.example.com/v2' }),
    post(widgets, { metadata: { name: 'w' } }),
  ]),
  withWidgets('a custom resource is applied', crd([both]), [
    apply(`${widgets}/w?fieldManager=one`, widget({ spec: { a: 'x' } })),
    apply(`${widgets}/w?fieldManager=two`, widget({ spec: { a: 'y' } })),
    apply(`${widgets}/w?fieldManager=two&force=true`, widget({ spec: { a: 'y' } })),
    apply(`${widgets}/w?fieldManager=one`, widget({ spec: {} })),
  ]),
  withWidgets('a custom resource without a schema of its fields is applied', crd([version(open)]), [
    apply(`${widgets}/w?fieldManager=one`, widget({ spec: { a: { b: [1, 2] } } })),
    apply(`${widgets}/w?fieldManager=two`, widget({ spec: { a: { c: 'd' } } })),
    apply(`${widgets}/w?fieldManager=two`, widget({ spec: { a: { b: [3] } } })),
  ]),
  withWidgets('a custom resource is watched', crd([both]), [
    setup(get(widgets, { capture: { rv: 'metadata.resourceVersion' } })),
    watching(
      `${widgets}?watch=true&resourceVersion={rv}`,
      [widgetCreated, setup(del(`${widgets}/w`))],
      {
        events: 2,
      },
    ),
  ]),
  withWidgets('large numbers stay exact', crd([version(open)]), [
    post(
      `${widgets}?dryRun=All`,
      {
        text: '{"apiVersion":"{ns}.example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"a":9223372036854775807,"b":0.1,"c":1e3,"d":-9007199254740993,"__proto__":{"x":1}}}',
      },
      { isRaw: true },
    ),
  ]),
  withWidgets(
    'a second version shows the same object',
    crd([version(open), version(open, { name: 'v2', storage: false })]),
    [
      widgetCreated,
      get('/apis/{ns}.example.com/v2/namespaces/{ns}/widgets/w', { until: { code: 200 } }),
      get('/apis/{ns}.example.com', { until: { code: 200 } }),
    ],
  ),
  withWidgets(
    'the group and its resources are discovered',
    crd([both], {
      names: {
        plural: 'widgets',
        singular: 'widget',
        kind: 'Widget',
        shortNames: ['wd'],
        categories: ['all'],
      },
    }),
    [
      get('/apis/{ns}.example.com', { until: { code: 200 } }),
      get('/apis/{ns}.example.com/v1', { until: { code: 200 } }),
    ],
  ),
  withWidgets('a deleted definition deletes its objects', crd([both]), [
    widgetCreated,
    del(definition),
    get(definition, { until: { code: 404 } }),
    get(widgets, { until: { code: 404 }, show: [] }),
  ]),
  withWidgets(
    'a dry run of a second definition of the same kind gets the same answer',
    crd([both]),
    [
      post(`${definitions}?dryRun=All`, {
        ...crd([both], { names: { plural: 'wodgets', kind: 'Widget' } }),
        metadata: { name: 'wodgets.{ns}.example.com' },
      }),
    ],
  ),
  withWidgets('a definition cannot change its group or scope', crd([both]), [
    merge(`${definition}?dryRun=All`, { spec: { scope: 'Cluster' } }),
    merge(`${definition}?dryRun=All`, { spec: { group: 'other.example.com' } }),
    merge(
      `${definition}?dryRun=All`,
      { spec: { names: { kind: 'Gadget' } } },
      { show: ['code', 'reason', 'message', 'spec.names'] },
    ),
  ]),
]
