import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase, Request } from '../conformance-case.ts'
import {
  configMap,
  core,
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
  strategic,
} from '../requests.ts'
import { crd, open, specSchema, version, widget, widgets, withWidgets } from './widgets.ts'

const configMaps = core('configmaps')
const deployments = grouped('apps/v1', 'deployments')
const services = core('services')
const created = setup(
  post(configMaps, { metadata: { name: 'a', labels: { l: 'm' } }, data: { k: 'v' } }),
)
const deployed = setup(post(deployments, deployment('d')))
const replace = (path: string, value: string): JsonObject => ({ op: 'replace', path, value })
const show = [
  'code',
  'reason',
  'message',
  'details',
  'kind',
  'apiVersion',
  'metadata.name',
  'metadata.labels',
]

type Patch = (path: string, body: JsonObject, extra?: Partial<Request>) => Request
const patches: readonly (readonly [string, Patch])[] = [
  ['merge patch', merge],
  ['strategic patch', strategic],
]
/** Changes of an object's kind and version. */
const identities: readonly (readonly [string, JsonObject])[] = [
  ['another kind', { kind: 'Secret' }],
  ['an unknown kind', { kind: 'Nonsense' }],
  ['another version', { apiVersion: 'v2' }],
  ['another group', { apiVersion: 'apps/v1' }],
  ['another kind of another group', { apiVersion: 'apps/v1', kind: 'Deployment' }],
  ['no kind', { kind: null }],
  ['no version', { apiVersion: null }],
  ['an empty kind', { kind: '' }],
  ['the same kind and version', { apiVersion: 'v1', kind: 'ConfigMap' }],
]
const customIdentities: readonly (readonly [string, JsonObject])[] = [
  ['another kind', { kind: 'Gadget' }],
  ['another version', { apiVersion: '{ns}.example.com/v2' }],
  ['another group', { apiVersion: 'apps/v1' }],
  ['no kind', { kind: null }],
  ['no version', { apiVersion: null }],
  ['an empty kind', { kind: '' }],
]
const operationLists: readonly (readonly [string, readonly JsonObject[]])[] = [
  ['another kind', [replace('/kind', 'Secret')]],
  ['another version', [replace('/apiVersion', 'v2')]],
  ['no kind', [{ op: 'remove', path: '/kind' }]],
  ['no version', [{ op: 'remove', path: '/apiVersion' }]],
  ['no metadata', [{ op: 'remove', path: '/metadata' }]],
  ['a number as root', [{ op: 'replace', path: '', value: 5 }]],
  ['another root', [{ op: 'replace', path: '', value: { metadata: { name: 'a' } } }]],
  ['no path', [{ op: 'add', value: 1 }]],
  ['no value', [{ op: 'add', path: '/data/x' }]],
  ['a null value', [{ op: 'add', path: '/data/x', value: null }]],
  ['no operations', []],
  ['a path without a slash', [{ op: 'add', path: 'data', value: {} }]],
  ['an invalid escape', [{ op: 'add', path: '/data/a~2b', value: 'x' }]],
  ['an invalid list index', [{ op: 'add', path: '/metadata/finalizers/x', value: 'a/b' }]],
  ['a test of nothing', [{ op: 'test', path: '/data/none', value: null }]],
  ['a move into itself', [{ op: 'move', from: '/data', path: '/data/x' }]],
  ['a copy of nothing', [{ op: 'copy', from: '/data/none', path: '/data/x' }]],
]
const strategies: readonly (readonly [string, JsonObject])[] = [
  ['a directive to delete the map', { metadata: { labels: { $patch: 'delete' } } }],
  [
    'a directive to replace the spec',
    {
      spec: {
        $patch: 'replace',
        selector: { matchLabels: { app: 'd' } },
        template: (deployment('d')['spec'] as JsonObject)['template'] ?? null,
      },
    },
  ],
  [
    'primitive items to delete',
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } },
  ],
  [
    'primitive items to delete that are not a list',
    { metadata: { '$deleteFromPrimitiveList/finalizers': 'x' } },
  ],
  [
    'an order without the items',
    { spec: { template: { spec: { '$setElementOrder/containers': [{ name: 'none' }] } } } },
  ],
  [
    'an order that lacks a patched item',
    {
      spec: {
        template: {
          spec: {
            '$setElementOrder/containers': [{ name: 'main' }],
            containers: [{ name: 'other', image: 'x' }],
          },
        },
      },
    },
  ],
  [
    'keys to retain that lack a patched one',
    { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate', rollingUpdate: null } } },
  ],
  [
    'a deletion of a missing item',
    { spec: { template: { spec: { containers: [{ name: 'none', $patch: 'delete' }] } } } },
  ],
  ['null items', { spec: { template: { spec: { containers: [null] } } } }],
  ['a list that is null', { spec: { template: { spec: { containers: null } } } }],
  ['a list for a map', { metadata: { labels: ['a'] } }],
  ['a map for a list', { spec: { template: { spec: { containers: { name: 'a' } } } } }],
  [
    'ports by their key',
    {
      spec: {
        template: {
          spec: {
            containers: [
              {
                name: 'main',
                ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }],
              },
            ],
          },
        },
      },
    },
  ],
  [
    'the same item twice',
    {
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'main', image: 'a' },
              { name: 'main', image: 'b' },
            ],
          },
        },
      },
    },
  ],
]

