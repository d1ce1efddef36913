import type { ConformanceCase, Request } from '../conformance-case.ts'
import {
  configMap,
  core,
  del,
  get,
  grouped,
  merge,
  post,
  put,
  scenario,
  setup,
} from '../requests.ts'
import { crd, specSchema, version, widget, widgets, withWidgets } from './widgets.ts'

const configMaps = core('configmaps')
const deployments = grouped('apps/v1', 'deployments')
const yaml = { headers: { 'content-type': 'application/yaml' } }
const protobuf = { headers: { 'content-type': 'application/vnd.kubernetes.protobuf' } }
const raw = (text: string, query = '', extra: Partial<Request> = {}): Request =>
  post(`${configMaps}${query}`, { text }, extra)

/** Handwritten protobuf: the fields of a message, each a number and its content. */
type Field = readonly [number: number, content: string | readonly Field[] | number]
function message(fields: readonly Field[]): number[] {
  return fields.flatMap(([number, content]) => {
    if (typeof content === 'number') return [number << 3, ...varint(content)]
    const bytes = typeof content === 'string' ? [...Buffer.from(content)] : message(content)
    return [(number << 3) | 2, ...varint(bytes.length), ...bytes]
  })
}
function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
}
function envelope(apiVersion: string, kind: string, fields: readonly Field[]): { base64: string } {
  const type: readonly Field[] = [
    [1, apiVersion],
    [2, kind],
  ]
  const bytes = message([
    [1, type],
    [2, fields],
  ])
  return { base64: Buffer.from([0x6b, 0x38, 0x73, 0, ...bytes]).toString('base64') }
}
const meta = (name: string): Field => [1, [[1, name]]]
const entry = (number: number, key: string, value: string): Field => [
  number,
  [
    [1, key],
    [2, value],
  ],
]

