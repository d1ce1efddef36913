import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase, Step } from '../conformance-case.ts'
import {
  as,
  configMap,
  core,
  del,
  grouped,
  merge,
  post,
  put,
  scenario,
  setup,
} from '../requests.ts'

const configMaps = core('configmaps')
const registration = '/apis/admissionregistration.k8s.io/v1'
const policies = `${registration}/validatingadmissionpolicies`
const bindings = `${registration}/validatingadmissionpolicybindings`

const aboutConfigMaps = {
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
}
const inNamespace = { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } }

/** A policy about the config maps of the case. */
function policy(spec: JsonObject, name = '{ns}'): JsonObject {
  return {
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [aboutConfigMaps], namespaceSelector: inNamespace },
      ...spec,
    },
  }
}

/** The validation that shows when the server has observed the policy. */
const marker = {
  expression: "!has(object.metadata.labels) || !('marker' in object.metadata.labels)",
  message: 'observed',
}

/** Creates a policy and its binding, and waits until the server has observed both. */
function bound(spec: JsonObject, binding: JsonObject = {}): Step[] {
  const { validations = [], ...rest } = spec as { validations?: JsonObject[] }
  const probe = { metadata: { name: 'probe', labels: { marker: 'x' } } }
  const isExempt = "request.operation == 'DELETE' || "
  const all = [{ ...marker, expression: isExempt + marker.expression }, ...validations]
  return [
    setup(post(policies, policy({ ...rest, validations: all }))),
    setup(
      post(bindings, {
        metadata: { name: '{ns}' },
        spec: { policyName: '{ns}', validationActions: ['Deny'], ...binding },
      }),
    ),
    setup(
      post(`${configMaps}?dryRun=All`, probe, {
        until: { path: 'message' },
      }),
    ),
  ]
}

const cleanup = [`${bindings}/{ns}`, `${policies}/{ns}`]

function governed(name: string, steps: readonly Step[]): ConformanceCase {
  return scenario(name, steps, { cleanup })
}

/** The object of the request in validations that also run for deletions. */
const named = "request.operation == 'DELETE' || "

