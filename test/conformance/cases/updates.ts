import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase } from '../conformance-case.ts'
import {
  configMap,
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
  strategic,
} from '../requests.ts'

const configMaps = core('configmaps')
const deployments = grouped('apps/v1', 'deployments')
const pods = core('pods')
const services = core('services')
const created = setup(
  post(configMaps, configMap('a'), {
    capture: { rv: 'metadata.resourceVersion', uid: 'metadata.uid' },
  }),
)
const deployed = setup(post(deployments, deployment('d')))
const running = setup(post(pods, pod('p')))
const served = setup(
  post(services, {
    metadata: { name: 's' },
    spec: { selector: { app: 'x' }, ports: [{ name: 'http', port: 80 }] },
  }),
)
const named = (metadata: JsonObject, rest: JsonObject = {}): JsonObject => ({
  metadata: { name: 'a', ...metadata },
  ...rest,
})

/** Updates of a ConfigMap, each with what it tests. */
const replacements: readonly (readonly [name: string, body: JsonObject])[] = [
  ['the revision that is current', named({ resourceVersion: '{rv}' }, { data: { k: 'w' } })],
  ['an old revision', named({ resourceVersion: '1' })],
  ['a revision that is not a number', named({ resourceVersion: 'x' })],
  ['no revision', named({}, { data: { k: 'w' } })],
  ['nothing new', named({}, { data: { k: 'v' } })],
  ['its own uid', named({ uid: '{uid}' })],
  ['another uid', named({ uid: '00000000-0000-0000-0000-000000000001' })],
  ['another name', { metadata: { name: 'b' } }],
  ['no name', { metadata: {} }],
  ['another namespace', named({ namespace: 'elsewhere' })],
  ['a time of creation', named({ creationTimestamp: '2020-01-01T00:00:00Z' })],
  ['a time of deletion', named({ deletionTimestamp: '2020-01-01T00:00:00Z' })],
  ['a generation', named({ generation: 5 })],
  ['finalizers', named({ finalizers: ['example.com/a'] })],
  ['labels and annotations', named({ labels: { a: 'b' }, annotations: { c: 'd' } })],
  ['immutability', named({}, { immutable: true })],
  ['no managed fields', named({ managedFields: [] })],
]

