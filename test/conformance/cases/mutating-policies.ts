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
  pod,
  post,
  put,
  scenario,
  setup,
} from '../requests.ts'
import { crd, definition, definitions, specSchema, version, widget, widgets } from './widgets.ts'

const configMaps = core('configmaps')
const deployments = grouped('apps/v1', 'deployments')
const pods = core('pods')
const registration = '/apis/admissionregistration.k8s.io/v1'
const policies = `${registration}/mutatingadmissionpolicies`
const bindings = `${registration}/mutatingadmissionpolicybindings`
const webhookConfigurations = `${registration}/mutatingwebhookconfigurations`

const inNamespace = { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } }

function about(group: string, ...resources: string[]): JsonObject {
  return {
    operations: ['CREATE', 'UPDATE'],
    apiGroups: [group],
    apiVersions: ['*'],
    resources,
  }
}

const everything = [
  about('', 'configmaps', 'pods', 'pods/status', 'pods/eviction'),
  about('apps', 'deployments', 'deployments/scale', 'deployments/status'),
  about('{ns}.example.com', 'widgets', 'widgets/status'),
]

/** A mutation by an expression that returns an object. */
function applied(expression: string): JsonObject {
  return { patchType: 'ApplyConfiguration', applyConfiguration: { expression } }
}

/** A mutation by an expression that returns a list of operations. */
function patched(expression: string): JsonObject {
  return { patchType: 'JSONPatch', jsonPatch: { expression } }
}

/** A policy about the objects of the case. */
function policy(spec: JsonObject, name = '{ns}'): JsonObject {
  return {
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: everything, namespaceSelector: inNamespace },
      reinvocationPolicy: 'Never',
      ...spec,
    },
  }
}

/** Annotates the probe, which shows that the server has observed the policy. */
function marker(observed: string): JsonObject {
  return applied(
    named('probe', `Object{metadata: Object.metadata{annotations: {'${observed}': 'x'}}}`),
  )
}

/** Creates a policy and its binding, and waits until the server has observed both. */
function bound(
  spec: JsonObject,
  { binding = {}, suffix = '' }: { binding?: JsonObject; suffix?: string } = {},
): Step[] {
  const { mutations = [], ...rest } = spec as { mutations?: JsonObject[] }
  const [name, observed] = [`{ns}${suffix}`, `observed${suffix}`]
  return [
    setup(post(policies, policy({ ...rest, mutations: [marker(observed), ...mutations] }, name))),
    setup(post(bindings, { metadata: { name }, spec: { policyName: name, ...binding } })),
    setup(
      post(
        `${configMaps}?dryRun=All`,
        { metadata: { name: 'probe' }, data: { k: 'v' } },
        { until: { path: `metadata.annotations.${observed}` } },
      ),
    ),
  ]
}

const cleanup = ['', '-a', '-b', '-c'].flatMap((suffix) => [
  `${bindings}/{ns}${suffix}`,
  `${policies}/{ns}${suffix}`,
])

function governed(name: string, steps: readonly Step[]): ConformanceCase {
  return scenario(name, steps, {
    cleanup: [...cleanup, `${webhookConfigurations}/{ns}`, definition],
  })
}

/** Mutations that only change the object of this name. */
function named(name: string, mutation: string): string {
  return `object.metadata.name == '${name}' ? ${mutation} : Object{}`
}

/** Operations that only change the object of this name. */
function operationsOf(name: string, operations: string): string {
  return `object.metadata.name == '${name}' ? [${operations}] : [JSONPatch{op: 'test', path: '/metadata/name', value: 'nobody'}]`
}

const autoscalers = grouped('autoscaling/v2', 'horizontalpodautoscalers')

function autoscaler(name: string): JsonObject {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
  return { metadata: { name }, spec: { maxReplicas: 3, scaleTargetRef } }
}

