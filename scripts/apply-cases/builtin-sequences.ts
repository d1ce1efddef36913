import type { Sequence, Step } from './sequence.ts'
import { apply, force, json, merge, post, put, spec } from './steps.ts'

const kind =
  (resource: string, kindName: string, apiVersion: string) =>
  (name: string, ...steps: Step[]): Sequence => ({
    name,
    resource,
    kind: kindName,
    apiVersion,
    steps,
  })

const configMap = kind('configmaps', 'ConfigMap', 'v1')
const secret = kind('secrets', 'Secret', 'v1')
const service = kind('services', 'Service', 'v1')
const serviceAccount = kind('serviceaccounts', 'ServiceAccount', 'v1')
const pod = kind('pods', 'Pod', 'v1')
const role = kind('roles', 'Role', 'rbac.authorization.k8s.io/v1')
const ingress = kind('ingresses', 'Ingress', 'networking.k8s.io/v1')
const job = kind('jobs', 'Job', 'batch/v1')
const lease = kind('leases', 'Lease', 'coordination.k8s.io/v1')

const data = (fields: object) => ({ data: fields })

const configMaps: Sequence[] = [
  configMap(
    'applied',
    apply('one', data({ a: '1' })),
    apply('one', data({ a: '1' })),
    apply('one', data({ b: '2' })),
    apply('one', {}),
  ),
  configMap(
    'created and applied',
    post('one', data({ a: '1', b: '2' })),
    apply('two', data({ a: '2' })),
    force('two', data({ a: '2' })),
    merge('one', data({ a: '3' })),
  ),
  configMap(
    'shared',
    apply('one', data({ a: '1' })),
    apply('two', data({ a: '1', b: '2' })),
    apply('one', {}),
    apply('two', {}),
  ),
  configMap(
    'conflict with three',
    apply('one', data({ a: '1' })),
    apply('two', data({ b: '1' })),
    merge('three', data({ c: '1' })),
    apply('four', data({ a: '2', b: '2', c: '2' })),
    force('four', data({ a: '2', b: '2', c: '2' })),
  ),
  configMap(
    'binary data and immutability',
    apply('one', { binaryData: { x: 'AAAA' }, immutable: true }),
  ),
  configMap(
    'labels',
    post('one', { metadata: { labels: { a: '1' } } }),
    apply('two', { metadata: { labels: { a: '1', b: '2' }, annotations: { c: '3' } } }),
    merge('one', { metadata: { labels: { b: '3' }, annotations: null } }),
    apply('two', { metadata: { labels: { a: '1', b: '2' } } }),
  ),
  configMap(
    'emptied',
    post('one', data({ a: '1' })),
    put('two', (live) => ({ ...live, data: {} })),
    put('two', (live) => ({ ...live, data: { '': '' } })),
  ),
  configMap(
    'nulls',
    apply('one', data({ a: '1', b: '2' })),
    apply('one', { data: null }),
    apply('one', data({ a: null })),
  ),
  configMap(
    'reset',
    apply('one', data({ a: '1' })),
    merge('two', { metadata: { managedFields: [{}] } }),
    apply('one', data({ a: '2' })),
    force('one', data({ a: '2' })),
  ),
  configMap(
    'patched with an operation list',
    post('one', data({ a: '1' })),
    json('two', [
      { op: 'add', path: '/data/b', value: '2' },
      { op: 'remove', path: '/data/a' },
    ]),
  ),
  configMap(
    'wrong',
    apply('one', { data: 'x' }),
    apply('one', data({ a: 1 })),
    apply('one', { bogus: {} }),
    apply('one', { data: ['x'] }),
    apply('one', { metadata: { labels: 'x' } }),
    apply('one', { metadata: { finalizers: ['a/b', 'a/b'] } }),
    apply('one', { immutable: 'x' }),
  ),
  configMap(
    'upgraded from client-side apply',
    post('kubectl-client-side-apply', {
      metadata: {
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration':
            '{"apiVersion":"v1","data":{"a":"1","b":"1"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"s","namespace":"record-apply"}}\n',
        },
      },
      data: { a: '1', b: '1' },
    }),
    apply('kubectl', data({ a: '2', b: '2' })),
    apply('kubectl', data({ a: '3' })),
  ),
  configMap(
    'not upgraded after a change',
    post('kubectl-client-side-apply', {
      metadata: {
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration':
            '{"apiVersion":"v1","data":{"a":"1","b":"1"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"s"}}\n',
        },
      },
      data: { a: '1', b: '1' },
    }),
    merge('other', data({ b: '5' })),
    apply('kubectl', data({ a: '2', b: '2' })),
    force('kubectl', data({ a: '2', b: '2' })),
  ),
  secret(
    'stringData',
    post('one', { stringData: { a: 'x' } }),
    apply('two', { stringData: { a: 'y' } }),
    force('two', { stringData: { b: 'y' } }),
    apply('two', { type: 'Opaque' }),
  ),
  secret(
    'data',
    apply('one', { data: { a: 'eA==' } }),
    merge('two', { data: { a: 'eQ==' } }),
    apply('one', { data: { a: 'eA==' } }),
  ),
  serviceAccount(
    'secrets',
    apply('one', { secrets: [{ name: 'a' }], imagePullSecrets: [{ name: 'p' }] }),
    apply('two', { secrets: [{ name: 'b' }], imagePullSecrets: [{ name: 'q' }] }),
    merge('three', { automountServiceAccountToken: false }),
    apply('one', {}),
  ),
  serviceAccount(
    'created',
    post('one', { imagePullSecrets: [{ name: 'p' }] }),
    merge('two', { imagePullSecrets: [{ name: 'q' }] }),
  ),
  role(
    'rules',
    apply('one', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }),
    apply('two', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }] }),
    merge('two', { rules: [] }),
  ),
  role(
    'created without rules',
    post('one', {}),
    merge('two', { metadata: { labels: { a: 'b' } } }),
  ),
  lease(
    'held',
    post('one', spec({ holderIdentity: 'a', renewTime: '2026-01-01T00:00:00.000000Z' })),
    merge('one', spec({ renewTime: '2026-01-01T00:00:01.000000Z' })),
    apply('two', spec({ holderIdentity: 'b' })),
    apply('one', spec({ leaseDurationSeconds: 5 })),
  ),
]