/** Patches with a name. */
const patches: readonly (readonly [string, ReturnType<typeof merge>])[] = [
  [
    'a merge patch adds, changes and removes',
    merge(`${configMaps}/a`, { data: { k: null, l: 'w' }, metadata: { labels: { a: 'b' } } }),
  ],
  ['a merge patch that is not an object is refused', merge(`${configMaps}/a`, [1])],
  ['a merge patch of a wrong type is refused', merge(`${configMaps}/a`, { data: 'x' })],
  [
    'a merge patch of an unknown field warns',
    merge(`${configMaps}/a?fieldValidation=Warn`, { nope: 1 }),
  ],
  [
    'a merge patch of an unknown field is refused when strict',
    merge(`${configMaps}/a?fieldValidation=Strict`, { nope: 1 }),
  ],
  [
    'a merge patch with an old revision is a conflict',
    merge(`${configMaps}/a`, { metadata: { resourceVersion: '1' }, data: { k: 'w' } }),
  ],
  [
    'a merge patch with another uid is refused',
    merge(`${configMaps}/a`, { metadata: { uid: '00000000-0000-0000-0000-000000000001' } }),
  ],
  ['a merge patch of the name is refused', merge(`${configMaps}/a`, { metadata: { name: 'b' } })],
  ['a merge patch of the kind is refused', merge(`${configMaps}/a`, { kind: 'Secret' })],
  ['a merge patch of a missing object is 404', merge(`${configMaps}/absent`, {})],
  ['an empty merge patch changes nothing', merge(`${configMaps}/a`, {})],
  [
    'a dry run of a merge patch is not stored',
    merge(`${configMaps}/a?dryRun=All`, { data: { k: 'w' } }),
  ],
  ['force without apply is refused', merge(`${configMaps}/a?force=true`, {})],
  [
    'operations add, replace and test',
    operations(`${configMaps}/a`, [
      { op: 'test', path: '/data/k', value: 'v' },
      { op: 'add', path: '/data/l', value: 'w' },
      { op: 'replace', path: '/data/k', value: 'x' },
    ]),
  ],
  [
    'operations copy, move and remove',
    operations(`${configMaps}/a`, [
      { op: 'copy', from: '/data/k', path: '/data/l' },
      { op: 'move', from: '/data/k', path: '/data/m' },
      { op: 'remove', path: '/data/l' },
    ]),
  ],
  [
    'a test that fails refuses all operations',
    operations(`${configMaps}/a`, [{ op: 'test', path: '/data/k', value: 'no' }]),
  ],
  [
    'an operation on a path that is missing is refused',
    operations(`${configMaps}/a`, [{ op: 'remove', path: '/data/none' }]),
  ],
  [
    'a replacement at a path that is missing is refused',
    operations(`${configMaps}/a`, [{ op: 'replace', path: '/none/x', value: 1 }]),
  ],
  [
    'an unknown operation is refused',
    operations(`${configMaps}/a`, [{ op: 'nonsense', path: '/data/k' }]),
  ],
  ['operations that are not a list are refused', operations(`${configMaps}/a`, { op: 'add' })],
  [
    'an operation can have escapes in its path',
    operations(`${configMaps}/a`, [
      { op: 'add', path: '/metadata/annotations', value: {} },
      { op: 'add', path: '/metadata/annotations/example.com~1a', value: 'x' },
    ]),
  ],
  [
    'a strategic patch merges containers by name',
    strategic(`${deployments}/d`, {
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'side', image: 'b' },
              { name: 'main', env: [{ name: 'A', value: '1' }] },
            ],
          },
        },
      },
    }),
  ],
  [
    'a strategic patch deletes from lists',
    strategic(`${deployments}/d`, {
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'side', image: 'b' },
              { name: 'main', $patch: 'delete' },
            ],
          },
        },
      },
    }),
  ],
  [
    'a strategic patch replaces lists',
    strategic(`${deployments}/d`, {
      spec: {
        template: { spec: { containers: [{ $patch: 'replace' }, { name: 'only', image: 'c' }] } },
      },
    }),
  ],
  [
    'a strategic patch replaces maps',
    strategic(`${deployments}/d`, { metadata: { labels: { $patch: 'replace', a: 'b' } } }),
  ],
  [
    'a strategic patch retains keys',
    strategic(`${deployments}/d`, {
      spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
    }),
  ],
  [
    'a strategic patch orders lists',
    strategic(`${deployments}/d`, {
      spec: {
        template: {
          spec: {
            '$setElementOrder/containers': [{ name: 'side' }, { name: 'main' }],
            containers: [{ name: 'side', image: 'b' }],
          },
        },
      },
    }),
  ],
  [
    'a strategic patch deletes from lists of texts',
    strategic(`${configMaps}/a`, {
      metadata: {
        '$deleteFromPrimitiveList/finalizers': ['example.com/a'],
        finalizers: ['example.com/b'],
      },
    }),
  ],
  [
    'an unknown directive is refused',
    strategic(`${deployments}/d`, {
      spec: { template: { spec: { containers: [{ name: 'main', $patch: 'nonsense' }] } } },
    }),
  ],
  [
    'an element without its key is refused',
    strategic(`${deployments}/d`, {
      spec: { template: { spec: { containers: [{ image: 'x' }] } } },
    }),
  ],
  [
    'a strategic patch merges ports of services',
    strategic(`${services}/s`, {
      spec: {
        ports: [
          { port: 80, targetPort: 8080 },
          { port: 443, name: 'https' },
        ],
      },
    }),
  ],
  [
    'a strategic patch of a node that is missing is 404',
    strategic('/api/v1/nodes/absent', { spec: { unschedulable: true } }),
  ],
  [
    'a patch of an unknown type is refused',
    {
      method: 'PATCH',
      path: `${configMaps}/a`,
      body: {},
      headers: { 'content-type': 'application/json' },
    },
  ],
  [
    'a patch that is not JSON is refused',
    {
      method: 'PATCH',
      path: `${configMaps}/a`,
      body: { text: '{' },
      headers: { 'content-type': 'application/merge-patch+json' },
    },
  ],
  [
    'a patch of an immutable field is refused',
    merge(`${deployments}/d`, { spec: { selector: { matchLabels: { app: 'other' } } } }),
  ],
  [
    'a patch of the image of a pod is allowed',
    merge(`${pods}/p`, { spec: { containers: [{ name: 'main', image: 'other' }] } }),
  ],
  ['a patch of the node of a pod is refused', merge(`${pods}/p`, { spec: { nodeName: 'n' } })],
  [
    'a patch of an address of a service is refused',
    merge(`${services}/s`, { spec: { clusterIP: '10.96.200.200', clusterIPs: ['10.96.200.200'] } }),
  ],
  [
    'a status in a write of the object is ignored',
    merge(`${deployments}/d`, { status: { replicas: 3 } }),
  ],
  [
    'a status in a write of the subresource is stored',
    merge(`${deployments}/d/status`, {
      status: { replicas: 3, observedGeneration: 1 },
      spec: { replicas: 9 },
    }),
  ],
  [
    'a status that is not valid is refused',
    merge(`${deployments}/d/status`, { status: { replicas: -1 } }),
  ],
  ['a scale is patched', merge(`${deployments}/d/scale`, { spec: { replicas: 4 } })],
  ['a scale below zero is refused', merge(`${deployments}/d/scale`, { spec: { replicas: -4 } })],
  [
    'a change of the spec increases the generation',
    merge(`${deployments}/d`, { spec: { replicas: 4 } }),
  ],
  [
    'a change of a label does not increase the generation',
    merge(`${deployments}/d`, { metadata: { labels: { a: 'b' } } }),
  ],
]

