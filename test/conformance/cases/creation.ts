import type { ConformanceCase, Request } from '../conformance-case.ts'
import { configMap, core, get, grouped, pod, post, scenario, setup } from '../requests.ts'

const configMaps = core('configmaps')

/** Bodies that are refused or completed, each with what it tests. */
const bodies: readonly (readonly [name: string, body: Request['body']])[] = [
  ['no metadata', {}],
  ['no name', { metadata: {} }],
  ['an empty name', { metadata: { name: '' } }],
  ['a name with capitals', configMap('Upper')],
  ['a name with an underscore', configMap('a_b')],
  ['a name that is too long', configMap('x'.repeat(254))],
  ['a name that is a path', configMap('..')],
  ['another namespace', { metadata: { name: 'a', namespace: 'elsewhere' } }],
  ['the same namespace', { metadata: { name: 'a', namespace: '{ns}' } }],
  ['a revision', { metadata: { name: 'a', resourceVersion: '5' } }],
  ['a uid', { metadata: { name: 'a', uid: '00000000-0000-0000-0000-000000000001' } }],
  [
    'times of its own',
    {
      metadata: {
        name: 'a',
        creationTimestamp: '2020-01-01T00:00:00Z',
        deletionTimestamp: '2020-01-01T00:00:00Z',
      },
    },
  ],
  ['a generation', { metadata: { name: 'a', generation: 7 } }],
  ['a self link', { metadata: { name: 'a', selfLink: '/x' } }],
  ['a prefix for a generated name', { metadata: { generateName: 'generated-' } }],
  ['a prefix beside a name', { metadata: { generateName: 'generated-', name: 'a' } }],
  ['a prefix that is not valid', { metadata: { generateName: 'Bad-generated-' } }],
  ['labels that are not valid', { metadata: { name: 'a', labels: { 'a b': 'c d' } } }],
  ['a label value that is too long', { metadata: { name: 'a', labels: { a: 'x'.repeat(64) } } }],
  ['annotations that are not valid', { metadata: { name: 'a', annotations: { 'A/B/C': '' } } }],
  ['annotations in capitals', { metadata: { name: 'a', annotations: { 'EXAMPLE.com/Key': 'c' } } }],
  ['a finalizer that is not valid', { metadata: { name: 'a', finalizers: ['bad finalizer'] } }],
  ['a finalizer without a domain', { metadata: { name: 'a', finalizers: ['short'] } }],
  ['finalizers twice', { metadata: { name: 'a', finalizers: ['example.com/a', 'example.com/a'] } }],
  [
    'an owner',
    {
      metadata: {
        name: 'a',
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: '00000000-0000-0000-0000-000000000001' },
        ],
      },
    },
  ],
  ['an owner that lacks everything', { metadata: { name: 'a', ownerReferences: [{}] } }],
  [
    'two controllers',
    {
      metadata: {
        name: 'a',
        ownerReferences: ['1', '2'].map((n) => ({
          apiVersion: 'v1',
          kind: 'Pod',
          name: `p${n}`,
          controller: true,
          uid: `00000000-0000-0000-0000-00000000000${n}`,
        })),
      },
    },
  ],
  [
    'a managed field',
    {
      metadata: {
        name: 'a',
        managedFields: [
          {
            manager: 'me',
            operation: 'Update',
            apiVersion: 'v1',
            fieldsType: 'FieldsV1',
            fieldsV1: {},
          },
        ],
      },
    },
  ],
  ['another kind', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }],
  ['another version', { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'a' } }],
  ['a kind without a version', { kind: 'ConfigMap', metadata: { name: 'a' } }],
  ['an unknown field', { metadata: { name: 'a' }, extra: 1 }],
  ['a wrong type', { metadata: { name: 'a' }, data: { k: 1 } }],
  ['a wrong type of metadata', { metadata: 'a' }],
  ['null values', { metadata: { name: 'a', labels: null }, data: null }],
  ['a null inside of a map', { metadata: { name: 'a' }, data: { k: null } }],
  ['a field in another case', { metadata: { name: 'a' }, Data: { k: 'v' } }],
  ['binary data that is not base64', { metadata: { name: 'a' }, binaryData: { k: '***' } }],
  ['a key in both maps', { metadata: { name: 'a' }, data: { k: 'v' }, binaryData: { k: 'AAEC' } }],
  ['keys that are not valid', { metadata: { name: 'a' }, data: { '..': 'w' } }],
  ['an immutable one', { metadata: { name: 'a' }, immutable: true }],
  ['a body that is not JSON', { text: 'not json' }],
  ['a truncated JSON body', { text: '{"metadata": {' }],
  ['an empty body', { text: '' }],
  ['an array', { text: '[]' }],
  ['a number', { text: '5' }],
  ['null', { text: 'null' }],
  ['two values', { text: '{"metadata":{"name":"a"}} {}' }],
  ['a field twice', { text: '{"metadata":{"name":"a"},"data":{"k":"v"},"data":{"k":"w"}}' }],
  [
    '__proto__ and constructor as keys',
    {
      text: '{"metadata":{"name":"a","labels":{"constructor":"x"}},"data":{"__proto__":"v","toString":"w"}}',
    },
  ],
  [
    'deep nesting',
    { text: `{"metadata":{"name":"a"},"data":${'['.repeat(200)}${']'.repeat(200)}}` },
  ],
]