/** Admission policies. */
export const policyCases: readonly ConformanceCase[] = [
  governed('a validation that is false refuses the write', [
    ...bound({
      validations: [
        { expression: `${named}object.metadata.name != 'bad'`, message: 'bad names are refused' },
        { expression: `${named}!has(object.data) || size(object.data) < 3` },
        {
          expression: `${named}object.metadata.name != 'stated'`,
          messageExpression:
            "'the name ' + object.metadata.name + ' by ' + request.userInfo.username",
          reason: 'Forbidden',
        },
        { expression: `${named}object.metadata.name != 'large'`, reason: 'RequestEntityTooLarge' },
        { expression: "request.operation != 'DELETE' || oldObject.metadata.name != 'kept'" },
      ],
    }),
    post(configMaps, configMap('good')),
    post(configMaps, configMap('bad')),
    post(configMaps, configMap('three', { a: '1', b: '2', c: '3' })),
    post(configMaps, configMap('stated')),
    post(configMaps, configMap('large')),
    post(configMaps, configMap('kept')),
    del(`${configMaps}/kept`),
    del(`${configMaps}/good`),
    put(`${configMaps}/kept`, configMap('kept', { a: '1', b: '2', c: '3' })),
    merge(`${configMaps}/kept`, { data: { a: '1', b: '2' } }),
    post(`${configMaps}?dryRun=All`, configMap('bad')),
  ]),
  governed('an error in a validation follows the failure policy', [
    ...bound({ validations: [{ expression: `${named}object.data.none == 'x'` }] }),
    post(configMaps, configMap('a')),
  ]),
  governed('ignored errors admit the write', [
    ...bound({
      failurePolicy: 'Ignore',
      validations: [{ expression: `${named}object.data.none == 'x'` }],
    }),
    post(configMaps, configMap('a')),
  ]),
  governed('variables are evaluated when they are used', [
    ...bound({
      variables: [
        { name: 'labels', expression: 'has(object.metadata.labels) ? object.metadata.labels : {}' },
        {
          name: 'team',
          expression: "'team' in variables.labels ? variables.labels['team'] : 'none'",
        },
        { name: 'broken', expression: 'object.data.missing' },
      ],
      validations: [
        {
          expression: `${named}variables.team != 'red'`,
          messageExpression: "'team ' + variables.team + ' is refused'",
        },
        { expression: `${named}object.metadata.name != 'uses' || variables.broken == 'x'` },
      ],
    }),
    post(configMaps, configMap('a')),
    post(configMaps, { metadata: { name: 'r', labels: { team: 'red' } } }),
    post(configMaps, configMap('uses')),
  ]),
  scenario(
    'a binding that warns does not refuse',
    [
      setup(
        post(bindings, {
          metadata: { name: '{ns}-warn' },
          spec: { policyName: '{ns}', validationActions: ['Warn', 'Audit'] },
        }),
      ),
      ...bound(
        {
          validations: [
            { expression: `${named}object.metadata.name != 'b'`, message: 'not b' },
            { expression: `${named}object.metadata.name != 'b'` },
          ],
        },
        {
          matchResources: {
            objectSelector: { matchExpressions: [{ key: 'marker', operator: 'Exists' }] },
          },
        },
      ),
      post(configMaps, configMap('a')),
      post(configMaps, configMap('b')),
    ],
    { cleanup: [...cleanup, `${bindings}/{ns}-warn`] },
  ),
  governed('match conditions and exclusions decide what a policy is about', [
    ...bound({
      matchConstraints: {
        resourceRules: [aboutConfigMaps],
        excludeResourceRules: [{ ...aboutConfigMaps, resourceNames: ['excluded'] }],
        namespaceSelector: inNamespace,
        objectSelector: { matchExpressions: [{ key: 'skip', operator: 'DoesNotExist' }] },
      },
      matchConditions: [
        { name: 'not-jane', expression: "request.userInfo.username != 'jane'" },
        { name: 'create', expression: "request.operation == 'CREATE'" },
      ],
      validations: [{ expression: "object.metadata.name == 'allowed'" }],
    }),
    post(configMaps, configMap('allowed')),
    post(configMaps, configMap('other')),
    post(configMaps, configMap('excluded')),
    post(configMaps, { metadata: { name: 'skipped', labels: { skip: 'x' } } }),
    post(configMaps, configMap('of-jane'), as('jane', 'system:masters')),
    merge(`${configMaps}/allowed`, { data: { x: 'y' } }, { show: ['data'] }),
  ]),
  governed('parameters of a binding are available', [
    setup(post(core('secrets'), { metadata: { name: 'limits' }, stringData: { max: '2' } })),
    ...bound(
      {
        paramKind: { apiVersion: 'v1', kind: 'Secret' },
        validations: [
          {
            expression: `${named}params == null || !has(object.data) || size(object.data) <= 2`,
            messageExpression: "'at most 2 by ' + params.metadata.name",
          },
        ],
      },
      { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } },
    ),
    post(configMaps, configMap('a')),
    post(configMaps, configMap('b', { a: '1', b: '2', c: '3' })),
    setup(del(`${core('secrets')}/limits`)),
    post(configMaps, configMap('c'), { until: { code: 422 } }),
  ]),
  governed('the namespace and permissions are available', [
    ...bound({
      validations: [
        { expression: "namespaceObject.metadata.name == '{ns}'" },
        {
          expression: `${named}object.metadata.name != 'secret' || authorizer.group('').resource('secrets').namespace('{ns}').check('get').allowed()`,
          message: 'you cannot read secrets',
        },
      ],
    }),
    post(configMaps, configMap('a')),
    post(configMaps, configMap('secret')),
  ]),
  governed('subresources and other kinds are governed by their rules', [
    ...bound({
      matchConstraints: {
        resourceRules: [
          aboutConfigMaps,
          {
            operations: ['UPDATE'],
            apiGroups: ['apps'],
            apiVersions: ['v1'],
            resources: ['deployments/scale'],
          },
        ],
        namespaceSelector: inNamespace,
      },
      validations: [{ expression: "object.kind != 'Scale' || object.spec.replicas < 5" }],
    }),
    setup(
      post(grouped('apps/v1', 'deployments'), {
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: {
            metadata: { labels: { a: 'b' } },
            spec: { containers: [{ name: 'c', image: 'i' }] },
          },
        },
      }),
    ),
    merge(`${grouped('apps/v1', 'deployments')}/d/scale`, { spec: { replicas: 9 } }),
    merge(`${grouped('apps/v1', 'deployments')}/d/scale`, { spec: { replicas: 3 } }),
  ]),
  governed(
    'expressions that do not compile are refused',
    [
      { validations: [{ expression: 'object.' }] },
      { validations: [{ expression: '1' }] },
      { validations: [{ expression: 'params == null' }] },
      { validations: [{ expression: 'true', messageExpression: '1' }] },
      {
        validations: [
          { expression: 'true', messageExpression: "authorizer.path('/').check('get').reason()" },
        ],
      },
      { validations: [{ expression: 'variables.a' }], variables: [{ name: 'b', expression: '1' }] },
      { validations: [{ expression: 'true' }], variables: [{ name: 'b', expression: 'nothing' }] },
      {
        validations: [{ expression: 'true' }],
        matchConditions: [{ name: 'c', expression: 'variables.x' }],
      },
      { auditAnnotations: [{ key: 'k', valueExpression: '1' }] },
    ].map((spec) => post(policies, policy(spec as JsonObject))),
  ),
]
