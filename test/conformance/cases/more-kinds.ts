import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase } from '../conformance-case.ts'
import { core, get, grouped, merge, post, put, scenario, setup } from '../requests.ts'

const storage = '/apis/storage.k8s.io/v1'
const networking = 'networking.k8s.io/v1'
const b64 = (text: string): string => Buffer.from(text).toString('base64')
const secrets = core('secrets')
const budgets = grouped('policy/v1', 'poddisruptionbudgets')
const slices = grouped('discovery.k8s.io/v1', 'endpointslices')
const selector = { matchLabels: { a: 'b' } }
const signing = '/apis/certificates.k8s.io/v1/certificatesigningrequests'

/** Manifests, created as dry runs unless the answer is needed later: [name, path, body]. */
const manifests: readonly (readonly [string, string, JsonObject])[] = [
  ['a secret of tls without its keys', secrets, { type: 'kubernetes.io/tls', data: {} }],
  [
    'a secret of tls',
    secrets,
    { type: 'kubernetes.io/tls', stringData: { 'tls.crt': 'x', 'tls.key': 'y' } },
  ],
  [
    'a secret of a registry',
    secrets,
    { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': b64('{}') } },
  ],
  [
    'a secret of a registry that is not JSON',
    secrets,
    { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': b64('x') } },
  ],
  ['a secret of basic access', secrets, { type: 'kubernetes.io/basic-auth', data: {} }],
  ['a secret of ssh', secrets, { type: 'kubernetes.io/ssh-auth', data: {} }],
  ['a secret of an account', secrets, { type: 'kubernetes.io/service-account-token' }],
  ['a secret with bad keys', secrets, { data: { 'a b': b64('x') } }],
  [
    'a secret with both kinds of data',
    secrets,
    { data: { a: b64('x') }, stringData: { a: 'y', b: 'z' } },
  ],
  ['an immutable secret', secrets, { immutable: true }],
  [
    'a service account',
    core('serviceaccounts'),
    {
      automountServiceAccountToken: false,
      imagePullSecrets: [{ name: 'x' }],
      secrets: [{ name: 'y' }],
    },
  ],
  [
    'endpoints',
    core('endpoints'),
    {
      subsets: [
        {
          addresses: [{ ip: '1.2.3.4', nodeName: 'n' }],
          notReadyAddresses: [{ ip: '1.2.3.5' }],
          ports: [{ port: 80, name: 'a', protocol: 'UDP' }],
        },
      ],
    },
  ],
  [
    'bad endpoints',
    core('endpoints'),
    {
      subsets: [
        {
          addresses: [{ ip: '127.0.0.1' }, { ip: 'x' }],
          ports: [{ port: 0 }, { port: 80, protocol: 'X' }],
        },
        {},
      ],
    },
  ],
  [
    'a slice',
    slices,
    {
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['1.2.3.4'],
          conditions: { ready: true },
          targetRef: { kind: 'Pod', name: 'p' },
          zone: 'z',
          hints: { forZones: [{ name: 'z' }] },
        },
      ],
      ports: [{ name: 'a', port: 80 }],
    },
  ],
  [
    'a bad slice',
    slices,
    {
      addressType: 'X',
      endpoints: [{ addresses: [] }, { addresses: ['x'] }],
      ports: [{ port: 0 }],
    },
  ],
  [
    'a slice of names',
    slices,
    { addressType: 'FQDN', endpoints: [{ addresses: ['example.com', 'BAD'] }] },
  ],
  [
    'an ingress',
    grouped(networking, 'ingresses'),
    {
      spec: {
        ingressClassName: 'nginx',
        tls: [{ hosts: ['a.b'], secretName: 's' }],
        defaultBackend: { resource: { apiGroup: 'x', kind: 'Y', name: 'z' } },
        rules: [{ host: '*.a.b' }],
      },
    },
  ],
  [
    'a bad ingress',
    grouped(networking, 'ingresses'),
    {
      spec: {
        ingressClassName: 'A_',
        rules: [
          { host: '1.2.3.4' },
          {
            http: { paths: [{ path: '/a', pathType: 'Odd', backend: { service: { name: 's' } } }] },
          },
        ],
      },
    },
  ],
  [
    'an ingress class',
    `/apis/${networking}/ingressclasses`,
    { spec: { controller: 'example.com/c', parameters: { kind: 'K', name: 'n' } } },
  ],
  ['a bad ingress class', `/apis/${networking}/ingressclasses`, { spec: { controller: 'nope' } }],
  [
    'a network policy',
    grouped(networking, 'networkpolicies'),
    {
      spec: {
        podSelector: {},
        ingress: [
          {
            from: [
              { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
              { namespaceSelector: {} },
            ],
            ports: [{ port: 80, endPort: 90 }],
          },
        ],
        egress: [{}],
      },
    },
  ],
  [
    'a bad network policy',
    grouped(networking, 'networkpolicies'),
    {
      spec: {
        podSelector: {},
        policyTypes: ['Odd'],
        ingress: [
          {
            from: [{}, { ipBlock: { cidr: 'x', except: ['y'] }, podSelector: {} }],
            ports: [{ port: 'http', endPort: 5 }],
          },
        ],
      },
    },
  ],
  [
    'a budget with both bounds',
    budgets,
    { spec: { minAvailable: 1, maxUnavailable: 1, selector } },
  ],
  ['a budget of nothing', budgets, { spec: {} }],
  [
    'a budget of percents',
    budgets,
    { spec: { maxUnavailable: '30%', selector, unhealthyPodEvictionPolicy: 'AlwaysAllow' } },
  ],
  [
    'a bad budget',
    budgets,
    {
      spec: {
        minAvailable: '150%',
        selector: { matchExpressions: [{ key: 'a', operator: 'Odd' }] },
        unhealthyPodEvictionPolicy: 'X',
      },
    },
  ],
  [
    'a volume',
    '/api/v1/persistentvolumes',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/x' },
        storageClassName: 's',
      },
    },
  ],
  [
    'a bad volume',
    '/api/v1/persistentvolumes',
    { spec: { accessModes: ['Odd'], persistentVolumeReclaimPolicy: 'Odd' } },
  ],
  [
    'a volume of two kinds',
    '/api/v1/persistentvolumes',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '../x' },
        nfs: { server: 's', path: '/' },
      },
    },
  ],
  [
    'a claim',
    core('persistentvolumeclaims'),
    {
      spec: {
        accessModes: ['ReadWriteMany'],
        resources: { requests: { storage: '1Gi' } },
        storageClassName: '',
        volumeName: 'v',
      },
    },
  ],
  [
    'a bad claim',
    core('persistentvolumeclaims'),
    {
      spec: {
        accessModes: [],
        resources: {},
        volumeMode: 'Odd',
        dataSource: { kind: 'X', name: '' },
      },
    },
  ],
  [
    'a storage class',
    `${storage}/storageclasses`,
    { provisioner: 'example.com/p', parameters: { a: 'b' }, allowVolumeExpansion: true },
  ],
  [
    'a bad storage class',
    `${storage}/storageclasses`,
    { provisioner: '', reclaimPolicy: 'Odd', volumeBindingMode: 'Odd', parameters: { '': 'x' } },
  ],
  ['a driver', `${storage}/csidrivers`, { spec: {} }],
  [
    'a node of a driver',
    `${storage}/csinodes`,
    {
      spec: {
        drivers: [{ name: 'd', nodeID: 'n', topologyKeys: ['k'], allocatable: { count: 5 } }],
      },
    },
  ],
  [
    'a bad node of a driver',
    `${storage}/csinodes`,
    {
      spec: {
        drivers: [
          { name: '', nodeID: '' },
          { name: 'A_', nodeID: 'n', topologyKeys: ['k', 'k'], allocatable: { count: -1 } },
        ],
      },
    },
  ],
  [
    'an attachment',
    `${storage}/volumeattachments`,
    { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
  ],
  [
    'a bad attachment',
    `${storage}/volumeattachments`,
    { spec: { attacher: '', nodeName: '', source: {} } },
  ],
  [
    'a priority class',
    '/apis/scheduling.k8s.io/v1/priorityclasses',
    { value: 5, globalDefault: false, preemptionPolicy: 'Never', description: 'd' },
  ],
  [
    'a bad priority class',
    '/apis/scheduling.k8s.io/v1/priorityclasses',
    { value: 2000000000, preemptionPolicy: 'Odd' },
  ],
  [
    'a runtime class',
    '/apis/node.k8s.io/v1/runtimeclasses',
    {
      handler: 'h',
      overhead: { podFixed: { cpu: '1' } },
      scheduling: { nodeSelector: { a: 'b' } },
    },
  ],
  ['a bad runtime class', '/apis/node.k8s.io/v1/runtimeclasses', { handler: 'H_' }],
  [
    'a node',
    '/api/v1/nodes',
    {
      spec: {
        podCIDR: '10.0.0.0/24',
        taints: [{ key: 'a', effect: 'NoSchedule' }],
        unschedulable: true,
      },
    },
  ],
  [
    'a bad node',
    '/api/v1/nodes',
    {
      spec: {
        taints: [
          { key: 'a', effect: 'Odd' },
          { key: 'a', value: 'x', effect: 'NoExecute' },
          { key: 'a', effect: 'NoExecute' },
        ],
        podCIDRs: ['x'],
      },
    },
  ],
  [
    'a pod template',
    core('podtemplates'),
    {
      template: {
        metadata: { labels: { a: 'b' } },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      },
    },
  ],
  [
    'a controller revision',
    grouped('apps/v1', 'controllerrevisions'),
    { revision: 1, data: { a: 1 } },
  ],
  ['a bad controller revision', grouped('apps/v1', 'controllerrevisions'), { revision: -1 }],
  [
    'a validating webhook',
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    {
      webhooks: [
        {
          name: 'a.b.c',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { url: 'https://example.com/x' },
          rules: [
            { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] },
          ],
          namespaceSelector: { matchLabels: { never: 'ever' } },
        },
      ],
    },
  ],
  [
    'a bad validating webhook',
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    {
      webhooks: [
        {
          name: 'short',
          admissionReviewVersions: ['v9'],
          sideEffects: 'Some',
          clientConfig: {},
          rules: [
            { operations: ['X'], apiGroups: [], apiVersions: [], resources: ['pods/*', '*/*'] },
          ],
          timeoutSeconds: 99,
        },
      ],
    },
  ],
  [
    'a flow schema',
    '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
    { spec: { priorityLevelConfiguration: { name: 'x' }, matchingPrecedence: 5 } },
  ],
  [
    'a bad level',
    '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
    { spec: { type: 'Odd' } },
  ],
  [
    'an API service',
    '/apis/apiregistration.k8s.io/v1/apiservices',
    { spec: { group: 'x', version: 'v1' } },
  ],
  [
    'a request for a certificate',
    signing,
    { spec: { request: b64('x'), signerName: 'example.com/s', usages: ['client auth'] } },
  ],
]