/** Updates and patches. */
export const updateCases: readonly ConformanceCase[] = [
  ...replacements.map(([name, body]) =>
    scenario(`a replacement with ${name} gets the same answer`, [
      { ...created, isSetup: false },
      put(`${configMaps}/a`, body),
      get(`${configMaps}/a`),
    ]),
  ),
  ...patches.map(([name, request]) =>
    scenario(name, [created, deployed, running, served, request]),
  ),
  scenario('a replacement of a missing object is 404', [
    put(`${configMaps}/absent`, configMap('absent')),
  ]),
  scenario('a lease is created by a replacement', [
    put(grouped('coordination.k8s.io/v1', 'leases/l'), {
      metadata: { name: 'l' },
      spec: { holderIdentity: 'me' },
    }),
    put(grouped('coordination.k8s.io/v1', 'leases/l'), {
      metadata: { name: 'l' },
      spec: { holderIdentity: 'you' },
    }),
  ]),
  scenario('an immutable config map cannot change', [
    setup(post(configMaps, { metadata: { name: 'i' }, immutable: true, data: { k: 'v' } })),
    merge(`${configMaps}/i`, { data: { k: 'w' } }),
    merge(`${configMaps}/i`, { immutable: false }),
    merge(`${configMaps}/i`, { metadata: { labels: { a: 'b' } } }),
  ]),
  scenario('a scale is read and replaced', [
    deployed,
    get(`${deployments}/d/scale`),
    put(`${deployments}/d/scale`, { metadata: { name: 'd' }, spec: { replicas: 7 } }),
    get(`${deployments}/d`),
  ]),
  scenario('a replaced deployment counts generations', [
    deployed,
    put(`${deployments}/d`, deployment('d', { replicas: 2 })),
    put(`${deployments}/d`, deployment('d', { replicas: 2 })),
    put(`${deployments}/d/status`, { ...deployment('d'), status: { observedGeneration: 2 } }),
  ]),
  scenario('a pod is bound to a node', [
    running,
    post(`${pods}/p/binding`, { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n1' } }),
    get(`${pods}/p`),
    post(`${pods}/p/binding`, { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n2' } }),
  ]),
  scenario('an evicted pod is deleted', [
    running,
    post(`${pods}/p/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'p' },
    }),
    get(`${pods}/p`),
  ]),
  scenario('ephemeral containers are added by their subresource', [
    running,
    strategic(`${pods}/p/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: 'debug', image: 'busybox' }] },
    }),
  ]),
  scenario('the secret of a type keeps its type', [
    setup(post(core('secrets'), { metadata: { name: 's' } })),
    merge(`${core('secrets')}/s`, { type: 'other' }),
    merge(`${core('secrets')}/s`, { stringData: { a: 'b' } }),
  ]),
  scenario('a finalizer cannot be added to a terminating object', [
    setup(post(configMaps, { metadata: { name: 'f', finalizers: ['example.com/a'] } })),
    setup(del(`${configMaps}/f`)),
    merge(`${configMaps}/f`, { metadata: { finalizers: ['example.com/a', 'example.com/b'] } }),
    merge(`${configMaps}/f`, { metadata: { finalizers: null } }),
    get(`${configMaps}/f`),
  ]),
]