const container = (name: string, more: object = {}) => ({ name, image: 'i', ...more })

const others: Sequence[] = [
  service(
    'created',
    post('one', spec({ selector: { a: 'b' }, ports: [{ port: 80 }] })),
    merge('two', spec({ ports: [{ port: 80, protocol: 'TCP', targetPort: 81 }] })),
  ),
  service(
    'applied',
    apply(
      'one',
      spec({
        selector: { a: 'b' },
        ports: [
          { port: 80, name: 'x' },
          { port: 80, protocol: 'UDP', name: 'y' },
        ],
      }),
    ),
    apply('two', spec({ ports: [{ port: 81, name: 'z' }] })),
    apply('one', spec({ selector: { a: 'b' }, ports: [{ port: 80, name: 'x' }] })),
    apply('two', spec({ ports: [{ port: 80, targetPort: 5, name: 'x' }] })),
  ),
  service(
    'without cluster IP',
    apply(
      'one',
      spec({ clusterIP: 'None', selector: { a: 'b' }, ports: [{ port: 80, name: 'x' }] }),
    ),
    apply(
      'one',
      spec({
        clusterIP: 'None',
        selector: { c: 'd' },
        ports: [{ port: 80, name: 'x', appProtocol: 'h' }],
      }),
    ),
  ),
  service(
    'status',
    post('one', spec({ type: 'LoadBalancer', ports: [{ port: 80 }] })),
    merge(
      'lb',
      { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } },
      { subresource: 'status' },
    ),
    apply(
      'other',
      { status: { loadBalancer: { ingress: [{ ip: '1.2.3.5' }] } } },
      { subresource: 'status' },
    ),
    force(
      'other',
      { status: { loadBalancer: { ingress: [{ ip: '1.2.3.5' }] } } },
      { subresource: 'status' },
    ),
  ),
  ingress(
    'rules',
    apply(
      'one',
      spec({
        rules: [
          {
            host: 'a',
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: 's', port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      }),
    ),
    apply('two', spec({ rules: [{ host: 'b' }] })),
    merge('two', spec({ tls: [{ hosts: ['a'] }] })),
  ),
  pod(
    'created',
    post('one', { spec: { automountServiceAccountToken: false, containers: [container('c')] } }),
    merge('two', { metadata: { labels: { a: 'b' } } }),
    merge('two', { spec: { containers: [{ name: 'c', image: 'j' }] } }),
  ),
  pod(
    'applied',
    apply('one', {
      spec: {
        automountServiceAccountToken: false,
        containers: [container('c', { env: [{ name: 'A', value: '1' }] })],
      },
    }),
    apply('two', { spec: { containers: [container('c', { image: 'j' })] } }),
    force('two', { spec: { containers: [container('c', { image: 'j' })] } }),
    apply('one', {
      spec: {
        automountServiceAccountToken: false,
        containers: [container('c', { image: 'j', env: [{ name: 'A', value: '1' }] })],
      },
    }),
  ),
  pod(
    'status',
    post('one', { spec: { automountServiceAccountToken: false, containers: [container('c')] } }),
    merge(
      'kubelet',
      {
        status: {
          phase: 'Running',
          conditions: [{ type: 'Ready', status: 'True' }],
          podIP: '1.2.3.4',
          podIPs: [{ ip: '1.2.3.4' }],
        },
      },
      { subresource: 'status' },
    ),
    merge(
      'kubelet',
      { status: { conditions: [{ type: 'Ready', status: 'False' }] } },
      { subresource: 'status' },
    ),
    apply(
      'ctl',
      { status: { conditions: [{ type: 'Mine', status: 'True' }] } },
      { subresource: 'status' },
    ),
  ),
  job(
    'created',
    post('one', {
      spec: {
        suspend: true,
        template: { spec: { restartPolicy: 'Never', containers: [container('c')] } },
      },
    }),
    merge('two', { spec: { parallelism: 0 } }),
  ),
  job(
    'applied',
    apply('one', {
      spec: {
        suspend: true,
        template: { spec: { restartPolicy: 'Never', containers: [container('c')] } },
      },
    }),
    apply('two', { spec: { suspend: false } }),
  ),
]

/** Writes to kinds that every server has. */
export const builtinSequences: readonly Sequence[] = [...configMaps, ...others]
