import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase, Step } from '../conformance-case.ts'
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
  pod,
  post,
  put,
  scenario,
  setup,
} from '../requests.ts'

const configMaps = core('configmaps')
const deployments = grouped('apps/v1', 'deployments')
const registration = '/apis/admissionregistration.k8s.io/v1'
const reviews = { reviews: true } as const

const aboutConfigMaps = {
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
}

/** A webhook of the hook server, by the path that decides what it does. */
function webhook(path: string, extra: JsonObject = {}): JsonObject {
  return {
    name: `${path.replaceAll('/', '')}.example.com`,
    clientConfig: { url: `{hook}${path}`, caBundle: '{caBundle}' },
    rules: [aboutConfigMaps],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } },
    objectSelector: { matchExpressions: [{ key: 'marker', operator: 'DoesNotExist' }] },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...extra,
  }
}

/** Registers webhooks, and waits until the server has observed them. */
function registered(kind: 'Mutating' | 'Validating', webhooks: readonly JsonObject[]): Step[] {
  const path = `${registration}/${kind.toLowerCase()}webhookconfigurations`
  const marker = webhook('/marker', { objectSelector: { matchLabels: { marker: kind } } })
  const probe = { metadata: { name: 'probe', labels: { marker: kind } } }
  return [
    setup(post(path, { metadata: { name: '{ns}' }, webhooks: [...webhooks, marker] })),
    setup(post(`${configMaps}?dryRun=All`, probe, { until: { code: 418 } })),
  ]
}

const cleanup = ['mutating', 'validating'].map(
  (kind) => `${registration}/${kind}webhookconfigurations/{ns}`,
)

function hooked(name: string, steps: readonly Step[]): ConformanceCase {
  return scenario(name, steps, { cleanup })
}

const validating = (...webhooks: readonly JsonObject[]): Step[] =>
  registered('Validating', webhooks)
const mutating = (...webhooks: readonly JsonObject[]): Step[] => registered('Mutating', webhooks)

const denials = ['/deny', '/deny-message', '/deny-reason', '/deny-success', '/deny-details']
const failures = [
  '/wrong-uid',
  '/absent',
  '/no-kind',
  '/other-kind',
  '/beta-kind',
  '/status-500',
  '/status-404',
  '/status-403',
  '/status-503-json',
  '/status-object',
  '/not-json',
  '/array',
  '/empty',
  '/plain',
  '/no-such-path',
]
const badPatches = [
  '/patch-wrong-type',
  '/patch-missing',
  '/patch-replace-missing',
  '/patch-test',
  '/patch-object',
  '/patch-untyped',
  '/patch-type-only',
  '/patch-other-type',
  '/patch-invalid',
  '/patch-name',
]

