import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase } from '../conformance-case.ts'
import {
  apply,
  core,
  del,
  deployment,
  get,
  grouped,
  merge,
  operations,
  pod,
  post,
  put,
  scenario,
  setup,
} from '../requests.ts'
import { crd, open, specSchema, version, widget, widgets, withWidgets } from './widgets.ts'

const configMaps = core('configmaps')
const deployments = grouped('apps/v1', 'deployments')
const text = { type: 'string' }
const map = (data: JsonObject | null, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  ...(data === null ? {} : { data }),
})
const by = (manager: string, extra = ''): string =>
  `${configMaps}/a?fieldManager=${manager}${extra}`
const workload = (spec: JsonObject, status?: JsonObject): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec,
  ...(status === undefined ? {} : { status }),
})
const full = (deployment('d')['spec'] ?? {}) as JsonObject
const path = (manager: string, extra = ''): string =>
  `${deployments}/d?fieldManager=${manager}${extra}`
const statusPath = (manager: string, extra = ''): string =>
  `${deployments}/d/status?fieldManager=${manager}${extra}`
const yaml = (manager: string, body: string) => ({
  method: 'PATCH' as const,
  path: by(manager),
  headers: { 'content-type': 'application/apply-patch+yaml' },
  body: { text: body },
})
const ours = (manager: string, extra = ''): string => `${widgets}/w?fieldManager=${manager}${extra}`

/** All types of lists and maps that a schema can have. */
const kinds = version(
  specSchema({
    plain: { type: 'array', items: text },
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    byKey: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k', 'p'],
      items: {
        type: 'object',
        required: ['k'],
        properties: { k: text, p: { type: 'integer', default: 1 }, v: text, w: text },
      },
    },
    granular: { type: 'object', properties: { a: text, b: text } },
    atomic: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text, b: text } },
    map: { type: 'object', additionalProperties: text },
    atomicMap: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text },
    maybe: { ...text, nullable: true },
    given: { ...text, default: 'default' },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    either: { 'x-kubernetes-int-or-string': true },
  }),
  {
    subresources: { status: {} },
  },
)
const kindsWithStatus: JsonObject = {
  ...kinds,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        ...((kinds['schema'] as JsonObject)['openAPIV3Schema'] as { properties: JsonObject })
          .properties,
        status: { type: 'object', properties: { n: { type: 'integer' }, t: text } },
      },
    },
  },
}
const of = (spec: JsonObject, more: JsonObject = {}): JsonObject => widget({ spec, ...more })