/** A policy that labels autoscalers in one version, and waits until the server has observed it. */
function labelling(suffix: string, apiVersion: string): Step[] {
  const name = `{ns}${suffix}`
  const labels = `labels: {'seen${suffix}': '${apiVersion}'}`
  const probe = `annotations: {'observed${suffix}': 'x'}`
  const autoscaling = about('autoscaling', 'horizontalpodautoscalers')
  const matchConstraints = {
    resourceRules: [{ ...autoscaling, apiVersions: [apiVersion] }, about('', 'configmaps')],
    namespaceSelector: inNamespace,
  }
  const mutations = [
    applied(
      `Object{metadata: object.kind == 'ConfigMap' ? Object.metadata{${probe}} : Object.metadata{${labels}}}`,
    ),
  ]
  return [
    setup(post(policies, policy({ matchConstraints, mutations }, name))),
    setup(post(bindings, { metadata: { name }, spec: { policyName: name } })),
    setup(
      post(
        `${configMaps}?dryRun=All`,
        { metadata: { name: 'probe' }, data: { k: 'v' } },
        { until: { path: `metadata.annotations.observed${suffix}` } },
      ),
    ),
  ]
}

const container = 'Object.spec.template.spec.containers'

const appliedErrors: Readonly<Record<string, string>> = {
  'wrong-type-name': 'Object{data: Object.other{a: "b"}}',
  'deep-type-name': 'Object{metadata: Object.metadata{labels: Object.metadata.wrong{a: "b"}}}',
  undeclared: 'Object{nothing: 1}',
  'undeclared-below': 'Object{metadata: Object.metadata{nothing: 1}}',
  'wrong-value': 'Object{data: 1}',
  'number-as-text': 'Object{data: {"a": 1}}',
  'failing-expression': 'Object{data: {"a": object.data.missing}}',
  'managed-fields': 'Object{metadata: Object.metadata{managedFields: []}}',
  'owner-without-uid':
    'Object{metadata: Object.metadata{ownerReferences: [Object.metadata.ownerReferences{name: "x"}]}}',
  'twice-in-a-set': 'Object{metadata: Object.metadata{finalizers: ["a/b", "a/b"]}}',
}

const patchErrors: Readonly<Record<string, string>> = {
  'remove-missing': 'JSONPatch{op: "remove", path: "/data/missing"}',
  'replace-missing': 'JSONPatch{op: "replace", path: "/a/b", value: 1}',
  'add-below-missing': 'JSONPatch{op: "add", path: "/a/b", value: "x"}',
  'unknown-op': 'JSONPatch{op: "other", path: "/data/k", value: "x"}',
  'no-op': 'JSONPatch{path: "/data/k", value: "x"}',
  'no-path': 'JSONPatch{op: "add", value: "x"}',
  'no-value': 'JSONPatch{op: "add", path: "/data/n"}',
  'unknown-field': 'JSONPatch{op: "add", path: "/unknown", value: "x"}',
  'wrong-value': 'JSONPatch{op: "add", path: "/data", value: "x"}',
  'number-value': 'JSONPatch{op: "add", path: "/data/n", value: 1}',
  'move-missing': 'JSONPatch{op: "move", from: "/data/missing", path: "/data/n"}',
  'type-name': 'JSONPatch{op: "add", path: "/metadata/labels", value: Object{a: Object.wrong{}}}',
  'failing-expression': 'JSONPatch{op: "add", path: "/data/n", value: object.data.missing}',
  'quantity-value': 'JSONPatch{op: "add", path: "/data/n", value: quantity("1Gi")}',
}