/** More kinds. */
export const moreKindCases: readonly ConformanceCase[] = [
  ...manifests.map(([name, path, body]) =>
    scenario(`${name} is completed or refused the same way`, [
      post(`${path}?dryRun=All`, { metadata: { name: 'x-{ns}' }, ...body }),
    ]),
  ),
  scenario('the address type of a slice is immutable', [
    setup(post(slices, { metadata: { name: 's' }, addressType: 'IPv4', endpoints: [] })),
    merge(`${slices}/s`, { addressType: 'IPv6' }),
    merge(`${slices}/s`, { endpoints: [{ addresses: ['1.2.3.4'] }] }),
  ]),
  scenario('a budget has a status', [
    setup(post(budgets, { metadata: { name: 'b' }, spec: { minAvailable: 1, selector } })),
    merge(`${budgets}/b`, { spec: { minAvailable: 2 } }),
    merge(`${budgets}/b/status`, { status: { currentHealthy: -1 } }),
    merge(`${budgets}/b/status`, {
      status: {
        observedGeneration: 2,
        currentHealthy: 1,
        desiredHealthy: 1,
        disruptionsAllowed: 0,
        expectedPods: 1,
      },
    }),
    put(`${budgets}/b`, { metadata: { name: 'b' }, spec: { maxUnavailable: 1, selector } }),
    merge(
      `${budgets}/b`,
      { spec: { selector: { matchLabels: { c: 'd' } } } },
      { show: ['spec', 'metadata.generation'] },
    ),
  ]),
  scenario('a claim can grow but not change', [
    setup(
      post(core('persistentvolumeclaims'), {
        metadata: { name: 'c' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
      }),
    ),
    merge(`${core('persistentvolumeclaims')}/c`, {
      spec: { resources: { requests: { storage: '3Gi' } } },
    }),
    merge(
      `${core('persistentvolumeclaims')}/c`,
      { spec: { accessModes: ['ReadWriteMany'] } },
      { show: ['code', 'reason'] },
    ),
    merge(
      `${core('persistentvolumeclaims')}/c`,
      { spec: { storageClassName: 'x' } },
      { show: ['code', 'reason', 'spec.storageClassName'] },
    ),
    merge(`${core('persistentvolumeclaims')}/c/status`, {
      status: { phase: 'Bound', capacity: { storage: '2Gi' } },
    }),
    get(`${core('persistentvolumeclaims')}/c`),
  ]),
  scenario('the type and the immutability of a secret cannot change', [
    setup(
      post(secrets, {
        metadata: { name: 's' },
        type: 'example.com/x',
        immutable: true,
        data: { a: b64('x') },
      }),
    ),
    merge(`${secrets}/s`, { type: 'Opaque' }),
    merge(`${secrets}/s`, { data: { a: b64('y') } }),
    merge(`${secrets}/s`, { immutable: false }),
    merge(`${secrets}/s`, { metadata: { annotations: { a: 'b' } } }),
  ]),
  scenario('a job has generated labels and immutable fields', [
    post(grouped('batch/v1', 'jobs'), {
      metadata: { name: 'j' },
      spec: {
        suspend: true,
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
      },
    }),
    merge(
      `${grouped('batch/v1', 'jobs')}/j`,
      { spec: { parallelism: 3, completions: 5 } },
      { show: ['code', 'message', 'spec.parallelism'] },
    ),
    merge(
      `${grouped('batch/v1', 'jobs')}/j`,
      { spec: { suspend: false } },
      { show: ['spec.suspend', 'metadata.generation', 'status'] },
    ),
    merge(
      `${grouped('batch/v1', 'jobs')}/j`,
      { spec: { selector: { matchLabels: { x: 'y' } } } },
      { show: ['code', 'reason'] },
    ),
  ]),
  scenario('only some fields of a stateful set can change', [
    setup(
      post(grouped('apps/v1', 'statefulsets'), {
        metadata: { name: 's' },
        spec: {
          serviceName: 'x',
          selector,
          template: {
            metadata: { labels: { a: 'b' } },
            spec: { containers: [{ name: 'c', image: 'i' }] },
          },
        },
      }),
    ),
    merge(`${grouped('apps/v1', 'statefulsets')}/s`, { spec: { serviceName: 'y' } }),
    merge(
      `${grouped('apps/v1', 'statefulsets')}/s`,
      { spec: { replicas: 3, minReadySeconds: 5 } },
      { show: ['spec.replicas', 'metadata.generation'] },
    ),
    merge(
      `${grouped('apps/v1', 'statefulsets')}/s`,
      { spec: { podManagementPolicy: 'Parallel' } },
      { show: ['code', 'reason'] },
    ),
  ]),
  scenario('a daemon set counts generations of its template', [
    post(grouped('apps/v1', 'daemonsets'), {
      metadata: { name: 'd' },
      spec: {
        selector,
        template: {
          metadata: { labels: { a: 'b' } },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        },
      },
    }),
    merge(`${grouped('apps/v1', 'daemonsets')}/d`, {
      spec: { template: { spec: { terminationGracePeriodSeconds: 5 } } },
    }),
    merge(
      `${grouped('apps/v1', 'daemonsets')}/d`,
      { spec: { minReadySeconds: 5 } },
      { show: ['metadata.generation', 'metadata.annotations'] },
    ),
    merge(
      `${grouped('apps/v1', 'daemonsets')}/d`,
      { metadata: { annotations: null } },
      { show: ['metadata.generation', 'metadata.annotations', 'metadata.managedFields'] },
    ),
  ]),
  scenario('a request for a certificate is approved once', [
    setup(get('/version', { show: [] })),
    merge(`${signing}/none/approval`, { status: {} }),
    merge(`${signing}/none/status`, { status: {} }),
    get(`${signing}/none/approval`),
  ]),
]
