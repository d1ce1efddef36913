/** An object to which patches are applied. */
interface PatchedObject {
  readonly path: string
  readonly definition: string
  readonly object: object
}

/** The objects, by kind. */
export const patchedObjects: Readonly<Record<string, PatchedObject>> = {
  Deployment: {
    path: '/apis/apps/v1/namespaces/NAMESPACE/deployments',
    definition: 'io.k8s.api.apps.v1.Deployment',
    object: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'base', labels: { a: '1', b: '2' }, finalizers: ['x/a', 'x/b', 'x/c'] },
      spec: {
        replicas: 0,
        paused: true,
        selector: { matchLabels: { a: 'b' } },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: {
            containers: [
              {
                name: 'one',
                image: 'i',
                command: ['a', 'b'],
                env: [
                  { name: 'E', value: '1' },
                  { name: 'F', value: '2' },
                ],
                ports: [{ containerPort: 80, name: 'http' }, { containerPort: 81 }],
                volumeMounts: [{ name: 'v', mountPath: '/v' }],
                resources: { limits: { cpu: '1', memory: '1Gi' } },
              },
              { name: 'two', image: 'j' },
              { name: 'three', image: 'k' },
            ],
            volumes: [
              { name: 'v', emptyDir: {} },
              { name: 'w', configMap: { name: 'm' } },
            ],
            tolerations: [{ key: 'k', operator: 'Exists' }],
            nodeSelector: { n: 's' },
            hostAliases: [{ ip: '1.2.3.4', hostnames: ['h'] }],
            imagePullSecrets: [{ name: 'p' }, { name: 'q' }],
          },
        },
      },
    },
  },
  ConfigMap: {
    path: '/api/v1/namespaces/NAMESPACE/configmaps',
    definition: 'io.k8s.api.core.v1.ConfigMap',
    object: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'base', annotations: { 'a/b': '1' } },
      data: { a: '1', b: '2', '-': 'dash' },
    },
  },
  Service: {
    path: '/api/v1/namespaces/NAMESPACE/services',
    definition: 'io.k8s.api.core.v1.Service',
    object: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'base' },
      spec: {
        clusterIP: 'None',
        selector: { a: 'b' },
        ports: [
          { port: 80, name: 'x' },
          { port: 81, name: 'y' },
        ],
      },
    },
  },
}

/** A patch. */
interface PatchCase {
  readonly name: string
  readonly kind: string
  readonly type: 'strategic-merge-patch' | 'merge-patch' | 'json-patch'
  readonly patch: unknown
}

const pod = (fields: object) => ({ spec: { template: { spec: fields } } })
const containers = (...items: unknown[]) => pod({ containers: items })
const first = (fields: object) => containers({ name: 'one', ...fields })

