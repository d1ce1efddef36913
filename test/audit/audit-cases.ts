/** Requests whose audit events are compared with those of a real server. */
import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase, Request, Step } from '../conformance/conformance-case.ts'
import {
  apply,
  as,
  configMap,
  core,
  del,
  deployment,
  get,
  grouped,
  merge,
  operations,
  post,
  put,
  scenario,
  setup,
} from '../conformance/requests.ts'

/** The policy of both servers. */
export const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['Panic'],
  rules: [
    { level: 'None', nonResourceURLs: ['/version', '/livez*'] },
    {
      level: 'None',
      verbs: ['get'],
      resources: [{ resources: ['configmaps'], resourceNames: ['unseen'] }],
    },
    {
      level: 'RequestResponse',
      omitManagedFields: true,
      resources: [{ group: '', resources: ['configmaps'] }],
    },
    {
      level: 'Request',
      verbs: ['create', 'get'],
      resources: [{ group: '', resources: ['secrets'] }],
    },
    {
      level: 'RequestResponse',
      omitStages: ['RequestReceived'],
      resources: [{ group: 'apps', resources: ['deployments', 'deployments/*'] }],
    },
    { level: 'Metadata', users: ['viewer'], omitStages: ['RequestReceived'] },
    { level: 'Metadata' },
  ],
} as const

const configMaps = core('configmaps')
const deployments = grouped('apps/v1', 'deployments')
const registration = '/apis/admissionregistration.k8s.io/v1'
const policies = `${registration}/validatingadmissionpolicies`
const bindings = `${registration}/validatingadmissionpolicybindings`