/** Patches, each with one change of the object's identity or form. */
export const patchCases: readonly ConformanceCase[] = [
  ...patches.flatMap(([type, patch]) =>
    identities.map(([name, body]) =>
      scenario(`a ${type} to ${name} gets the same answer`, [
        created,
        patch(`${configMaps}/a`, body, { show }),
        patch(`${configMaps}/a`, { ...body, metadata: { labels: { x: 'y' } } }, { show }),
      ]),
    ),
  ),
  ...operationLists.map(([name, list]) =>
    scenario(`operations with ${name} get the same answer`, [
      created,
      operations(`${configMaps}/a`, [...list]),
    ]),
  ),
  withWidgets(
    'patches of the identity of a custom resource get the same answer',
    crd([version(open), version(open, { name: 'v2', storage: false })]),
    [
      setup(post(widgets, widget({ spec: { a: 'x' } }))),
      ...customIdentities.map(([, body]) => merge(`${widgets}/w`, body, { show })),
      operations(`${widgets}/w`, [replace('/kind', 'Gadget')], { show }),
      operations(`${widgets}/w`, [replace('/apiVersion', '{ns}.example.com/v2')], { show }),
      operations(`${widgets}/w`, [{ op: 'remove', path: '/kind' }], { show }),
      operations(`${widgets}/w`, [{ op: 'remove', path: '/apiVersion' }], { show }),
      operations(`${widgets}/w`, [{ op: 'remove', path: '/metadata' }], { show }),
      operations(`${widgets}/w`, [{ op: 'replace', path: '', value: {} }], { show }),
      merge(`${widgets}/w`, { metadata: { name: 'x' } }, { show }),
      merge(`${widgets}/w`, { metadata: null }, { show }),
      merge(`${widgets}/w`, { metadata: { namespace: 'elsewhere' } }, { show }),
    ],
  ),
  ...strategies.map(([name, body]) =>
    scenario(`a strategic patch with ${name} gets the same answer`, [
      setup(
        post(deployments, {
          ...deployment('d'),
          metadata: {
            name: 'd',
            labels: { a: 'b' },
            finalizers: ['example.com/a', 'example.com/b'],
          },
        }),
      ),
      strategic(`${deployments}/d`, body),
      setup(merge(`${deployments}/d`, { metadata: { finalizers: null } })),
    ]),
  ),
  scenario('a merge patch of another shape gets the same answer', [
    created,
    merge(`${configMaps}/a`, []),
    merge(`${configMaps}/a`, 'text'),
    merge(`${configMaps}/a`, null),
    merge(`${configMaps}/a`, 5),
    merge(`${configMaps}/a`, { text: '' }),
    merge(`${configMaps}/a`, { text: '{"data":{"k":"1","k":"2"}}' }),
    merge(`${configMaps}/a`, { text: '{"data":{"k":"1","k":"2"}}' }, {}),
    merge(`${configMaps}/a?fieldValidation=Strict`, { text: '{"data":{"k":"3","k":"4"}}' }),
    merge(`${configMaps}/a?fieldValidation=Ignore`, { nope: 1 }),
    merge(`${configMaps}/a?fieldValidation=Warn`, { nope: 1, metadata: { nope: 2 } }),
    merge(`${configMaps}/a?fieldValidation=Nonsense`, { nope: 1 }),
    merge(`${configMaps}/a`, { metadata: null }),
    merge(`${configMaps}/a`, { metadata: { namespace: 'elsewhere' } }),
    merge(`${configMaps}/a`, {
      metadata: { creationTimestamp: null, generation: 9, selfLink: 'x' },
    }),
    merge(`${configMaps}/a`, { metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } }),
    merge(`${configMaps}/a`, { metadata: { resourceVersion: 'abc' } }),
    merge(`${configMaps}/a`, { metadata: { resourceVersion: '' } }),
    merge(`${configMaps}/a`, { metadata: { uid: '' } }),
  ]),
  scenario('a strategic patch of another shape gets the same answer', [
    created,
    strategic(`${configMaps}/a`, []),
    strategic(`${configMaps}/a`, 'text'),
    strategic(`${configMaps}/a`, null),
    strategic(`${configMaps}/a`, { data: [] }),
    strategic(`${configMaps}/a`, { data: null }),
    strategic(`${configMaps}/a?fieldValidation=Strict`, { nope: 1 }, { show: ['code', 'reason'] }),
    strategic(`${configMaps}/a?fieldValidation=Strict`, { text: '{"data":{"k":"3","k":"4"}}' }),
  ]),
  scenario('a patch of a missing object is 404', [
    merge(`${configMaps}/none`, { data: {} }),
    strategic(`${configMaps}/none`, { data: {} }),
    operations(`${configMaps}/none`, []),
    operations(`${configMaps}/none`, [{ op: 'nonsense' }]),
    merge(`${configMaps}/none`, []),
    merge(`${deployments}/none/status`, {}),
    merge(`${deployments}/none/scale`, {}),
  ]),
  scenario('a patch of a status leaves the rest', [
    deployed,
    merge(`${deployments}/d/status`, {
      spec: { replicas: 9 },
      status: { replicas: 1 },
      metadata: { labels: { a: 'b' }, annotations: { c: 'd' } },
    }),
    strategic(`${deployments}/d/status`, {
      status: { conditions: [{ type: 'Available', status: 'True' }] },
    }),
    strategic(`${deployments}/d/status`, {
      status: { conditions: [{ type: 'Progressing', status: 'True' }] },
    }),
    operations(`${deployments}/d/status`, [{ op: 'remove', path: '/status/conditions/0' }]),
    put(`${deployments}/d/status`, { ...deployment('d'), status: { replicas: -1 } }),
    put(`${deployments}/d/status`, {
      ...deployment('d'),
      status: { replicas: 3, readyReplicas: 4 },
    }),
    put(`${deployments}/d`, { ...deployment('d'), status: { replicas: 9 } }, { show: ['status'] }),
  ]),
  scenario('patches of services keep their addresses', [
    setup(post(services, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } })),
    merge(
      `${services}/s`,
      { spec: { clusterIP: null } },
      { show: ['code', 'message', 'spec.type'] },
    ),
    merge(
      `${services}/s`,
      { spec: { clusterIP: '', clusterIPs: null } },
      { show: ['code', 'message', 'spec.type'] },
    ),
    merge(`${services}/s`, { spec: { type: 'NodePort' } }),
    merge(`${services}/s`, { spec: { type: 'ClusterIP' } }),
    merge(`${services}/s`, { spec: { type: 'ExternalName', externalName: 'a.example.com' } }),
    merge(`${services}/s`, {
      spec: { type: 'ClusterIP', externalName: null, ports: [{ port: 81 }] },
    }),
    merge(`${services}/s`, { spec: { clusterIP: 'None' } }),
    merge(`${services}/s?dryRun=All`, { spec: { type: 'LoadBalancer' } }),
    get(`${services}/s`),
  ]),
  scenario(
    'dry runs of services',
    [
      post(
        `${services}?dryRun=All`,
        { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } },
        { show: ['kind', 'spec.type', 'spec.clusterIPs', 'spec.ports'] },
      ),
      post(
        `${services}?dryRun=All`,
        {
          metadata: { name: 's' },
          spec: {
            type: 'NodePort',
            ports: [{ port: 80 }, { port: 81, name: 'b', nodePort: 31111 }],
          },
        },
        { show: ['code', 'message', 'kind', 'spec.type', 'spec.clusterIPs', 'spec.ports'] },
      ),
      post(
        `${services}?dryRun=All`,
        {
          metadata: { name: 's' },
          spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] },
        },
        { show: ['kind', 'spec'] },
      ),
      post(
        `${services}?dryRun=All`,
        { metadata: { name: 's' }, spec: { clusterIP: '10.96.1.1', ports: [{ port: 80 }] } },
        { show: ['kind', 'spec'] },
      ),
      setup(
        post(services, {
          metadata: { name: 's' },
          spec: { clusterIP: '10.96.1.1', ports: [{ port: 80 }] },
        }),
      ),
      post(`${services}?dryRun=All`, {
        metadata: { name: 't' },
        spec: { clusterIP: '10.96.1.1', ports: [{ port: 80 }] },
      }),
      get(services, { show: ['items.1'] }),
    ],
    { cleanup: [`${services}/s`] },
  ),
  scenario('only mutable fields of a pod change', [
    setup(post(core('pods'), pod('p'))),
    merge(`${core('pods')}/p`, { spec: { activeDeadlineSeconds: 5 } }),
    merge(`${core('pods')}/p`, { spec: { activeDeadlineSeconds: 9 } }),
    merge(`${core('pods')}/p`, { spec: { activeDeadlineSeconds: null } }),
    merge(`${core('pods')}/p`, { spec: { tolerations: [{ key: 'a', operator: 'Exists' }] } }),
    merge(`${core('pods')}/p`, { spec: { terminationGracePeriodSeconds: 1 } }),
    merge(`${core('pods')}/p`, { spec: { serviceAccountName: 'x' } }),
    merge(`${core('pods')}/p`, {
      metadata: {
        ownerReferences: [
          {
            apiVersion: 'v1',
            kind: 'Node',
            name: 'n',
            uid: '00000000-0000-0000-0000-000000000001',
          },
        ],
      },
    }),
    strategic(
      `${core('pods')}/p`,
      { spec: { containers: [{ name: 'b', image: 'b' }] } },
      { show: ['code', 'reason', 'details.causes.0.reason'] },
    ),
  ]),
  withWidgets(
    'a patch that makes a custom resource invalid is refused',
    crd([version(specSchema({ a: { type: 'string' }, n: { type: 'integer' } }))]),
    [
      setup(post(widgets, widget({ spec: { a: 'x' } }))),
      merge(`${widgets}/w`, { spec: { n: 'x' } }),
      merge(`${widgets}/w`, { spec: { nope: 1 } }),
      merge(`${widgets}/w?fieldValidation=Strict`, { spec: { nope: 1 } }),
      operations(`${widgets}/w`, [{ op: 'add', path: '/spec/n', value: 1.5 }]),
      operations(`${widgets}/w`, [{ op: 'replace', path: '/spec', value: 'x' }]),
      merge(`${widgets}/w`, { spec: null }),
      merge(`${widgets}/w`, { text: '{"spec":{"a":"1","a":"2"}}' }),
      put(`${widgets}/w`, {
        text: '{"apiVersion":"{ns}.example.com/v1","kind":"Widget","metadata":{"name":"w","name":"w"},"spec":{"a":"1","a":"2"}}',
      }),
      post(`${widgets}?fieldValidation=Strict`, {
        text: '{"apiVersion":"{ns}.example.com/v1","kind":"Widget","metadata":{"name":"w2","name":"w2","nope":1},"spec":{"a":"1","a":"2","b":1}}',
      }),
      post(`${widgets}?fieldValidation=Strict`, {
        ...configMap('x'),
        apiVersion: '{ns}.example.com/v1',
        kind: 'Widget',
      }),
    ],
  ),
]
