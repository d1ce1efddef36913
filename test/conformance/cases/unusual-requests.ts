import type { ConformanceCase } from '../conformance-case.ts'
import {
  apply,
  core,
  del,
  get,
  grouped,
  merge,
  operations,
  post,
  put,
  scenario,
  setup,
} from '../requests.ts'
import { crd, version, widget, widgets, withWidgets } from './widgets.ts'

const accounts = core('serviceaccounts')
const configMaps = core('configmaps')
const pods = core('pods')
const templates = core('podtemplates')
const budgets = grouped('policy/v1', 'poddisruptionbudgets')
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
const webhooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
const certificateRequest = [
  '-----BEGIN CERTIFICATE REQUEST-----',
  'MIHJMHECAQAwDzENMAsGA1UEAwwEamFuZTBZMBMGByqGSM49AgEGCCqGSM49AwEH',
  'A0IABGRzAugFTWclvto5JDlbXtDSDdrRVzA0N7ObJNeVe5al3obEIxNmlqvFlaeZ',
  'tUpoqmdolblJnSVxBQSV1TV/wL2gADAKBggqhkjOPQQDAgNIADBFAiAg0Fy43UF3',
  'tBMg5ePyppho2YAMdcsSp7EN1ql5oXmelwIhAMsjBERhxDEyGXQ8t6+kCgG7Xu/8',
  'aT6UE0GSsfyzKUZw',
  '-----END CERTIFICATE REQUEST-----',
].join('\n')
const container = { name: 'c', image: 'i' }
const pod = { metadata: { name: 'a' }, spec: { containers: [container] } }