const onDeployment: Readonly<Record<string, unknown>> = {
  nothing: {},
  'a scalar': { spec: { minReadySeconds: 5 } },
  'a scalar becomes null': { spec: { paused: null } },
  'an absent field becomes null': { spec: { minReadySeconds: null } },
  'labels are merged': { metadata: { labels: { b: '3', c: '4', a: null } } },
  'labels are replaced': { metadata: { labels: { $patch: 'replace', z: '1' } } },
  'labels are deleted': { metadata: { labels: { $patch: 'delete' } } },
  'labels become null': { metadata: { labels: null } },
  'new annotations lose their nulls': { metadata: { annotations: { x: '1', y: null } } },
  'new annotations with a directive': { metadata: { annotations: { $patch: 'replace', x: '1' } } },
  'a container is changed': first({ image: 'z' }),
  'a container is added': containers({ name: 'four', image: 'n' }),
  'a container is changed and one is added': containers(
    { name: 'four', image: 'n' },
    { name: 'two', image: 'z' },
  ),
  'containers in another order': containers(
    { name: 'three', image: 'z' },
    { name: 'one', image: 'z' },
  ),
  'a container is deleted': containers({ name: 'two', $patch: 'delete' }),
  'an absent container is deleted': containers({ name: 'nine', $patch: 'delete' }),
  'a container is deleted, one added': containers(
    { name: 'two', $patch: 'delete' },
    { name: 'five', image: 'n' },
  ),
  'containers are replaced': containers({ $patch: 'replace' }, { name: 'six', image: 'n' }),
  'a container is replaced in place': containers({ name: 'one', image: 'z', $patch: 'replace' }),
  'a directive to merge a list': containers({ name: 'one', $patch: 'merge' }),
  'an unknown directive in a list': containers({ name: 'one', $patch: 'frob' }),
  'a container is deleted without a key': containers({ $patch: 'delete' }),
  'a container without a key': containers({ image: 'z' }),
  'a key that is null': containers({ name: null, image: 'z' }),
  'containers become null': pod({ containers: null }),
  'containers become empty': pod({ containers: [] }),
  'the order of containers': pod({
    '$setElementOrder/containers': [{ name: 'three' }, { name: 'two' }, { name: 'one' }],
  }),
  'the order of some containers': pod({
    '$setElementOrder/containers': [{ name: 'three' }, { name: 'one' }],
  }),
  'order and change': pod({
    '$setElementOrder/containers': [{ name: 'two' }, { name: 'one' }],
    containers: [{ name: 'one', image: 'z' }],
  }),
  'order and a new container': pod({
    '$setElementOrder/containers': [
      { name: 'four' },
      { name: 'one' },
      { name: 'two' },
      { name: 'three' },
    ],
    containers: [{ name: 'four', image: 'n' }],
  }),
  'order and a deleted container': pod({
    '$setElementOrder/containers': [{ name: 'three' }, { name: 'one' }],
    containers: [{ name: 'two', $patch: 'delete' }],
  }),
  'an order against the patch': pod({
    '$setElementOrder/containers': [{ name: 'one' }, { name: 'two' }],
    containers: [
      { name: 'two', image: 'z' },
      { name: 'one', image: 'z' },
    ],
  }),
  'an order without a patched item': pod({
    '$setElementOrder/containers': [{ name: 'two' }],
    containers: [{ name: 'one', image: 'z' }],
  }),
  'an order that is not a list': pod({ '$setElementOrder/containers': 'x' }),
  'an order without a field': pod({ $setElementOrder: [{ name: 'one' }] }),
  'an order of an unknown field': pod({ '$setElementOrder/bogus': [{ name: 'one' }] }),
  'an order of items without a key': pod({
    '$setElementOrder/containers': [{ image: 'x' }],
    containers: [{ name: 'one' }],
  }),
  'an order of an absent list': pod({ '$setElementOrder/initContainers': [{ name: 'one' }] }),
  'an order of a new list': pod({
    '$setElementOrder/initContainers': [{ name: 'b' }, { name: 'a' }],
    initContainers: [
      { name: 'b', image: 'x' },
      { name: 'a', image: 'x' },
    ],
  }),
  'an order of an emptied list': pod({ '$setElementOrder/containers': [], containers: [] }),
  'an order of a list that is not merged': pod({
    '$setElementOrder/tolerations': [{ key: 'k' }],
    tolerations: [{ key: 'z' }],
  }),
  'an order of finalizers': { metadata: { '$setElementOrder/finalizers': ['x/c', 'x/a'] } },
  'an order of finalizers with a new one': {
    metadata: { '$setElementOrder/finalizers': ['x/c', 'x/n', 'x/a'], finalizers: ['x/n'] },
  },
  'finalizers are added': { metadata: { finalizers: ['x/d', 'x/a'] } },
  'finalizers twice': { metadata: { finalizers: ['x/d', 'x/d', 'x/a', 'x/a'] } },
  'finalizers are deleted': { metadata: { '$deleteFromPrimitiveList/finalizers': ['x/a', 'x/z'] } },
  'finalizers are deleted and added': {
    metadata: { '$deleteFromPrimitiveList/finalizers': ['x/a'], finalizers: ['x/e'] },
  },
  'finalizers are deleted and ordered': {
    metadata: {
      '$deleteFromPrimitiveList/finalizers': ['x/a'],
      '$setElementOrder/finalizers': ['x/c', 'x/b'],
    },
  },
  'a deletion without a field': { metadata: { $deleteFromPrimitiveList: ['x/a'] } },
  'a deletion that is not a list': { metadata: { '$deleteFromPrimitiveList/finalizers': 'x/a' } },
  'a deletion that is null': { metadata: { '$deleteFromPrimitiveList/finalizers': null } },
  'a deletion from an absent list': {
    metadata: { '$deleteFromPrimitiveList/ownerReferences': ['x'] },
  },
  'a deletion of maps': { metadata: { '$deleteFromPrimitiveList/finalizers': [{ a: 1 }] } },
  'finalizers of mixed types': { metadata: { finalizers: [1, 'x'] } },
  'finalizers of lists': { metadata: { finalizers: [['x']] } },
  'finalizers become null': { metadata: { finalizers: null } },
  'an environment variable is changed': first({ env: [{ name: 'F', value: '3' }] }),
  'an environment variable is added': first({ env: [{ name: 'G', value: '3' }] }),
  'an environment variable is deleted': first({ env: [{ name: 'E', $patch: 'delete' }] }),
  'an environment variable changes its source': first({
    env: [{ name: 'E', value: null, valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
  }),
  'environment variables are replaced': first({
    env: [{ $patch: 'replace' }, { name: 'H', value: '1' }],
  }),
  'a port is changed': first({ ports: [{ containerPort: 80, name: 'web' }] }),
  'a port is added': first({ ports: [{ containerPort: 82 }] }),
  'a port with another protocol': first({ ports: [{ containerPort: 80, protocol: 'UDP' }] }),
  'a volume mount': first({
    volumeMounts: [
      { name: 'w', mountPath: '/w' },
      { name: 'v', mountPath: '/v', readOnly: true },
    ],
  }),
  'the command is replaced': first({ command: ['c'] }),
  'resources are merged': first({
    resources: { limits: { cpu: '2', memory: null }, requests: { cpu: '1' } },
  }),
  'a volume is changed': pod({ volumes: [{ name: 'v', emptyDir: { medium: 'Memory' } }] }),
  'a volume changes its type': pod({
    volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }],
  }),
  'a volume retains too little': pod({
    volumes: [{ name: 'v', $retainKeys: ['name'], hostPath: { path: '/x' } }],
  }),
  'retainKeys that is not a list': pod({ volumes: [{ name: 'v', $retainKeys: 'x' }] }),
  'the strategy retains keys': { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
  'the strategy is replaced': { spec: { strategy: { $patch: 'replace', type: 'Recreate' } } },
  'the strategy is merged': { spec: { strategy: { rollingUpdate: { maxSurge: 3 } } } },
  'tolerations are replaced': pod({ tolerations: [{ key: 'z', operator: 'Exists' }] }),
  'the node selector is merged': pod({ nodeSelector: { o: 't' } }),
  'host aliases are merged': pod({
    hostAliases: [
      { ip: '5.6.7.8', hostnames: ['i'] },
      { ip: '1.2.3.4', hostnames: ['j'] },
    ],
  }),
  'pull secrets in another order': pod({ imagePullSecrets: [{ name: 'r' }, { name: 'q' }] }),
  'an affinity is added with nulls': pod({ affinity: { nodeAffinity: null, podAffinity: {} } }),
  'owner references are added': {
    metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'n', uid: 'u' }] },
  },
  'an unknown directive': { spec: { $patch: 'frob' } },
  'a directive that is a number': { spec: { $patch: 5 } },
  'a directive that is null': { metadata: { labels: { $patch: null } } },
  'a list becomes a map': pod({ containers: { name: 'x' } }),
  'a map becomes a list': { metadata: { labels: ['x'] } },
  'items that are not maps': pod({ containers: ['x'] }),
  'the whole is deleted': { $patch: 'delete' },
  'a new list with directives': pod({
    initContainers: [
      { name: 'a', image: 'x' },
      { name: 'b', $patch: 'delete' },
    ],
  }),
}