/** Two managers of one field, step by step: [manager and query, spec]. */
const sequences: readonly (readonly [string, ...(readonly [string, JsonObject])[]])[] = [
  [
    'a plain list is atomic',
    ['one', { plain: ['a'] }],
    ['two', { plain: ['b'] }],
    ['two&force=true', { plain: ['b'] }],
    ['one', {}],
  ],
  [
    'a plain list that is equal is shared',
    ['one', { plain: ['a'] }],
    ['two', { plain: ['a'] }],
    ['one', {}],
    ['two', {}],
  ],
  [
    'a set is shared by item',
    ['one', { set: ['a', 'b'] }],
    ['two', { set: ['b', 'c'] }],
    ['one', { set: ['b'] }],
    ['two', {}],
    ['one', {}],
  ],
  ['a set with the same item twice is refused', ['one', { set: ['a', 'a'] }]],
  [
    'items of a map are shared by key',
    ['one', { byKey: [{ k: 'a', v: 'x' }] }],
    ['two', { byKey: [{ k: 'a', w: 'y' }, { k: 'b' }] }],
    ['one', { byKey: [] }],
    ['two', {}],
  ],
  [
    'items of a map with two keys are distinguished',
    [
      'one',
      {
        byKey: [
          { k: 'a', p: 1, v: 'x' },
          { k: 'a', p: 2, v: 'y' },
        ],
      },
    ],
    ['two', { byKey: [{ k: 'a', v: 'z' }] }],
    ['one', { byKey: [{ k: 'a', p: 2, v: 'y' }] }],
  ],
  ['the same item of a map twice is refused', ['one', { byKey: [{ k: 'a' }, { k: 'a', p: 1 }] }]],
  ['an item of a map without its key is refused', ['one', { byKey: [{ v: 'x' }] }]],
  [
    'the order of items follows the last applier',
    ['one', { byKey: [{ k: 'a' }, { k: 'b' }] }],
    ['two', { byKey: [{ k: 'c' }, { k: 'b' }] }],
    ['one', { byKey: [{ k: 'b' }, { k: 'a' }] }],
  ],
  [
    'a granular object is shared by field',
    ['one', { granular: { a: 'x' } }],
    ['two', { granular: { b: 'y' } }],
    ['one', {}],
    ['two', { granular: {} }],
  ],
  [
    'an atomic object is not shared',
    ['one', { atomic: { a: 'x' } }],
    ['two', { atomic: { b: 'y' } }],
    ['two&force=true', { atomic: { b: 'y' } }],
  ],
  [
    'a map is shared by key',
    ['one', { map: { a: 'x' } }],
    ['two', { map: { b: 'y' } }],
    ['one', { map: {} }],
  ],
  [
    'an atomic map is not shared',
    ['one', { atomicMap: { a: 'x' } }],
    ['two', { atomicMap: { a: 'x', b: 'y' } }],
  ],
  [
    'null is a value where it may be',
    ['one', { maybe: null }],
    ['two', { maybe: 'x' }],
    ['two&force=true', { maybe: 'x' }],
    ['one', {}],
  ],
  [
    'null where it may not be is dropped',
    ['one', { granular: { a: null }, given: null }],
    ['one', { given: 'x' }],
    ['one', { given: null }],
  ],
  ['a default returns when its owner drops the field', ['one', { given: 'x' }], ['one', {}]],
  [
    'free fields are deduced',
    ['one', { free: { a: 1, b: [1, 2], c: { d: 'e' } } }],
    ['two', { free: { a: 1, c: { f: 'g' } } }],
    ['one', { free: { a: 2 } }],
    ['two', { free: { b: [3] } }],
  ],
  [
    'numbers and strings alternate',
    ['one', { either: 5 }],
    ['one', { either: '50%' }],
    ['two', { either: 5 }],
  ],
  ['unknown fields are refused', ['one', { nope: 1 }], ['one', { granular: { nope: 1 } }]],
  [
    'wrong types are refused',
    ['one', { set: 'a' }],
    ['one', { map: ['a'] }],
    ['one', { granular: 'x' }],
    ['one', { byKey: { k: 'a' } }],
    ['one', { byKey: ['a'] }],
    ['one', { set: [1] }],
    ['one', { plain: [1] }],
  ],
]