/** Requests that are refused, or whose paths are rare, found by random requests. */
export const unusualRequestCases: readonly ConformanceCase[] = [
  scenario('a pod on a node that does not exist', [
    setup(post(pods, pod)),
    get(`${pods}/a/proxy/x`),
    setup(
      post(`${pods}/a/binding`, { metadata: { name: 'a' }, target: { kind: 'Node', name: 'x' } }),
    ),
    ...['proxy', 'proxy/x/y', 'log', 'exec?command=x', 'attach', 'portforward'].map((path) =>
      get(`${pods}/a/${path}`),
    ),
  ]),
  scenario('paths below a proxy of a missing object', [
    get(`${pods}/missing/proxy/x`),
    post(`${pods}/missing/proxy/x/y`, undefined),
    get(`${core('services')}/missing/proxy/x`),
    get('/api/v1/nodes/missing/proxy/x'),
  ]),
  scenario('a preemption policy other than that of the class', [
    ...['Never', '', 'x', 'PreemptLowerPriority'].map((preemptionPolicy) =>
      post(pods, { ...pod, spec: { ...pod.spec, preemptionPolicy } }),
    ),
  ]),
  scenario('limits that are empty make empty requests', [
    setup(post(pods, pod)),
    put(`${pods}/a`, {
      ...pod,
      spec: { containers: [{ ...container, resources: { limits: {} } }] },
    }),
  ]),
  scenario('a template may have an image volume without a reference', [
    ...[{}, { pullPolicy: 'x' }].map((image) =>
      post(`${templates}?dryRun=All`, {
        metadata: { name: 'a' },
        template: { spec: { containers: [container], volumes: [{ name: 'v', image }] } },
      }),
    ),
    post(pods, { ...pod, spec: { ...pod.spec, volumes: [{ name: 'v', image: {} }] } }),
  ]),
  scenario('an image whose name is too long has no tag', [
    ...['x'.repeat(247), 'x'.repeat(248), `a.b/${'x'.repeat(255)}`, `a.b/${'x'.repeat(256)}`].map(
      (image) =>
        post(`${pods}?dryRun=All`, { ...pod, spec: { containers: [{ name: 'c', image }] } }),
    ),
  ]),
  scenario('the path of a webhook that begins with a letter of two bytes', [
    ...['\u00e9', '\u00e9/', 'a', 'a/b'].map((path) =>
      post(webhooks, {
        metadata: { name: 'a-{ns}' },
        webhooks: [
          {
            name: 'a.example.com',
            clientConfig: { service: { name: 'a', namespace: 'a', path } },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      }),
    ),
  ]),
  scenario('addresses of a pod that cannot be parsed', [
    setup(post(pods, pod)),
    merge(`${pods}/a/status`, {
      status: {
        hostIP: 'x',
        hostIPs: [{ ip: 'x' }, { ip: 'y' }],
        podIP: '10.0.0.1',
        podIPs: [{ ip: '10.0.0.1' }, { ip: 'z' }, { ip: 'fd00::1' }],
      },
    }),
  ]),
  scenario('a certificate that is not PEM', [
    setup(
      post(requests, {
        metadata: { name: 'a-{ns}' },
        spec: {
          request: btoa(certificateRequest),
          signerName: 'example.com/signer',
          usages: ['client auth'],
        },
      }),
    ),
    ...['null', 'LS0tLS1CRUdJTiBYLS0tLS0KYWFhYQotLS0tLUVORCBYLS0tLS0K'].map((certificate) =>
      merge(`${requests}/a-{ns}/status`, { status: { certificate } }),
    ),
    del(`${requests}/a-{ns}`),
  ]),
  scenario('a template generation that is not a number', [
    apply(`${grouped('apps/v1', 'daemonsets')}/a?fieldManager=m`, {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: {
        name: 'a',
        annotations: { 'deprecated.daemonset.template.generation': 'x' },
      },
    }),
  ]),
  scenario('a service without a name whose status is applied', [
    apply(`${core('services')}/a/status?fieldManager=m`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {},
      status: { conditions: [{ lastTransitionTime: 'x' }] },
    }),
  ]),
  scenario('attributes of devices with several values are dropped', [
    post('/apis/resource.k8s.io/v1/resourceslices', {
      metadata: { name: 'a-{ns}' },
      spec: {
        devices: [
          {
            name: 'a',
            attributes: { b: { int: 1, ints: [2] }, c: { string: 'd', bools: [true] } },
          },
        ],
        driver: 'd.example.com',
        nodeName: 'n',
        pool: { generation: 1, name: 'p', resourceSliceCount: 1 },
      },
    }),
    merge('/apis/resource.k8s.io/v1/resourceslices/a-{ns}', {
      spec: { devices: [{ name: 'a', attributes: { b: { int: 1, ints: [2] } } }] },
    }),
    merge('/apis/resource.k8s.io/v1/resourceslices/a-{ns}', {
      spec: { devices: [{ name: 'a', attributes: { b: { int: 1, ints: [2] } } }] },
    }),
    del('/apis/resource.k8s.io/v1/resourceslices/a-{ns}'),
  ]),
  scenario('the first error of an applied object decides', [
    apply(`${requests}/a-{ns}?fieldManager=m`, {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'a-{ns}' },
      spec: { request: 'a_b', signerName: 'example.com/signer', usages: ['client auth'] },
      status: { conditions: [{ type: 'a', status: 'True', lastTransitionTime: 'x' }] },
    }),
  ]),
  scenario('a patch that replaces an object by the fields of its metadata', [
    setup(post(accounts, { metadata: { name: 'a' } })),
    ...[{ name: 'b' }, { name: 'a', labels: { b: 'c' } }, { name: 5 }, { x: 1, metadata: {} }].map(
      (value) => operations(`${accounts}/a`, [{ op: 'replace', path: '', value }]),
    ),
  ]),
  scenario('an apply to the status of a missing object is not read', [
    ...[budgets, configMaps].map((path) =>
      apply(`${path}/a/status?fieldManager=m`, null, { body: { text: '1' } }),
    ),
  ]),
  scenario('the deletion of a collection at a revision', [
    post(configMaps, { metadata: { name: 'a' } }, { capture: { rv: 'metadata.resourceVersion' } }),
    setup(post(configMaps, { metadata: { name: 'b' } })),
    setup(del(`${configMaps}/a`)),
    del(`${configMaps}?resourceVersion={rv}`),
    get(configMaps),
  ]),
  withWidgets('a custom resource is applied with its time of creation', crd([version(open)]), [
    apply(`${widgets}/a?fieldManager=m`, {
      ...widget(),
      metadata: { name: 'a', creationTimestamp: 'x' },
    }),
  ]),
  withWidgets(
    'replicas outside of the range of 32 bits',
    crd([version(open, { subresources: { scale } })]),
    [
      ...['1e300', '9007199254740993', '2147483648', '-1', '"x"', '1.5'].map((replicas) =>
        post(`${widgets}?dryRun=All`, {
          text: JSON.stringify(widget()).replace(
            '"kind"',
            `"spec":{"replicas":${replicas}},"kind"`,
          ),
        }),
      ),
    ],
  ),
  withWidgets(
    'a patch of a status that changes the kind removes the owners of fields',
    crd([version(open, { subresources: { status: {} } })]),
    [
      post(widgets, widget({ spec: { a: 1 } })),
      operations(`${widgets}/w/status`, [{ op: 'replace', path: '/kind', value: 'Other' }]),
    ],
  ),
  withWidgets(
    'the type of a patch is checked before the accepted types',
    crd([version(open, { subresources: { status: {} } })]),
    [
      {
        method: 'PATCH',
        path: `${widgets}/a/status`,
        headers: { accept: 'application/vnd.kubernetes.protobuf' },
        body: {},
      },
    ],
  ),
]