const onService: Readonly<Record<string, unknown>> = {
  'a port by its number': { spec: { ports: [{ port: 81, targetPort: 9 }] } },
  'ports in another order': {
    spec: {
      ports: [
        { port: 82, name: 'z' },
        { port: 80, name: 'w' },
      ],
    },
  },
  'a port is deleted': { spec: { ports: [{ port: 80, $patch: 'delete' }] } },
  'the selector': { spec: { selector: { a: null, c: 'd' } } },
  'the order of ports': { spec: { '$setElementOrder/ports': [{ port: 81 }, { port: 80 }] } },
}

const jsonPatches: Readonly<Record<string, unknown>> = {
  adds: [{ op: 'add', path: '/data/c', value: '3' }],
  'adds over what is there': [{ op: 'add', path: '/data/a', value: '3' }],
  removes: [{ op: 'remove', path: '/data/a' }],
  replaces: [{ op: 'replace', path: '/data/a', value: '9' }],
  'replaces what is not there': [{ op: 'replace', path: '/data/z', value: '9' }],
  moves: [{ op: 'move', from: '/data/a', path: '/data/m' }],
  copies: [{ op: 'copy', from: '/data/a', path: '/data/m' }],
  'moves what is not there': [{ op: 'move', from: '/data/z', path: '/data/m' }],
  'copies what is not there': [{ op: 'copy', from: '/data/z', path: '/data/m' }],
  'copies from what is not there': [{ op: 'copy', from: '/binaryData/z', path: '/data/m' }],
  'copies the whole': [{ op: 'copy', from: '', path: '/data/m' }],
  'adds the null': [{ op: 'add', path: '/data/n', value: null }],
  'replaces below what is not there': [{ op: 'replace', path: '/binaryData/z', value: 'x' }],
  'tests and changes': [
    { op: 'test', path: '/data/a', value: '1' },
    { op: 'remove', path: '/data/b' },
  ],
  'tests an absent field for null': [{ op: 'test', path: '/data/z', value: null }],
  'tests an absent field': [{ op: 'test', path: '/data/z', value: '1' }],
  'tests a map': [{ op: 'test', path: '/data', value: { b: '2', a: '1', '-': 'dash' } }],
  'tests below what is absent': [{ op: 'test', path: '/binaryData/z', value: null }],
  'tests without a value': [{ op: 'test', path: '/data/z' }],
  'escaped tokens': [
    { op: 'replace', path: '/metadata/annotations/a~1b', value: 'x' },
    { op: 'replace', path: '/metadata/annotations/a~0b', value: 'y' },
  ],
  'a dash in a map': [{ op: 'replace', path: '/data/-', value: 'x' }],
  'no slash': [{ op: 'remove', path: 'data' }],
  'something before the slash': [{ op: 'remove', path: 'x/data' }],
  'an empty path to add': [{ op: 'add', path: '', value: {} }],
  'an empty path to test': [{ op: 'test', path: '', value: {} }],
  'an empty path to replace': [
    {
      op: 'replace',
      path: '',
      value: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'base' } },
    },
  ],
  'an empty path to remove': [{ op: 'remove', path: '' }],
  'no path': [{ op: 'remove' }],
  'no operation': [{ path: '/data' }],
  'no from': [{ op: 'move', path: '/data/a' }],
  'adds without a value': [{ op: 'add', path: '/data' }],
  'an operation that is a number': [{ op: 5, path: '/data' }],
  'an item that is a text': ['x'],
  'an item that is null': [null],
  null: null,
  'a text': 'x',
  'adds below a scalar': [{ op: 'add', path: '/data/a/b', value: '1' }],
  'removes twice': [
    { op: 'remove', path: '/data/a' },
    { op: 'remove', path: '/data/a' },
  ],
}