/** Sequences of server-side applies. */
export const applySequenceCases: readonly ConformanceCase[] = [
  ...sequences.map(([name, ...steps]) =>
    withWidgets(
      `when applied, ${name}`,
      crd([kindsWithStatus]),
      steps.map(([manager, spec]) => apply(ours(manager), of(spec))),
    ),
  ),
  withWidgets(
    'status and spec of a custom resource are applied separately',
    crd([kindsWithStatus]),
    [
      apply(ours('one'), of({ map: { a: 'x' } }, { status: { n: 1 } })),
      apply(`${widgets}/w/status?fieldManager=one`, of({ map: { a: 'y' } }, { status: { n: 2 } })),
      apply(`${widgets}/w/status?fieldManager=two`, widget({ status: { n: 3 } })),
      apply(
        `${widgets}/w/status?fieldManager=two&force=true`,
        widget({ status: { n: 3, t: 'x' } }),
      ),
      apply(`${widgets}/w/status?fieldManager=one`, widget({})),
      apply(ours('one'), of({})),
      merge(`${widgets}/w/status?fieldManager=two`, { status: null }),
    ],
  ),
  withWidgets('an apply to the status of a missing object is 404', crd([kindsWithStatus]), [
    apply(`${widgets}/w/status?fieldManager=one`, widget({ status: { n: 2 } })),
  ]),
  withWidgets('a dry run of an apply answers and stores nothing', crd([kindsWithStatus]), [
    apply(ours('one', '&dryRun=All'), of({ given: 'x' })),
    get(`${widgets}/w`),
    setup(apply(ours('one'), of({ given: 'x' }))),
    apply(ours('two', '&dryRun=All'), of({ given: 'y' })),
    apply(ours('two', '&dryRun=All&force=true'), of({ given: 'y' })),
    get(`${widgets}/w`),
  ]),
  withWidgets('an update moves ownership of what it changes only', crd([kindsWithStatus]), [
    setup(
      apply(
        ours('one'),
        of({ map: { a: 'x', b: 'y' }, set: ['a', 'b'], byKey: [{ k: 'a', v: 'x' }] }),
      ),
    ),
    merge(ours('two'), { spec: { map: { a: 'z' } } }),
    merge(ours('two'), { spec: { set: ['b', 'c'] } }),
    operations(ours('three'), [{ op: 'remove', path: '/spec/byKey/0/v' }]),
    merge(ours('two'), { spec: null }),
  ]),
  withWidgets(
    'a created object is owned by its creator until it is applied',
    crd([version(open)]),
    [
      setup(post(`${widgets}?fieldManager=maker`, widget({ spec: { a: 'x', b: { c: 1 } } }))),
      apply(ours('one'), widget({ spec: { a: 'x' } })),
      apply(ours('one'), widget({ spec: { a: 'y' } })),
      apply(ours('one', '&force=true'), widget({ spec: { a: 'y', b: { c: 2 } } })),
      apply(ours('one'), widget({ spec: { a: 'y' } })),
    ],
  ),
  scenario('an object without managers is applied', [
    setup(post(configMaps, { metadata: { name: 'a' }, data: { k: 'v', l: 'w' } })),
    setup(merge(`${configMaps}/a`, { metadata: { managedFields: [{}] } })),
    get(`${configMaps}/a`),
    apply(by('one'), map({ k: 'x' })),
    apply(by('one', '&force=true'), map({ k: 'x' })),
  ]),
  scenario('fields of a client-side apply are taken', [
    setup(
      post(`${configMaps}?fieldManager=kubectl-client-side-apply`, {
        metadata: {
          name: 'a',
          annotations: {
            'kubectl.kubernetes.io/last-applied-configuration':
              '{"apiVersion":"v1","data":{"k":"v","l":"w"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"a","namespace":"{ns}"}}\n',
          },
        },
        data: { k: 'v', l: 'w' },
      }),
    ),
    apply(by('kubectl'), map({ k: 'x' })),
    apply(by('kubectl', '&force=true'), map({ k: 'x' })),
    apply(by('other'), map({ l: 'z' })),
  ]),
  scenario('client-side apply works after a server-side apply', [
    setup(apply(by('kubectl'), map({ k: 'v', l: 'w' }))),
    merge(by('kubectl-client-side-apply'), { data: { l: null } }),
    apply(by('kubectl'), map({ k: 'v' })),
  ]),
  scenario('two managers apply a new object', [
    apply(by('one'), map({ k: 'v' }, { labels: { a: 'b' } })),
    apply(by('two'), map({ l: 'w' }, { labels: { c: 'd' }, annotations: { e: 'f' } })),
    apply(by('one'), map(null)),
    apply(by('two'), map(null)),
  ]),
  scenario('an owned field that another client deletes is restored', [
    setup(apply(by('one'), map({ k: 'v' }))),
    merge(by('two'), { data: { k: null } }),
    apply(by('one'), map({ k: 'v' })),
  ]),
  scenario('an apply with null unsets', [
    apply(by('one'), map({ k: 'v', l: 'w' })),
    apply(by('one'), map({ k: 'v', l: null })),
    apply(by('one'), { ...map(null), data: null }),
  ]),
  scenario('names of managers are validated', [
    apply(`${configMaps}/a?fieldManager=`, map({})),
    apply(by('x'.repeat(129)), map({})),
    apply(by('a%0Ab'), map({})),
    apply(by('one', '&force=nonsense'), map({ k: 'v' })),
    apply(by('one', '&force=false'), map({ k: 'v' })),
    merge(by('one', '&force=true'), { data: {} }),
    apply(by('one', '&fieldManager=two'), map({ k: 'v' }), { show: ['metadata.managedFields'] }),
    apply(by('one', '&fieldValidation=Nonsense'), map({})),
    apply(by('one', '&dryRun=Nonsense'), map({})),
  ]),
  scenario('an apply with unknown fields follows fieldValidation', [
    apply(by('one', '&fieldValidation=Ignore'), { ...map({ k: 'v' }), nope: 1 }),
    apply(by('one', '&fieldValidation=Warn'), { ...map({ k: 'v' }), nope: 1 }),
    apply(by('one', '&fieldValidation=Strict'), { ...map({ k: 'v' }), nope: 1 }),
  ]),
  scenario('an apply of YAML is read as YAML', [
    yaml('one', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: v\n  k: w\n'),
    yaml('one', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: 1\n'),
    yaml(
      'one',
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: |\n    two\n    lines\n  l: ""\n',
    ),
    yaml('one', ''),
    yaml('one', '[]'),
    yaml('one', 'text'),
    yaml('one', 'null'),
    yaml('one', '# nothing\n'),
  ]),
  scenario('an apply names its object', [
    apply(by('one'), { kind: 'ConfigMap', metadata: { name: 'a' } }),
    apply(by('one'), { apiVersion: 'v1', metadata: { name: 'a' } }),
    apply(by('one'), { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'a' } }),
    apply(by('one'), { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } }),
    apply(by('one'), { apiVersion: 'a/b/c', kind: 'ConfigMap', metadata: { name: 'a' } }),
    apply(by('one'), { apiVersion: 1, kind: 'ConfigMap', metadata: { name: 'a' } }),
    apply(by('one'), { apiVersion: 'v1', kind: 'ConfigMap', metadata: [] }),
    apply(by('one'), map({}, { namespace: 'elsewhere' })),
    apply(by('one'), map({}, { namespace: '{ns}', generateName: 'b-' })),
    apply(by('one'), map({}, { managedFields: [] })),
    apply(by('one'), map({}, { managedFields: null })),
    apply(by('one'), map({}, { creationTimestamp: null, uid: '' })),
    apply(by('one'), map({}, { creationTimestamp: '2020-01-01T00:00:00Z' })),
  ]),
  scenario('spec, status and scale of a deployment have managers of their own', [
    apply(path('one'), workload({ ...full, replicas: 2 })),
    apply(
      statusPath('two'),
      workload(
        { replicas: 9 },
        { replicas: 2, conditions: [{ type: 'Available', status: 'True' }] },
      ),
    ),
    apply(
      statusPath('three'),
      workload({}, { conditions: [{ type: 'Progressing', status: 'True' }] }),
    ),
    apply(
      statusPath('three'),
      workload({}, { conditions: [{ type: 'Available', status: 'False' }] }),
    ),
    merge(`${deployments}/d/scale?fieldManager=four`, { spec: { replicas: 5 } }),
    apply(path('one'), workload({ ...full, replicas: 2 })),
    apply(path('one'), workload(full)),
    put(`${deployments}/d/scale?fieldManager=five`, {
      metadata: { name: 'd' },
      spec: { replicas: 6 },
    }),
    get(`${deployments}/d`),
  ]),
  scenario('a pod is applied by name of volume, port and variable', [
    apply(`${core('pods')}/p?fieldManager=one`, {
      apiVersion: 'v1',
      kind: 'Pod',
      ...pod('p', {
        volumes: [{ name: 'v', emptyDir: {} }],
        tolerations: [{ key: 'a', operator: 'Exists' }],
        containers: [
          {
            name: 'main',
            image: 'nginx',
            ports: [{ containerPort: 80 }],
            env: [{ name: 'A', value: '1' }],
            volumeMounts: [{ name: 'v', mountPath: '/v' }],
          },
        ],
      }),
    }),
    apply(`${core('pods')}/p?fieldManager=two`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', labels: { a: 'b' } },
      spec: { containers: [{ name: 'main', image: 'other' }] },
    }),
    apply(`${core('pods')}/p?fieldManager=two&force=true`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', labels: { a: 'b' } },
      spec: { containers: [{ name: 'main', image: 'other' }] },
    }),
    apply(`${core('pods')}/p?fieldManager=one`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
    }),
  ]),
  scenario('a terminating object can be applied', [
    setup(apply(by('one'), map({ k: 'v' }, { finalizers: ['example.com/x'] }))),
    setup(del(`${configMaps}/a`)),
    apply(by('one'), map({ k: 'w' }, { finalizers: ['example.com/x'] })),
    apply(by('one'), map({ k: 'w' })),
    get(`${configMaps}/a`),
  ]),
  scenario('managed fields can be edited and are validated', [
    setup(apply(by('one'), map({ k: 'v' }))),
    merge(by('two'), {
      metadata: {
        managedFields: [
          {
            manager: 'x',
            operation: 'Apply',
            apiVersion: 'v1',
            time: '2020-01-01T00:00:00Z',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { 'f:k': {} } },
          },
        ],
      },
    }),
    merge(by('two'), {
      metadata: { managedFields: [{ manager: 'x', operation: 'Nonsense', apiVersion: 'v1' }] },
    }),
    merge(by('two'), {
      metadata: { managedFields: [{ manager: 'x', operation: 'Update', fieldsType: 'FieldsV2' }] },
    }),
    merge(by('two'), {
      metadata: {
        managedFields: [
          {
            manager: 'x',
            operation: 'Update',
            apiVersion: 'v1',
            fieldsType: 'FieldsV1',
            fieldsV1: { nonsense: {} },
          },
        ],
      },
    }),
    merge(by('two'), { metadata: { managedFields: [] } }),
    merge(by('two'), { metadata: { managedFields: null } }),
    operations(by('two'), [{ op: 'replace', path: '/metadata/managedFields', value: [] }]),
    operations(by('two'), [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }]),
  ]),
]