const texts: readonly (readonly [string, string])[] = [
  ['a field twice', '{"metadata":{"name":"a"},"data":{"k":"1"},"data":{"l":"2"}}'],
  ['a key of a map twice', '{"metadata":{"name":"a"},"data":{"k":"1","k":"2"}}'],
  ['a name in two cases', '{"metadata":{"name":"a"},"Data":{"k":"1"},"data":{"l":"2"}}'],
  ['metadata in capitals', '{"Metadata":{"name":"a"}}'],
  ['a name in capitals', '{"metadata":{"NAME":"a"}}'],
  [
    'unknown fields everywhere',
    '{"metadata":{"name":"a","x":1},"y":{"z":1},"immutable":false,"w":[1]}',
  ],
  ['a null object', 'null'],
  ['an empty object', '{}'],
  ['a number', '5'],
  ['a text', '"x"'],
  ['a list', '[]'],
  ['a boolean', 'true'],
  ['two objects', '{"metadata":{"name":"a"}}{"metadata":{"name":"b"}}'],
  ['a comma too many', '{"metadata":{"name":"a"},}'],
  ['a comment', '{"metadata":{"name":"a"}} // x'],
  ['space around it', ' \n\t{"metadata":{"name":"a"}}\n '],
  ['an escape in a key', '{"metadata":{"na\\u006de":"a"},"data":{"k":"\\u00e9\\ud83d\\ude00<>&"}}'],
  ['a lone surrogate', '{"metadata":{"name":"a"},"data":{"k":"\\ud800"}}'],
  ['a control character', '{"metadata":{"name":"a"},"data":{"k":"a\u0001b"}}'],
  ['an unknown escape', '{"metadata":{"name":"a"},"data":{"k":"\\x"}}'],
  ['a number for a text', '{"metadata":{"name":5}}'],
  ['a text for a boolean', '{"metadata":{"name":"a"},"immutable":"true"}'],
  ['a list for a map', '{"metadata":{"name":"a"},"data":[]}'],
  ['a map for a list', '{"metadata":{"name":"a","finalizers":{}}}'],
  ['a bad time', '{"metadata":{"name":"a","deletionTimestamp":"x"}}'],
  ['a time that is a number', '{"metadata":{"name":"a","creationTimestamp":5}}'],
  ['a generation that is a fraction', '{"metadata":{"name":"a","generation":1.5}}'],
  ['a generation that is a text', '{"metadata":{"name":"a","generation":"1"}}'],
  ['a generation that is too large', '{"metadata":{"name":"a","generation":99999999999999999999}}'],
  ['a version that is a number', '{"apiVersion":1,"metadata":{"name":"a"}}'],
  ['a kind that is a list', '{"kind":[],"metadata":{"name":"a"}}'],
  ['a version that is null', '{"apiVersion":null,"kind":null,"metadata":{"name":"a"}}'],
  ['deep nonsense', `${'['.repeat(50)}${']'.repeat(50)}`],
]
const documents: readonly (readonly [string, string])[] = [
  ['a plain map', 'metadata:\n  name: a\ndata:\n  k: v\n'],
  ['numbers and booleans for strings', 'metadata:\n  name: a\ndata:\n  k: 1\n'],
  ['quoted values', 'metadata: {name: "a"}\ndata: {k: "1", l: \'true\', m: "null"}\n'],
  ['anchors', 'metadata:\n  name: a\n  labels: &l {x: y}\n  annotations: *l\n'],
  [
    'merge keys',
    'metadata:\n  name: a\n  labels: &l {x: y}\n  annotations:\n    <<: *l\n    z: w\n',
  ],
  [
    'blocks',
    'metadata:\n  name: a\ndata:\n  k: |\n    a\n    b\n  l: >\n    a\n    b\n  m: |-\n    a\n',
  ],
  ['a key twice', 'metadata:\n  name: a\ndata:\n  k: a\n  k: b\n'],
  ['two documents', 'metadata:\n  name: a\n---\nmetadata:\n  name: b\n'],
  ['a document after a mark', '---\nmetadata:\n  name: a\n'],
  ['unknown fields', 'metadata:\n  name: a\nnope: 1\n'],
  ['nothing', ''],
  ['a text', 'hello\n'],
  ['a list', '- a\n- b\n'],
  ['JSON', '{"metadata":{"name":"a"}}'],
  ['old booleans', 'metadata: {name: a}\nimmutable: yes\n'],
  ['numbers of all kinds', 'metadata: {name: a, generation: 0x10}\n'],
  ['a tilde', 'metadata: {name: a}\ndata: ~\n'],
  ['keys that are not strings', 'metadata: {name: a}\ndata: {1: "x", true: "y"}\n'],
]
const types = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-8',
  'application/json;charset=latin1',
  'APPLICATION/JSON',
  'application/yaml; x=y',
  'application/x-yaml',
  'text/yaml',
  '*/*',
  'application/*',
  '',
  'nonsense',
  'application/merge-patch+json',
  'application/cbor',
  'application/vnd.kubernetes.protobuf',
]