const listPatches: Readonly<Record<string, unknown>> = {
  inserts: [{ op: 'add', path: '/metadata/finalizers/1', value: 'x/n' }],
  appends: [{ op: 'add', path: '/metadata/finalizers/-', value: 'x/n' }],
  'inserts at the end': [{ op: 'add', path: '/metadata/finalizers/3', value: 'x/n' }],
  'inserts behind the end': [{ op: 'add', path: '/metadata/finalizers/4', value: 'x/n' }],
  'inserts from the end': [{ op: 'add', path: '/metadata/finalizers/-1', value: 'x/n' }],
  'inserts far from the end': [{ op: 'add', path: '/metadata/finalizers/-4', value: 'x/n' }],
  'inserts too far from the end': [{ op: 'add', path: '/metadata/finalizers/-5', value: 'x/n' }],
  'removes an item': [{ op: 'remove', path: '/metadata/finalizers/0' }],
  'removes from the end': [{ op: 'remove', path: '/metadata/finalizers/-1' }],
  'removes behind the end': [{ op: 'remove', path: '/metadata/finalizers/3' }],
  'replaces an item': [{ op: 'replace', path: '/metadata/finalizers/1', value: 'x/n' }],
  'replaces behind the end': [{ op: 'replace', path: '/metadata/finalizers/3', value: 'x/n' }],
  'replaces the dash': [{ op: 'replace', path: '/metadata/finalizers/-', value: 'x/n' }],
  'a leading zero': [{ op: 'replace', path: '/metadata/finalizers/01', value: 'x/n' }],
  'no index': [{ op: 'replace', path: '/metadata/finalizers/x', value: 'x/n' }],
  'moves within a list': [
    { op: 'move', from: '/metadata/finalizers/0', path: '/metadata/finalizers/2' },
  ],
  'copies within a list': [
    { op: 'copy', from: '/metadata/finalizers/0', path: '/metadata/labels/x' },
  ],
  'tests an item': [{ op: 'test', path: '/metadata/finalizers/0', value: 'x/a' }],
  'tests behind the end': [{ op: 'test', path: '/metadata/finalizers/9', value: null }],
  'tests a number': [{ op: 'test', path: '/spec/replicas', value: 0 }],
  'into an item': [{ op: 'replace', path: '/spec/template/spec/containers/1/image', value: 'z' }],
}

const mergePatches: Readonly<Record<string, unknown>> = {
  nothing: {},
  'changes and removes': { data: { a: '9', b: null, c: '3' } },
  'removes all': { data: null },
  'a new map with nulls': { metadata: { labels: { a: 'x', b: null } } },
  'a list': [],
  'a text': 'x',
  'a number': 5,
  'a truth': true,
  null: null,
}

function casesOf(
  kind: string,
  type: PatchCase['type'],
  patches: Readonly<Record<string, unknown>>,
) {
  return Object.entries(patches).map(([name, patch]) => ({ name, kind, type, patch }))
}

/** All patches. */
export const patchCases: readonly PatchCase[] = [
  ...casesOf('Deployment', 'strategic-merge-patch', onDeployment),
  ...casesOf('Service', 'strategic-merge-patch', onService),
  ...casesOf('ConfigMap', 'json-patch', jsonPatches),
  ...casesOf('Deployment', 'json-patch', listPatches),
  ...casesOf('ConfigMap', 'merge-patch', mergePatches),
]