const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: "1"\n'

function protobuf(
  ...parts: readonly (readonly [field: number, content: string | Buffer])[]
): Buffer {
  return Buffer.concat(
    parts.map(([field, content]) => {
      const bytes = Buffer.from(content as string)
      return Buffer.concat([Buffer.from([field * 8 + 2, bytes.length]), bytes])
    }),
  )
}

const entry = protobuf([1, 'k'], [2, 'v'])
const map = protobuf([1, protobuf([1, 'a'])], [2, entry])
const envelope = protobuf([1, protobuf([1, 'v1'], [2, 'ConfigMap'])], [2, map])
const packed = Buffer.concat([Buffer.from('k8s\0'), envelope]).toString('base64')
const media = (type: string): { headers: Record<string, string> } => ({
  headers: { 'content-type': type },
})

/** Creates. */
export const creationCases: readonly ConformanceCase[] = [
  ...bodies.map(([name, body]) =>
    scenario(`a config map with ${name} gets the same answer`, [post(configMaps, body)]),
  ),
  ...['Strict', 'Warn', 'Ignore', 'Nonsense'].map((level) =>
    scenario(`unknown and repeated fields with validation ${level} get the same answer`, [
      post(`${configMaps}?fieldValidation=${level}`, {
        text: '{"metadata":{"name":"a","nope":1},"data":{"k":"v"},"data":{"k":"w"},"extra":{}}',
      }),
      post(`${core('pods')}?fieldValidation=${level}`, { ...pod('p', { nope: 1 }), more: [] }),
    ]),
  ),
  scenario('the same name twice is a conflict', [
    post(configMaps, configMap('a')),
    post(configMaps, configMap('a')),
  ]),
  scenario('a dry run answers but does not store', [
    post(`${configMaps}?dryRun=All`, configMap('a')),
    get(`${configMaps}/a`),
  ]),
  scenario('an unknown dry run is refused', [post(`${configMaps}?dryRun=Some`, configMap('a'))]),
  scenario('a dry run of a generated name generates it', [
    post(
      `${configMaps}?dryRun=All`,
      { metadata: { generateName: 'generated-' } },
      { show: ['metadata.name', 'kind'] },
    ),
  ]),
  scenario('the field manager can be named', [
    post(`${configMaps}?fieldManager=me`, configMap('a')),
  ]),
  scenario('a manager with a name that is too long is refused', [
    post(`${configMaps}?fieldManager=${'x'.repeat(129)}`, configMap('a')),
  ]),
  scenario('a body can be YAML', [post(configMaps, { text: yaml }, media('application/yaml'))]),
  scenario('YAML that is not valid is refused', [
    post(configMaps, { text: 'a: [' }, media('application/yaml')),
  ]),
  scenario('a body can be protobuf', [
    post(configMaps, { base64: packed }, media('application/vnd.kubernetes.protobuf')),
  ]),
  scenario('protobuf without its magic number is refused', [
    post(configMaps, { base64: 'AAAA' }, media('application/vnd.kubernetes.protobuf')),
  ]),
  scenario('a body of another type is refused', [
    post(configMaps, configMap('a'), media('text/plain')),
  ]),
  scenario('a type with a charset is JSON', [
    post(configMaps, configMap('a'), media('application/json; charset=utf-8')),
  ]),
  scenario('a namespace that does not exist is refused', [
    post('/api/v1/namespaces/absent-{ns}/configmaps', configMap('a')),
  ]),
  scenario('a creation at the path of an object is not allowed', [
    post(`${configMaps}/a`, configMap('a')),
  ]),
  scenario('a namespaced object cannot be created without a namespace', [
    post('/api/v1/configmaps', configMap('a')),
  ]),
  scenario('a body above the limit is refused', [
    post(configMaps, configMap('a', { k: 'x'.repeat(3 * 1024 * 1024 + 200_000) }), {
      show: ['code', 'reason', 'message'],
    }),
  ]),
  scenario('a config map above its own limit is refused', [
    post(configMaps, configMap('a', { k: 'x'.repeat(1024 * 1024 + 1) })),
  ]),
  scenario('secret texts become data', [
    post(core('secrets'), {
      metadata: { name: 's' },
      stringData: { a: 'text', b: 'ü' },
      data: { a: 'b2xk' },
    }),
  ]),
  scenario('secrets of a type must have its keys', [
    post(core('secrets'), { metadata: { name: 's' }, type: 'kubernetes.io/tls', data: {} }),
    post(core('secrets'), { metadata: { name: 's' }, type: 'kubernetes.io/basic-auth' }),
    post(core('secrets'), {
      metadata: { name: 's' },
      type: 'kubernetes.io/dockerconfigjson',
      stringData: { '.dockerconfigjson': 'x' },
    }),
    post(core('secrets'), { metadata: { name: 's' }, type: 'kubernetes.io/service-account-token' }),
  ]),
  scenario('an event is made through the core group and read through its own', [
    post(core('events'), {
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', name: 'p', namespace: '{ns}' },
      reason: 'R',
      message: 'm',
      type: 'Normal',
      count: 2,
      source: { component: 'c' },
    }),
    get(grouped('events.k8s.io/v1', 'events/e')),
  ]),
  scenario('a new event must have its fields', [
    post(grouped('events.k8s.io/v1', 'events'), {
      metadata: { name: 'e' },
      regarding: { kind: 'Pod', name: 'p', namespace: '{ns}' },
    }),
  ]),
  scenario('a lease keeps microseconds', [
    post(grouped('coordination.k8s.io/v1', 'leases'), {
      metadata: { name: 'l' },
      spec: {
        holderIdentity: 'me',
        leaseDurationSeconds: 15,
        renewTime: '2020-01-01T00:00:00.123456Z',
        acquireTime: '2020-01-01T00:00:00Z',
      },
    }),
  ]),
  scenario('a time that is not valid is refused', [
    post(grouped('coordination.k8s.io/v1', 'leases'), {
      metadata: { name: 'l' },
      spec: { renewTime: 'yesterday' },
    }),
  ]),
  scenario('a number that is not an integer is refused', [
    setup(get(configMaps)),
    post(grouped('coordination.k8s.io/v1', 'leases'), {
      metadata: { name: 'l' },
      spec: { leaseDurationSeconds: 1.5 },
    }),
    post(grouped('coordination.k8s.io/v1', 'leases'), {
      text: '{"metadata":{"name":"l"},"spec":{"leaseDurationSeconds":99999999999}}',
    }),
    post(grouped('coordination.k8s.io/v1', 'leases'), {
      text: '{"metadata":{"name":"l"},"spec":{"leaseDurationSeconds":1e1}}',
    }),
  ]),
]