/** Mutating admission policies. */
export const mutatingPolicyCases: readonly ConformanceCase[] = [
  governed('an object is merged as by server-side apply', [
    ...bound({
      mutations: [
        applied(
          'Object{metadata: Object.metadata{labels: {"added": "yes"}, ?annotations: has(object.data) ? optional.of({"keys": string(size(object.data))}) : optional.none()}}',
        ),
        applied(
          `has(object.spec) && has(object.spec.replicas) ? Object{spec: Object.spec{replicas: 3, template: Object.spec.template{spec: Object.spec.template.spec{containers: [${container}{name: "main", env: [${container}.env{name: "A", value: "b"}]}, ${container}{name: "side", image: "proxy"}]}}}} : Object{}`,
        ),
      ],
    }),
    post(configMaps, configMap('a', { a: '1', b: '2' })),
    post(configMaps, { metadata: { name: 'b', labels: { own: 'x', added: 'no' } } }),
    post(deployments, deployment('d')),
    put(`${configMaps}/a`, configMap('a', { c: '3' })),
    merge(`${configMaps}/b`, { metadata: { labels: { added: null } } }),
    apply(`${configMaps}/s?fieldManager=me`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 's', labels: { mine: 'x' } },
    }),
    apply(`${configMaps}/s?fieldManager=me`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 's', labels: { mine: 'y' } },
    }),
    post(`${configMaps}?dryRun=All`, configMap('dry')),
    get(`${configMaps}/dry`),
    merge(`${deployments}/d/scale`, { spec: { replicas: 1 } }),
    merge(`${deployments}/d/status`, { status: { replicas: 1 } }),
  ]),
  governed('sets and keyed lists keep the items of the object', [
    ...bound({
      mutations: [
        applied(
          named(
            'a',
            'Object{metadata: Object.metadata{finalizers: ["example.com/policy", "example.com/own"]}}',
          ),
        ),
      ],
    }),
    post(configMaps, {
      metadata: {
        name: 'a',
        finalizers: ['example.com/own', 'example.com/other'],
      },
    }),
    setup(del(`${bindings}/{ns}`)),
    setup(
      post(`${configMaps}?dryRun=All`, configMap('a'), {
        until: { code: 409 },
      }),
    ),
    setup(
      merge(
        `${configMaps}/a`,
        { metadata: { finalizers: null } },
        { until: { path: 'metadata.name' } },
      ),
    ),
  ]),
  governed('atomic lists and maps cannot be applied', [
    ...bound({
      mutations: [
        applied(
          named(
            'args',
            'Object{spec: Object.spec{containers: [Object.spec.containers{name: "main", args: ["x"]}]}}',
          ),
        ),
        applied(named('nodes', 'Object{spec: Object.spec{nodeSelector: {"a": "b"}}}')),
        applied(
          named(
            'image',
            'Object{spec: Object.spec{containers: [Object.spec.containers{name: "main", image: "other"}]}}',
          ),
        ),
      ],
    }),
    post(pods, pod('args')),
    post(pods, pod('nodes')),
    post(pods, pod('image'), { show: ['spec.containers'] }),
  ]),
  governed('an object that cannot be applied is refused', [
    ...bound({
      mutations: Object.entries(appliedErrors).map(([name, expression]) =>
        applied(named(name, expression)),
      ),
    }),
    ...Object.keys(appliedErrors).map((name) => post(configMaps, configMap(name))),
  ]),
  governed('values that the type of a field does not have are refused', [
    ...bound({
      mutations: [
        applied(named('half', 'Object{spec: Object.spec{replicas: 1.5}}')),
        applied(
          named(
            'quantity',
            `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [${container}{name: "main", resources: ${container}.resources{limits: {"cpu": "many"}}}]}}}}`,
          ),
        ),
        applied(named('text', 'Object{spec: Object.spec{paused: "yes"}}')),
      ],
    }),
    ...['half', 'quantity', 'text'].map((name) => post(deployments, deployment(name))),
  ]),
  governed('errors of ignored policies admit the object', [
    ...bound({
      failurePolicy: 'Ignore',
      mutations: [
        applied(named('a', 'Object{data: {"first": "yes"}}')),
        applied(named('a', 'Object{nothing: 1}')),
        applied(named('a', 'Object{data: {"last": object.data.first}}')),
        patched(operationsOf('p', 'JSONPatch{op: "add", path: "/unknown", value: 1}')),
        patched(operationsOf('r', 'JSONPatch{op: "remove", path: "/data/missing"}')),
      ],
    }),
    post(configMaps, configMap('a')),
    post(configMaps, configMap('p')),
    post(configMaps, configMap('r')),
  ]),
  governed('two errors are causes of one refusal', [
    ...bound({
      mutations: [
        applied(named('a', 'Object{nothing: 1}')),
        applied(named('a', 'Object{other: 1}')),
      ],
    }),
    post(configMaps, configMap('a')),
  ]),
  governed('a list of operations changes the object', [
    ...bound({
      mutations: [
        patched(
          operationsOf(
            'all',
            [
              'JSONPatch{op: "test", path: "/data/k", value: "v"}',
              'JSONPatch{op: "add", path: "/data/added", value: string(1 + 1)}',
              'JSONPatch{op: "copy", from: "/data/k", path: "/data/copied"}',
              'JSONPatch{op: "move", from: "/data/k", path: "/data/moved"}',
              'JSONPatch{op: "replace", path: "/data/added", value: "replaced"}',
              'JSONPatch{op: "add", path: "/metadata/labels", value: {"a": "b"}}',
              'JSONPatch{op: "add", path: "/metadata/annotations", value: Object.metadata.annotations{c: "d"}}',
              'JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("example.com/~x"), value: "escaped"}',
              'JSONPatch{op: "remove", path: "/metadata/labels/example.com~1~0x"}',
              'JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("example.com/x"), value: "escaped"}',
              'JSONPatch{op: "add", path: "/immutable", value: true}',
            ].join(', '),
          ),
        ),
        patched(
          operationsOf(
            'tested',
            'JSONPatch{op: "add", path: "/data/no", value: "x"}, JSONPatch{op: "test", path: "/data/k", value: "other"}',
          ),
        ),
        patched(
          operationsOf(
            'lists',
            'JSONPatch{op: "add", path: "/metadata/finalizers", value: ["example.com/a"]}, JSONPatch{op: "add", path: "/metadata/finalizers/-", value: "example.com/b"}, JSONPatch{op: "add", path: "/metadata/labels", value: null}',
          ),
        ),
        patched(
          operationsOf(
            'variables',
            'JSONPatch{op: "add", path: "/data/by", value: request.userInfo.username}, JSONPatch{op: "add", path: "/data/in", value: namespaceObject.metadata.name}',
          ),
        ),
      ],
    }),
    post(configMaps, configMap('all')),
    post(configMaps, configMap('tested')),
    post(configMaps, configMap('lists')),
    post(configMaps, configMap('variables')),
    setup(del(`${bindings}/{ns}`)),
    setup(merge(`${configMaps}/lists`, { metadata: { finalizers: null } })),
  ]),
  governed('operations change lists of objects', [
    ...bound({
      mutations: [
        patched(
          operationsOf(
            'a',
            [
              'JSONPatch{op: "add", path: "/spec/initContainers", value: []}',
              'JSONPatch{op: "add", path: "/spec/initContainers/-", value: Object.spec.initContainers{name: "init", image: "busybox", args: ["a", "b"], env: [Object.spec.initContainers.env{name: "A", value: "b"}]}}',
              'JSONPatch{op: "add", path: "/spec/containers/0/args", value: ["x"]}',
              'JSONPatch{op: "add", path: "/spec/terminationGracePeriodSeconds", value: 7}',
            ].join(', '),
          ),
        ),
      ],
    }),
    post(pods, pod('a'), {
      show: ['spec.initContainers', 'spec.containers', 'spec.terminationGracePeriodSeconds'],
    }),
  ]),
  governed('operations that cannot be applied are refused', [
    ...bound({
      mutations: Object.entries(patchErrors).map(([name, operation]) =>
        patched(operationsOf(name, operation)),
      ),
    }),
    ...Object.keys(patchErrors).map((name) => post(configMaps, configMap(name))),
  ]),
  governed('variables see the changes of earlier mutations', [
    ...bound({
      variables: [
        { name: 'count', expression: 'has(object.data) ? size(object.data) : 0' },
        { name: 'text', expression: "'has ' + string(variables.count)" },
      ],
      mutations: [
        applied('Object{data: {"first": variables.text}}'),
        applied('Object{data: {"second": variables.text}}'),
        patched('[JSONPatch{op: "add", path: "/data/third", value: variables.text}]'),
      ],
      matchConditions: [
        { name: 'maps', expression: "object.kind == 'ConfigMap'" },
        { name: 'not-jane', expression: "request.userInfo.username != 'jane'" },
      ],
    }),
    post(configMaps, configMap('a')),
    post(configMaps, configMap('of-jane'), as('jane', 'system:masters')),
    post(deployments, deployment('d'), { show: ['metadata.annotations'] }),
  ]),
  governed('a match condition that fails follows the failure policy', [
    ...bound({
      mutations: [applied(named('a', 'Object{data: {"changed": "yes"}}'))],
      matchConditions: [
        {
          name: 'failing',
          expression: "object.metadata.name != 'a' || object.data.missing == 'x'",
        },
      ],
    }),
    post(configMaps, configMap('a')),
    post(configMaps, configMap('b')),
  ]),
  governed('parameters of a binding are available', [
    setup(post(core('secrets'), { metadata: { name: 'values' }, stringData: { a: '2' } })),
    ...bound(
      {
        paramKind: { apiVersion: 'v1', kind: 'Secret' },
        mutations: [applied('Object{data: {"param": params.metadata.name}}')],
      },
      { binding: { paramRef: { name: 'values', parameterNotFoundAction: 'Deny' } } },
    ),
    post(configMaps, configMap('a')),
    setup(del(`${core('secrets')}/values`)),
    post(configMaps, configMap('c'), { until: { code: 403 } }),
  ]),
  governed('a binding can restrict and exclude', [
    ...bound(
      {
        matchConstraints: {
          resourceRules: everything,
          excludeResourceRules: [{ ...about('', 'configmaps'), resourceNames: ['excluded'] }],
          namespaceSelector: inNamespace,
        },
        mutations: [applied('Object{data: {"changed": "yes"}}')],
      },
      {
        binding: {
          matchResources: {
            objectSelector: { matchExpressions: [{ key: 'skip', operator: 'DoesNotExist' }] },
          },
        },
      },
    ),
    post(configMaps, configMap('a')),
    post(configMaps, configMap('excluded')),
    post(configMaps, { metadata: { name: 'skipped', labels: { skip: 'x' } } }),
    del(`${configMaps}/a`),
  ]),
  governed('policies run again after a later change', [
    ...bound(
      {
        reinvocationPolicy: 'IfNeeded',
        mutations: [
          applied(
            'Object{metadata: Object.metadata{annotations: {"again": has(object.metadata.annotations) && "again" in object.metadata.annotations ? "twice" : "once"}}}',
          ),
        ],
      },
      { suffix: '-a' },
    ),
    ...bound(
      {
        mutations: [
          applied(
            'Object{metadata: Object.metadata{annotations: {"never": has(object.metadata.annotations) && "never" in object.metadata.annotations ? "twice" : "once"}}}',
          ),
        ],
      },
      { suffix: '-b' },
    ),
    post(configMaps, configMap('a')),
    setup(
      post(webhookConfigurations, {
        metadata: { name: '{ns}' },
        webhooks: [
          {
            name: 'once.example.com',
            clientConfig: { url: '{hook}/label-once', caBundle: '{caBundle}' },
            rules: [about('', 'configmaps')],
            namespaceSelector: inNamespace,
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
            reinvocationPolicy: 'IfNeeded',
          },
        ],
      }),
    ),
    setup(
      post(`${configMaps}?dryRun=All`, configMap('hooked'), {
        until: { path: 'metadata.labels.once' },
      }),
    ),
    { reviews: true },
    post(configMaps, configMap('b')),
    { reviews: true },
  ]),
  governed('custom resources are merged by their schema', [
    setup(
      post(
        definitions,
        crd([
          version(
            specSchema({
              size: { type: 'integer', default: 1 },
              names: {
                type: 'array',
                'x-kubernetes-list-type': 'set',
                items: { type: 'string' },
              },
              parts: {
                type: 'array',
                'x-kubernetes-list-type': 'map',
                'x-kubernetes-list-map-keys': ['id'],
                items: {
                  type: 'object',
                  required: ['id'],
                  properties: { id: { type: 'string' }, color: { type: 'string' } },
                },
              },
              plain: { type: 'array', items: { type: 'string' } },
            }),
          ),
        ]),
      ),
    ),
    setup(post(widgets, widget({}, { name: 'first' }), { until: { code: 201 } })),
    ...bound({
      matchConditions: [{ name: 'named', expression: 'has(object.metadata.name)' }],
      mutations: [
        applied(
          named(
            'a',
            'Object{spec: Object.spec{names: ["policy"], parts: [Object.spec.parts{id: "x", color: "red"}, Object.spec.parts{id: "y"}]}}',
          ),
        ),
        applied(named('plain', 'Object{spec: Object.spec{plain: ["x"]}}')),
        applied(named('unknown', 'Object{spec: Object.spec{unknown: "x"}}')),
        applied(named('number', 'Object{spec: Object.spec{size: 1.5}}')),
        patched(
          operationsOf(
            'patched',
            'JSONPatch{op: "add", path: "/spec", value: Object.spec{plain: ["x"], unknown: 1}}',
          ),
        ),
      ],
    }),
    post(
      widgets,
      widget({ spec: { names: ['own'], parts: [{ id: 'x', color: 'blue' }] } }, { name: 'a' }),
      { until: { code: 201 } },
    ),
    ...['plain', 'unknown', 'number', 'patched'].map((name) => post(widgets, widget({}, { name }))),
  ]),
  governed(
    'expressions that do not compile are refused',
    [
      { mutations: [applied('Object{')] },
      { mutations: [applied('"text"')] },
      { mutations: [applied('Object.spec{}')] },
      { mutations: [applied('Other{}')] },
      { mutations: [applied('object')] },
      { mutations: [applied('  Object{a: nothing}  ')] },
      { mutations: [applied('{"a": 1}')] },
      { mutations: [applied('')] },
      { mutations: [applied('params == null ? Object{} : Object{}')] },
      { mutations: [patched('Object{}')] },
      { mutations: [patched('[]')] },
      { mutations: [patched('[Object{}]')] },
      { mutations: [patched('JSONPatch{op: "add"}')] },
      { mutations: [patched('[JSONPatch{op: 1}]')] },
      { mutations: [patched('[JSONPatch{other: 1}]')] },
      { mutations: [patched('[JSONPatch{op: "add"}, 1]')] },
      { mutations: [patched('')] },
      { mutations: [patched('[JSONPatch{op: jsonpatch.escapeKey(1)}]')] },
      { mutations: [applied('Object{}')], variables: [{ name: 'o', expression: 'Object{}' }] },
      { mutations: [applied('variables.o')], variables: [{ name: 'o', expression: 'nothing' }] },
      {
        mutations: [applied('Object{}')],
        matchConditions: [{ name: 'c', expression: 'Object{} == Object{}' }],
      },
      { mutations: [{ patchType: 'JSONPatch', applyConfiguration: { expression: 'Object{}' } }] },
      { mutations: [] },
      { mutations: [applied('Object{}')], reinvocationPolicy: 'Sometimes' },
    ].map((spec) => post(policies, policy(spec as JsonObject))),
  ),
  governed('bindings are only about creates and updates', [
    post(bindings, {
      metadata: { name: '{ns}' },
      spec: {
        policyName: '{ns}',
        matchResources: { resourceRules: [{ ...about('', 'pods'), operations: ['DELETE'] }] },
      },
    }),
    post(policies, policy({ mutations: [applied('Object{}')] })),
    post(bindings, { metadata: { name: '{ns}' }, spec: { policyName: '{ns}' } }),
  ]),
  governed('a policy for another version of a built-in kind fails', [
    ...labelling('-a', 'v1'),
    post(autoscalers, autoscaler('first')),
    post(autoscalers.replace('/v2/', '/v1/'), autoscaler('second')),
  ]),
]