const protobufs: readonly (readonly [string, string, { base64: string }])[] = [
  [
    'a config map',
    configMaps,
    envelope('v1', 'ConfigMap', [
      meta('a'),
      entry(2, 'k', 'v'),
      entry(3, 'b', '\u0001\u0002'),
      [4, 1],
    ]),
  ],
  ['a config map without its kind', configMaps, envelope('', '', [meta('a'), entry(2, 'k', 'v')])],
  ['a config map that says it is a secret', configMaps, envelope('v1', 'Secret', [meta('a')])],
  ['a config map of another version', configMaps, envelope('v2', 'ConfigMap', [meta('a')])],
  [
    'a secret',
    core('secrets'),
    envelope('v1', 'Secret', [meta('a'), entry(2, 'k', 'v'), [3, 'Opaque'], entry(4, 's', 't')]),
  ],
  [
    'a service account',
    core('serviceaccounts'),
    envelope('v1', 'ServiceAccount', [meta('a'), [4, 0]]),
  ],
  [
    'a pod',
    core('pods'),
    envelope('v1', 'Pod', [
      [1, [[1, 'p'], entry(11, 'app', 'x')]],
      [
        2,
        [
          [
            2,
            [
              [1, 'main'],
              [2, 'nginx'],
              [3, 'sh'],
              [
                7,
                [
                  [1, 'A'],
                  [2, '1'],
                ],
              ],
              [
                6,
                [
                  [1, 'http'],
                  [3, 80],
                ],
              ],
            ],
          ],
          [3, 'Always'],
          [4, 5],
        ],
      ],
    ]),
  ],
  [
    'a service',
    core('services'),
    envelope('v1', 'Service', [
      meta('s'),
      [
        2,
        [
          [
            1,
            [
              [1, 'http'],
              [2, 'TCP'],
              [3, 80],
              [
                4,
                [
                  [1, 0],
                  [2, 8080],
                ],
              ],
            ],
          ],
          entry(2, 'app', 'x'),
        ],
      ],
    ]),
  ],
  [
    'a deployment',
    deployments,
    envelope('apps/v1', 'Deployment', [
      meta('d'),
      [
        2,
        [
          [1, 2],
          [2, [entry(1, 'app', 'x')]],
          [
            3,
            [
              [1, [entry(11, 'app', 'x')]],
              [
                2,
                [
                  [
                    2,
                    [
                      [1, 'main'],
                      [2, 'nginx'],
                    ],
                  ],
                ],
              ],
            ],
          ],
        ],
      ],
    ]),
  ],
  [
    'a lease',
    grouped('coordination.k8s.io/v1', 'leases'),
    envelope('coordination.k8s.io/v1', 'Lease', [
      meta('l'),
      [
        2,
        [
          [1, 'me'],
          [2, 15],
          [
            3,
            [
              [1, 1577836800],
              [2, 5000],
            ],
          ],
        ],
      ],
    ]),
  ],
  [
    'a role',
    grouped('rbac.authorization.k8s.io/v1', 'roles'),
    envelope('rbac.authorization.k8s.io/v1', 'Role', [
      meta('r'),
      [
        2,
        [
          [1, 'get'],
          [2, ''],
          [3, 'pods'],
        ],
      ],
    ]),
  ],
  [
    'an event',
    core('events'),
    envelope('v1', 'Event', [
      meta('e'),
      [
        2,
        [
          [1, 'Pod'],
          [2, '{ns}'],
          [3, 'p'],
        ],
      ],
      [3, 'R'],
      [4, 'M'],
    ]),
  ],
  ['bytes that are not protobuf', configMaps, { base64: Buffer.from('hello').toString('base64') }],
  [
    'only the magic bytes',
    configMaps,
    { base64: Buffer.from([0x6b, 0x38, 0x73, 0]).toString('base64') },
  ],
  [
    'half a message',
    configMaps,
    { base64: Buffer.from([0x6b, 0x38, 0x73, 0, 0x0a, 0x20, 0x01]).toString('base64') },
  ],
  ['nothing', configMaps, { base64: '' }],
]