const inNamespace = { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } }
const aboutConfigMaps = {
  operations: ['CREATE', 'UPDATE'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
}

const pods = core('pods')
const securityLabels = {
  'pod-security.kubernetes.io/enforce': 'baseline',
  'pod-security.kubernetes.io/audit': 'restricted',
}

function securePod(name: string, securityContext: JsonObject = {}) {
  const containers = [{ name: 'c', image: 'i', securityContext }]
  return { metadata: { name }, spec: { automountServiceAccountToken: false, containers } }
}

/** Gives each compared request an audit id, by which its events are found. */
function audited(prefix: string, steps: readonly Step[]): Step[] {
  let count = 0
  return steps.map((step) => {
    if (!('method' in step) || step.isSetup === true) return step
    count += 1
    const id = `audited-${prefix}-${String(count).padStart(2, '0')}`
    return { ...step, headers: { 'user-agent': 'audited/1', ...step.headers, 'audit-id': id } }
  })
}

function webhook(name: string, path: string, extra: JsonObject = {}): JsonObject {
  return {
    name: `${name}.example.com`,
    clientConfig: { url: `{hook}${path}`, caBundle: '{caBundle}' },
    rules: [aboutConfigMaps],
    namespaceSelector: inNamespace,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...extra,
  }
}

const probe: Request = post(`${configMaps}?dryRun=All`, configMap('probe'))

/** With the certificate of an administrator. */
export const auditCases: readonly ConformanceCase[] = [
  scenario(
    'requests',
    audited('requests', [
      get('/version'),
      get('/livez/ping'),
      get('/api'),
      get('/readyz'),
      get('/nothing'),
      get('/apis/example.com/v1/things'),
      post(configMaps, configMap('a'), { showHeaders: ['audit-id'] }),
      post(configMaps, { metadata: { generateName: 'generated-' } }),
      post(configMaps, { metadata: { name: 'No Name' } }),
      post(configMaps, configMap('a')),
      post(configMaps, { text: '{"metadata":' }),
      post(`${configMaps}?dryRun=All`, configMap('dry')),
      get(`${configMaps}/a`),
      get(`${configMaps}/unseen`),
      get(`${configMaps}/missing`),
      get(configMaps),
      get(`${configMaps}/a`, {
        headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
      }),
      get(`${configMaps}?watch=true&timeoutSeconds=1`, { isRaw: true }),
      put(`${configMaps}/a`, configMap('a', { k: 'w' })),
      merge(`${configMaps}/a`, { data: { m: 'x' } }),
      operations(`${configMaps}/a`, [{ op: 'add', path: '/data/j', value: 'x' }]),
      apply(`${configMaps}/s?fieldManager=me`, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 's' },
        data: { s: 't' },
      }),
      del(`${configMaps}/s`, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 }),
      del(`${configMaps}/a?propagationPolicy=Orphan`),
      del(configMaps),
      post(core('secrets'), { metadata: { name: 's' }, stringData: { a: 'b' } }),
      get(`${core('secrets')}/s`),
      del(`${core('secrets')}/s`),
      post(deployments, deployment('d')),
      merge(`${deployments}/d/scale`, { spec: { replicas: 3 } }),
      get(`${deployments}/d/scale`),
      get(`${deployments}/d/status`),
      del(`${deployments}/d`),
      get('/api/v1/namespaces/{ns}'),
      get('/api/v1/nodes?limit=5'),
      get(`${core('endpoints')}`),
      get(configMaps, as('jane', 'system:masters')),
      get(configMaps, as('jane')),
      get(configMaps, {
        headers: {
          'impersonate-user': 'jane',
          'impersonate-uid': '7',
          'impersonate-extra-scope': 'a',
          'impersonate-group': 'system:masters',
        },
      }),
      get(`${core('secrets')}?limit=1`, { headers: { 'x-forwarded-for': '10.1.2.3, 10.4.5.6' } }),
      get('/api/v1/namespaces/{ns}', { headers: { 'user-agent': 'x'.repeat(1100) } }),
    ]),
  ),
  scenario(
    'webhooks',
    audited('webhooks', [
      setup(
        post(`${registration}/mutatingwebhookconfigurations`, {
          metadata: { name: '{ns}' },
          webhooks: [
            webhook('allow', '/allow'),
            webhook('once', '/label-once', { reinvocationPolicy: 'IfNeeded' }),
            webhook('open', '/status-500', { failurePolicy: 'Ignore' }),
            webhook('annotated', '/annotate'),
          ],
        }),
      ),
      setup(
        post(`${registration}/validatingwebhookconfigurations`, {
          metadata: { name: '{ns}' },
          webhooks: [
            webhook('broken', '/status-500', { failurePolicy: 'Ignore' }),
            webhook('noted', '/annotate'),
          ],
        }),
      ),
      setup({ ...probe, until: { path: 'metadata.labels.once' } }),
      post(configMaps, configMap('a')),
      post(core('secrets'), { metadata: { name: 's' } }),
    ]),
    {
      cleanup: ['mutating', 'validating'].map(
        (kind) => `${registration}/${kind}webhookconfigurations/{ns}`,
      ),
    },
  ),
  scenario(
    'policies',
    audited('policies', [
      setup(
        post(policies, {
          metadata: { name: '{ns}' },
          spec: {
            matchConstraints: { resourceRules: [aboutConfigMaps], namespaceSelector: inNamespace },
            validations: [
              { expression: "object.metadata.name != 'refused'", message: 'not this "name"' },
              { expression: "object.metadata.name != 'refused'" },
              { expression: "object.metadata.name != 'probe'", message: 'observed' },
            ],
            auditAnnotations: [
              { key: 'name', valueExpression: "'named ' + object.metadata.name" },
              { key: 'none', valueExpression: 'null' },
              { key: 'empty', valueExpression: "'  '" },
              {
                key: 'failing',
                valueExpression:
                  "object.metadata.name == 'fails' ? string(object.data.missing) : 'fine'",
              },
            ],
          },
        }),
      ),
      setup(
        post(bindings, {
          metadata: { name: '{ns}' },
          spec: { policyName: '{ns}', validationActions: ['Warn', 'Audit'] },
        }),
      ),
      setup(
        post(bindings, {
          metadata: { name: '{ns}-deny' },
          spec: {
            policyName: '{ns}',
            validationActions: ['Deny'],
            matchResources: { objectSelector: { matchLabels: { deny: 'yes' } } },
          },
        }),
      ),
      setup(
        post(
          `${configMaps}?dryRun=All`,
          { metadata: { name: 'probe', labels: { deny: 'yes' } } },
          { until: { code: 422 } },
        ),
      ),
      post(configMaps, configMap('accepted')),
      post(configMaps, configMap('refused')),
      post(configMaps, { metadata: { name: 'refused', labels: { deny: 'yes' } } }),
      post(configMaps, configMap('fails')),
    ]),
    { cleanup: [`${bindings}/{ns}`, `${bindings}/{ns}-deny`, `${policies}/{ns}`] },
  ),
  scenario('pod security', [
    setup(merge('/api/v1/namespaces/{ns}', { metadata: { labels: securityLabels } })),
    setup(
      post(
        `${pods}?dryRun=All`,
        { ...securePod('probe'), spec: { ...securePod('probe').spec, hostNetwork: true } },
        { until: { code: 403 } },
      ),
    ),
    ...audited('pods', [
      post(pods, securePod('plain')),
      post(pods, securePod('privileged', { privileged: true })),
      post(deployments, deployment('web')),
      merge(`${pods}/plain`, { metadata: { labels: { a: 'b' } } }),
    ]),
  ]),
]

/** Without a certificate. */
export const anonymousCases: readonly ConformanceCase[] = [
  scenario(
    'other users',
    audited('users', [
      get('/api/v1/namespaces', { headers: { authorization: 'Bearer viewer-token' } }),
      get('/apis', { headers: { authorization: 'Bearer viewer-token' } }),
      get('/api/v1/namespaces', { headers: { authorization: 'Bearer wrong' } }),
      get('/api/v1/namespaces', { headers: { authorization: 'Basic dTpw' } }),
      get('/api/v1/namespaces'),
    ]),
    { isClusterWide: true },
  ),
]