/** Admission webhooks. */
export const webhookCases: readonly ConformanceCase[] = [
  hooked('a validating webhook gets the review of each kind of write', [
    ...validating(webhook('/allow')),
    post(`${configMaps}?fieldManager=tester&fieldValidation=Strict`, configMap('a')),
    put(`${configMaps}/a`, configMap('a', { k: 'w' })),
    merge(`${configMaps}/a`, { data: { m: '1' } }),
    operations(`${configMaps}/a?fieldManager=patcher`, [
      { op: 'add', path: '/data/o', value: '2' },
    ]),
    apply(`${configMaps}/a?fieldManager=applier&force=true`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
      data: { p: '3' },
    }),
    apply(`${configMaps}/b?fieldManager=applier`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'b' },
    }),
    post(configMaps, { metadata: { generateName: 'generated-' } }, { show: ['code'] }),
    post(`${configMaps}?dryRun=All`, configMap('dry')),
    post(configMaps, configMap('c'), as('jane', 'system:masters')),
    del(`${configMaps}/a`, { gracePeriodSeconds: 0, propagationPolicy: 'Background' }),
    del(`${configMaps}/b`),
    del(`${configMaps}?labelSelector=x=y`),
    del(configMaps, undefined, { show: ['code'] }),
    reviews,
  ]),
  hooked('a denied write has the status of the webhook', [
    ...validating(
      ...denials.map((path) =>
        webhook(path, { objectSelector: { matchLabels: { hook: path.slice(1) } } }),
      ),
    ),
    ...denials.map((path) =>
      post(configMaps, { metadata: { name: 'a', labels: { hook: path.slice(1) } } }),
    ),
  ]),
  hooked('a mutating webhook can deny too', [
    ...mutating(webhook('/deny-message')),
    post(configMaps, configMap('a')),
  ]),
  hooked('a webhook that fails refuses the write', [
    ...validating(
      ...failures.map((path) =>
        webhook(path, { objectSelector: { matchLabels: { hook: path.slice(1) } } }),
      ),
    ),
    ...failures.map((path) =>
      post(configMaps, { metadata: { name: 'a', labels: { hook: path.slice(1) } } }),
    ),
  ]),
  hooked('a webhook whose failures are ignored is skipped', [
    ...validating(webhook('/status-500', { failurePolicy: 'Ignore' })),
    post(configMaps, configMap('a')),
  ]),
  hooked('a webhook that cannot be reached refuses the write', [
    ...validating(
      webhook('/service', {
        clientConfig: { service: { namespace: '{ns}', name: 'none', path: '/x' } },
        objectSelector: { matchLabels: { hook: 'service' } },
      }),
      webhook('/refused', {
        clientConfig: { url: 'https://127.0.0.1:1/x', caBundle: '{caBundle}' },
        objectSelector: { matchLabels: { hook: 'refused' } },
      }),
      webhook('/slow', {
        timeoutSeconds: 1,
        objectSelector: { matchLabels: { hook: 'slow' } },
      }),
    ),
    post(configMaps, { metadata: { name: 'a', labels: { hook: 'service' } } }),
    post(configMaps, { metadata: { name: 'a', labels: { hook: 'refused' } } }),
    post(configMaps, { metadata: { name: 'a', labels: { hook: 'slow' } } }),
  ]),
  hooked('a Service without its port or without a cluster IP cannot be reached', [
    setup(post(core('services'), { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } })),
    setup(
      post(core('services'), {
        metadata: { name: 'headless' },
        spec: { clusterIP: 'None', ports: [{ port: 443 }] },
      }),
    ),
    ...validating(
      webhook('/port', {
        clientConfig: { service: { namespace: '{ns}', name: 's' } },
        objectSelector: { matchLabels: { hook: 'port' } },
      }),
      webhook('/headless', {
        clientConfig: { service: { namespace: '{ns}', name: 'headless', path: '/p' } },
        objectSelector: { matchLabels: { hook: 'headless' } },
      }),
    ),
    post(configMaps, { metadata: { name: 'a', labels: { hook: 'port' } } }),
    post(configMaps, { metadata: { name: 'a', labels: { hook: 'headless' } } }),
  ]),
  hooked('warnings of webhooks are part of the answer', [
    ...validating(webhook('/warn')),
    ...mutating(webhook('/warn-deny', { objectSelector: { matchLabels: { hook: 'deny' } } })),
    post(configMaps, configMap('a')),
    post(configMaps, { metadata: { name: 'b', labels: { hook: 'deny' } } }),
  ]),
  hooked('a webhook with side effects is not called in a dry run', [
    ...validating(
      webhook('/allow', {
        sideEffects: 'NoneOnDryRun',
        objectSelector: { matchLabels: { hook: 'none' } },
      }),
    ),
    post(`${configMaps}?dryRun=All`, { metadata: { name: 'a', labels: { hook: 'none' } } }),
    reviews,
  ]),
  hooked('mutating webhooks are called in order, and again where they ask for it', [
    ...mutating(
      webhook('/label-b', { reinvocationPolicy: 'IfNeeded' }),
      webhook('/label-a', { reinvocationPolicy: 'Never' }),
      webhook('/label-once', { reinvocationPolicy: 'IfNeeded' }),
    ),
    post(configMaps, configMap('a')),
    reviews,
  ]),
  hooked('a mutating webhook changes what is stored', [
    ...mutating(webhook('/patch-data')),
    post(configMaps, configMap('a')),
    merge(`${configMaps}/a`, { data: { hooked: 'no' } }),
    apply(`${configMaps}/c?fieldManager=applier`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c' },
      data: { x: 'y' },
    }),
    del(`${configMaps}/a`),
    reviews,
  ]),
  hooked('a patch that changes nothing or is not known is accepted', [
    ...mutating(
      webhook('/patch-empty', { objectSelector: { matchLabels: { hook: 'empty' } } }),
      webhook('/patch-unknown', { objectSelector: { matchLabels: { hook: 'unknown' } } }),
      webhook('/patch-same', { objectSelector: { matchLabels: { hook: 'same' } } }),
    ),
    post(configMaps, { metadata: { name: 'a', labels: { hook: 'empty' } } }),
    post(configMaps, { metadata: { name: 'b', labels: { hook: 'unknown' } } }),
    post(configMaps, { metadata: { name: 'same', labels: { hook: 'same' } } }),
  ]),
  hooked('a patch that does not apply refuses the write', [
    ...mutating(
      ...badPatches.map((path) =>
        webhook(path, { objectSelector: { matchLabels: { hook: path.slice(1) } } }),
      ),
    ),
    ...badPatches.map((path) =>
      post(configMaps, {
        metadata: { name: 'a', labels: { hook: path.slice(1) } },
        data: { k: 'v' },
      }),
    ),
  ]),
  hooked('a validating webhook must not return a patch', [
    ...validating(webhook('/patch-data')),
    post(configMaps, configMap('a')),
  ]),
  hooked('subresources are matched on their own', [
    setup(post(deployments, deployment('d'))),
    ...validating(
      webhook('/allow', {
        rules: [
          {
            operations: ['*'],
            apiGroups: ['apps'],
            apiVersions: ['*'],
            resources: ['deployments/*'],
          },
        ],
      }),
    ),
    merge(`${deployments}/d`, { metadata: { labels: { x: 'y' } } }, { show: ['kind'] }),
    merge(`${deployments}/d/status`, { status: { replicas: 1 } }, { show: ['kind'] }),
    merge(`${deployments}/d/scale`, { spec: { replicas: 2 } }),
    get(`${deployments}/d/scale`),
    reviews,
  ]),
  hooked('a mutating webhook changes a Scale', [
    setup(post(deployments, deployment('d'))),
    ...mutating(
      webhook('/patch-replicas', {
        rules: [
          {
            operations: ['UPDATE'],
            apiGroups: ['apps'],
            apiVersions: ['v1'],
            resources: ['deployments/scale'],
          },
        ],
      }),
    ),
    merge(`${deployments}/d/scale`, { spec: { replicas: 2 } }),
    get(`${deployments}/d`, { show: ['spec.replicas'] }),
  ]),
  hooked('webhooks are called for namespaces and cluster-scoped objects', [
    ...validating(
      webhook('/allow', {
        rules: [
          {
            operations: ['*'],
            apiGroups: ['', 'rbac.authorization.k8s.io'],
            apiVersions: ['v1'],
            resources: ['namespaces', 'clusterroles'],
            scope: 'Cluster',
          },
        ],
        objectSelector: { matchLabels: { of: '{ns}' } },
        namespaceSelector: { matchLabels: { of: '{ns}' } },
      }),
    ),
    post('/api/v1/namespaces', { metadata: { name: '{ns}-two', labels: { of: '{ns}' } } }),
    merge('/api/v1/namespaces/{ns}-two', { metadata: { labels: { more: 'yes' } } }),
    del('/api/v1/namespaces/{ns}-two', undefined, { show: ['kind'] }),
    post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      metadata: { name: '{ns}', labels: { of: '{ns}' } },
      rules: [],
    }),
    del('/apis/rbac.authorization.k8s.io/v1/clusterroles/{ns}'),
    reviews,
  ]),
  hooked('a webhook gets the object in the version of its rule', [
    ...validating(
      webhook('/allow', {
        rules: [
          {
            operations: ['*'],
            apiGroups: ['autoscaling'],
            apiVersions: ['v1'],
            resources: ['horizontalpodautoscalers'],
          },
        ],
      }),
      webhook('/allow-two', {
        matchPolicy: 'Exact',
        rules: [
          {
            operations: ['*'],
            apiGroups: ['autoscaling'],
            apiVersions: ['v1'],
            resources: ['horizontalpodautoscalers'],
          },
        ],
      }),
    ),
    post(
      grouped('autoscaling/v2', 'horizontalpodautoscalers'),
      {
        metadata: { name: 'h' },
        spec: {
          maxReplicas: 3,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        },
      },
      { show: ['kind'] },
    ),
    reviews,
  ]),
  hooked('evictions, bindings and tokens are reviewed as their own kinds', [
    setup(post(core('pods'), pod('p'))),
    ...validating(
      webhook('/allow', {
        rules: [
          {
            operations: ['*'],
            apiGroups: ['*'],
            apiVersions: ['*'],
            resources: ['pods/*', 'serviceaccounts/token'],
          },
        ],
      }),
    ),
    post(`${core('pods')}/p/binding`, {
      metadata: { name: 'p' },
      target: { kind: 'Node', name: 'n' },
    }),
    post(
      `${core('serviceaccounts')}/default/token`,
      { spec: { audiences: ['a'], expirationSeconds: 600 } },
      { show: ['kind'] },
    ),
    post(`${core('pods')}/p/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'p' },
    }),
    reviews,
  ]),
  hooked('connections are reviewed with their options', [
    setup(post(core('pods'), pod('p'))),
    ...validating(
      webhook('/deny-message', {
        rules: [
          {
            operations: ['CONNECT'],
            apiGroups: [''],
            apiVersions: ['v1'],
            resources: ['pods/*'],
          },
        ],
        objectSelector: {},
      }),
    ),
    post(
      `${core('pods')}/p/exec?command=ls&command=-l&container=main&stdout=true&stdin=false`,
      undefined,
    ),
    get(`${core('pods')}/p/attach?stdin=1&tty=true`),
    get(`${core('pods')}/p/portforward?ports=80`),
    get(`${core('pods')}/p/proxy`),
    reviews,
  ]),
  hooked('a custom resource is pruned and defaulted after a webhook', [
    setup(
      post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        metadata: { name: 'things.{ns}.example.com' },
        spec: {
          group: '{ns}.example.com',
          scope: 'Namespaced',
          names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: {
                  type: 'object',
                  properties: {
                    spec: {
                      type: 'object',
                      properties: {
                        a: { type: 'string' },
                        b: { type: 'string', default: 'defaulted' },
                      },
                    },
                  },
                },
              },
            },
          ],
        },
      }),
    ),
    setup(get('/apis/{ns}.example.com/v1/namespaces/{ns}/things', { until: { code: 200 } })),
    ...mutating(
      webhook('/patch-spec-unknown', {
        rules: [
          {
            operations: ['*'],
            apiGroups: ['{ns}.example.com'],
            apiVersions: ['*'],
            resources: ['*'],
          },
        ],
      }),
    ),
    post('/apis/{ns}.example.com/v1/namespaces/{ns}/things', {
      apiVersion: '{ns}.example.com/v1',
      kind: 'Thing',
      metadata: { name: 't' },
      spec: { a: 'x' },
    }),
    get('/apis/{ns}.example.com/v1/namespaces/{ns}/things/t'),
    reviews,
    setup(del('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.{ns}.example.com')),
  ]),
  hooked('match conditions decide whether a webhook is called', [
    ...validating(
      webhook('/deny', {
        matchConditions: [
          { name: 'named', expression: "object.metadata.name.startsWith('b')" },
          { name: 'created', expression: "request.operation == 'CREATE'" },
        ],
      }),
      webhook('/deny-reason', {
        objectSelector: { matchLabels: { hook: 'error' } },
        matchConditions: [
          { name: 'missing', expression: "object.data.none == 'x'" },
          { name: 'true', expression: 'true' },
        ],
      }),
      webhook('/deny-message', {
        objectSelector: { matchLabels: { hook: 'ignored' } },
        failurePolicy: 'Ignore',
        matchConditions: [{ name: 'missing', expression: 'object.none.more == 1' }],
      }),
      webhook('/allow', {
        objectSelector: { matchLabels: { hook: 'variables' } },
        matchConditions: [
          { name: 'user', expression: "request.userInfo.username == 'jane'" },
          { name: 'old', expression: 'oldObject == null' },
          {
            name: 'rights',
            expression:
              "authorizer.group('').resource('secrets').namespace('{ns}').check('get').allowed()",
          },
          { name: 'own', expression: "authorizer.requestResource.check('create').allowed()" },
          {
            name: 'kind',
            expression:
              "request.kind.kind == 'ConfigMap' && !request.dryRun && !has(request.subResource)",
          },
        ],
      }),
    ),
    post(configMaps, configMap('a')),
    post(configMaps, configMap('b')),
    put(`${configMaps}/a`, configMap('a', { k: 'w' }), { show: ['data'] }),
    post(configMaps, { metadata: { name: 'e', labels: { hook: 'error' } } }),
    post(configMaps, { metadata: { name: 'i', labels: { hook: 'ignored' } } }),
    post(
      configMaps,
      { metadata: { name: 'v', labels: { hook: 'variables' } } },
      as('jane', 'system:masters'),
    ),
    reviews,
  ]),
  hooked(
    'match conditions that do not compile are refused',
    [
      'object.',
      '1',
      'nothing == 1',
      "request.other == 'x'",
      'request.operation == 1',
      'params != null',
      'self == 1',
    ].map((expression) =>
      post(`${registration}/validatingwebhookconfigurations`, {
        metadata: { name: '{ns}' },
        webhooks: [webhook('/allow', { matchConditions: [{ name: 'c', expression }] })],
      }),
    ),
  ),
  hooked('no webhook is called for webhook configurations', [
    ...validating(
      webhook('/deny', {
        rules: [
          {
            operations: ['*'],
            apiGroups: ['admissionregistration.k8s.io'],
            apiVersions: ['*'],
            resources: ['*'],
          },
        ],
      }),
    ),
    merge(
      `${registration}/validatingwebhookconfigurations/{ns}`,
      { metadata: { labels: { a: 'b' } } },
      { show: ['kind', 'metadata.labels'] },
    ),
  ]),
]