/** Request bodies: JSON with Go's rules, YAML, protobuf and media types. */
export const bodyCases: readonly ConformanceCase[] = [
  ...texts.map(([name, text]) =>
    scenario(`JSON with ${name} is decoded the same way`, [
      raw(text, '?dryRun=All'),
      raw(text, '?dryRun=All&fieldValidation=Strict'),
      raw(text, '?dryRun=All&fieldValidation=Ignore'),
    ]),
  ),
  ...documents.map(([name, text]) =>
    scenario(`YAML with ${name} is decoded the same way`, [
      raw(text, '?dryRun=All', yaml),
      raw(text, '?dryRun=All&fieldValidation=Strict', yaml),
    ]),
  ),
  ...types.map((type) =>
    scenario(`a body of the type "${type}" is decoded or refused the same way`, [
      post(
        configMaps,
        { text: '{"metadata":{"name":"a"}}' },
        { headers: { 'content-type': type } },
      ),
      put(
        `${configMaps}/a`,
        { text: '{"metadata":{"name":"a"}}' },
        { headers: { 'content-type': type } },
      ),
      {
        method: 'PATCH',
        path: `${configMaps}/a`,
        body: { text: '{}' },
        headers: { 'content-type': type },
      },
      del(
        `${configMaps}/a`,
        { text: '{}' },
        { headers: { 'content-type': type }, show: ['status', 'code', 'message', 'reason'] },
      ),
    ]),
  ),
  ...protobufs.map(([name, path, body]) =>
    scenario(`protobuf of ${name} is decoded the same way`, [post(path, body, protobuf)]),
  ),
  scenario('protobuf options of a deletion are read', [
    setup(post(configMaps, configMap('a'))),
    del(`${configMaps}/a`, envelope('v1', 'DeleteOptions', [[5, 'All']]), protobuf),
    del(
      `${configMaps}/a`,
      envelope('meta.k8s.io/v1', 'DeleteOptions', [
        [2, [[1, '00000000-0000-0000-0000-000000000001']]],
      ]),
      protobuf,
    ),
    del(
      `${configMaps}/a`,
      envelope('v1', 'DeleteOptions', [
        [1, 0],
        [4, 'Background'],
      ]),
      { ...protobuf, show: ['status', 'details.name'] },
    ),
    get(`${configMaps}/a`, { show: ['code'] }),
  ]),
  scenario('YAML options of a deletion are read', [
    setup(post(configMaps, configMap('a'))),
    del(`${configMaps}/a`, { text: 'propagationPolicy: Nonsense\n' }, yaml),
    del(`${configMaps}/a`, { text: 'propagationPolicy: Foreground\n' }, yaml),
  ]),
  withWidgets(
    'custom resources are read from JSON and YAML',
    crd([version(specSchema({ a: { type: 'string' } }))]),
    [
      post(
        widgets,
        {
          text: 'apiVersion: {ns}.example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {a: "1", b: 2}\n',
        },
        yaml,
      ),
      post(
        widgets,
        {
          text: 'apiVersion: {ns}.example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {a: 1}\n',
        },
        yaml,
      ),
      post(widgets, widget(), { headers: { 'content-type': 'text/plain' } }),
      {
        method: 'PATCH',
        path: `${widgets}/w`,
        body: {},
        headers: { 'content-type': 'application/json' },
      },
      post(`${widgets}?fieldValidation=Strict`, {
        text: '{"apiVersion":"{ns}.example.com/v1","kind":"Widget","metadata":{"name":"x","labels":5},"spec":{}}',
      }),
      post(widgets, {
        text: '{"apiVersion":"{ns}.example.com/v1","kind":"Widget","metadata":{"name":"x","labels":{"a":5}},"spec":{}}',
      }),
      post(widgets, {
        text: '{"apiVersion":"{ns}.example.com/v1","kind":"Widget","metadata":{"name":"x","finalizers":"a"},"spec":{}}',
      }),
      post(widgets, {
        text: '{"apiVersion":"{ns}.example.com/v1","kind":"Widget","metadata":"x"}',
      }),
      post(widgets, { text: '{"apiVersion":5,"kind":"Widget","metadata":{"name":"x"}}' }),
      post(widgets, { text: '[]' }),
      post(widgets, { text: '' }),
      post(widgets, { text: 'null' }),
      post(widgets, {
        text: '{"apiVersion":"{ns}.example.com/v1","kind":"Widget","metadata":{"name":"x","Name":"y","creationTimestamp":"x"}}',
      }),
    ],
  ),
  scenario('values of a deployment of wrong types are refused with their path', [
    ...[
      '{"replicas":"3"}',
      '{"replicas":1.5}',
      '{"replicas":3000000000}',
      '{"paused":"yes"}',
      '{"selector":[]}',
      '{"template":{"spec":{"containers":{}}}}',
      '{"template":{"spec":{"containers":[{"name":5}]}}}',
      '{"template":{"spec":{"containers":[{"ports":[{"containerPort":"80"}]}]}}}',
      '{"template":{"spec":{"containers":[{"resources":{"limits":{"cpu":[]}}}]}}}',
      '{"template":{"spec":{"containers":[{"resources":{"limits":{"cpu":"x"}}}]}}}',
      '{"strategy":{"rollingUpdate":{"maxSurge":true}}}',
      '{"template":{"metadata":{"creationTimestamp":"x"}}}',
      '{"template":{"spec":{"nodeSelector":{"a":1}}}}',
      '{"template":{"spec":{"securityContext":{"runAsUser":"0"}}}}',
    ].map((text) =>
      post(`${deployments}?dryRun=All`, { text: `{"metadata":{"name":"d"},"spec":${text}}` }),
    ),
  ]),
  scenario('a merge patch of a wrong type is refused with the same path', [
    setup(post(configMaps, configMap('a'))),
    merge(`${configMaps}/a`, { data: { k: 5 } }),
    merge(`${configMaps}/a`, { immutable: 'x' }),
  ]),
]
