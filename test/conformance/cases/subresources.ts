import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase } from '../conformance-case.ts'
import {
  apply,
  as,
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
  strategic,
} from '../requests.ts'
import { crd, open, specSchema, version, widget, widgets, withWidgets } from './widgets.ts'

const pods = core('pods')
const deployments = grouped('apps/v1', 'deployments')
const replicaSets = grouped('apps/v1', 'replicasets')
const statefulSets = grouped('apps/v1', 'statefulsets')
const controllers = core('replicationcontrollers')
const accounts = core('serviceaccounts')
const budgets = grouped('policy/v1', 'poddisruptionbudgets')
const labelled = (name: string): JsonObject => ({
  ...pod(name),
  metadata: { name, labels: { app: 'x' } },
})
const running = setup(post(pods, labelled('p')))
const scaled = (replicas: number): JsonObject => ({ metadata: { name: 'd' }, spec: { replicas } })
const eviction = (extra: JsonObject = {}): JsonObject => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name: 'p' },
  ...extra,
})
const binding = (extra: JsonObject = {}): JsonObject => ({
  metadata: { name: 'p' },
  target: { kind: 'Node', name: 'n' },
  ...extra,
})
const budget = (spec: JsonObject): JsonObject => ({
  metadata: { name: 'b' },
  spec: { selector: { matchLabels: { app: 'x' } }, ...spec },
})
const reviews = '/apis/authorization.k8s.io/v1'
const identities = '/apis/authentication.k8s.io/v1'
// Their order is that of a Go map.
const rules = ['kind', 'metadata', 'spec', 'status.incomplete', 'status.resourceRules.1.verbs']
const scaling = {
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.n',
      statusReplicasPath: '.status.n',
      labelSelectorPath: '.status.s',
    },
  },
}
const scalable = version(
  {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { n: { type: 'integer' }, m: { type: 'integer' } } },
      status: { type: 'object', properties: { n: { type: 'integer' }, s: { type: 'string' } } },
    },
  },
  scaling,
)

/** Subresources and reviews. */
export const subresourceCases: readonly ConformanceCase[] = [
  scenario('an invalid binding is refused', [
    running,
    post(`${pods}/p/binding`, { metadata: { name: 'p' } }),
    post(`${pods}/p/binding`, binding({ target: { kind: 'Pod', name: 'n' } })),
    post(`${pods}/p/binding`, binding({ target: {} })),
    post(`${pods}/p/binding`, binding({ metadata: { name: 'q' } })),
    post(`${pods}/p/binding`, binding({ metadata: { name: 'p', namespace: 'elsewhere' } })),
    post(`${pods}/p/binding`, binding({ metadata: {} })),
    post(`${pods}/p/binding`, binding({ kind: 'Pod', apiVersion: 'v1' })),
    post(`${pods}/p/binding`, binding({ nope: 1 })),
    post(`${pods}/p/binding?fieldValidation=Strict`, binding({ nope: 1 })),
    post(`${pods}/p/binding`, { text: '{' }),
    post(`${pods}/none/binding`, binding({ metadata: { name: 'none' } })),
    post(`${pods}/p/binding?dryRun=All`, binding()),
    post(
      `${pods}/p/binding`,
      binding({ metadata: { name: 'p', uid: '00000000-0000-0000-0000-000000000001' } }),
    ),
  ]),
  scenario('a binding copies annotations and labels to its pod', [
    running,
    post(
      `${pods}/p/binding`,
      binding({ metadata: { name: 'p', annotations: { a: 'b' }, labels: { c: 'd' } } }),
    ),
    get(`${pods}/p`),
    post(`${pods}/p/binding`, binding()),
  ]),
  scenario('bindings have a collection of their own', [
    running,
    post(core('bindings'), binding()),
    get(`${pods}/p`, { show: ['spec.nodeName', 'status.conditions'] }),
    post(core('bindings'), binding({ metadata: { name: 'none' } })),
    post(core('bindings'), binding({ metadata: {} })),
    get(core('bindings')),
  ]),
  scenario('an invalid eviction is refused', [
    running,
    post(`${pods}/p/eviction`, eviction({ metadata: { name: 'q' } })),
    post(`${pods}/p/eviction`, eviction({ metadata: {} })),
    post(`${pods}/p/eviction`, eviction({ metadata: { name: 'p', namespace: 'elsewhere' } })),
    post(`${pods}/p/eviction`, { metadata: { name: 'p' }, kind: 'Pod', apiVersion: 'v1' }),
    post(`${pods}/p/eviction`, eviction({ deleteOptions: { propagationPolicy: 'Nonsense' } })),
    post(
      `${pods}/p/eviction`,
      eviction({
        deleteOptions: { preconditions: { uid: '00000000-0000-0000-0000-000000000001' } },
      }),
    ),
    post(
      `${pods}/p/eviction`,
      eviction({ deleteOptions: { preconditions: { resourceVersion: '1' } } }),
    ),
    post(`${pods}/p/eviction`, eviction({ deleteOptions: { dryRun: ['All'] } })),
    post(`${pods}/p/eviction?dryRun=All`, eviction()),
    post(`${pods}/none/eviction`, eviction({ metadata: { name: 'none' } })),
    get(`${pods}/p`, { show: ['kind'] }),
    post(`${pods}/p/eviction`, { ...eviction(), apiVersion: 'policy/v1beta1' }),
    get(`${pods}/p`, { show: ['kind'] }),
  ]),
  scenario('a budget refuses evictions', [
    running,
    setup(post(budgets, budget({ minAvailable: 1 }))),
    setup(
      merge(`${pods}/p/status`, {
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
      }),
    ),
    post(`${pods}/p/eviction`, eviction()),
    setup(
      merge(`${budgets}/b/status`, {
        status: {
          observedGeneration: 1,
          disruptionsAllowed: 0,
          currentHealthy: 1,
          desiredHealthy: 1,
          expectedPods: 1,
        },
      }),
    ),
    post(`${pods}/p/eviction`, eviction(), { showHeaders: ['retry-after'] }),
    setup(merge(`${budgets}/b/status`, { status: { disruptionsAllowed: 1 } })),
    post(`${pods}/p/eviction?dryRun=All`, eviction()),
    post(`${pods}/p/eviction`, eviction()),
    get(`${budgets}/b`),
    get(`${pods}/p`, { show: ['kind'] }),
  ]),
  scenario('an evicted pod gets the condition DisruptionTarget', [
    setup(
      post(pods, {
        ...labelled('p'),
        spec: { nodeName: 'n', containers: [{ name: 'main', image: 'nginx' }] },
      }),
    ),
    post(`${pods}/p/eviction`, eviction({ deleteOptions: { gracePeriodSeconds: 7 } })),
    get(`${pods}/p`),
    post(`${pods}/p/eviction`, eviction()),
    get(`${pods}/p`, { show: ['metadata.deletionGracePeriodSeconds'] }),
  ]),
  scenario('a budget does not protect pods that never ran', [
    running,
    setup(post(budgets, budget({ minAvailable: 1 }))),
    setup(
      merge(`${budgets}/b/status`, {
        status: {
          observedGeneration: 1,
          disruptionsAllowed: 0,
          currentHealthy: 0,
          desiredHealthy: 1,
          expectedPods: 1,
        },
      }),
    ),
    post(`${pods}/p/eviction`, eviction()),
  ]),
  scenario('two budgets for one pod are too many', [
    running,
    setup(merge(`${pods}/p/status`, { status: { phase: 'Running' } })),
    setup(post(budgets, budget({ minAvailable: 1 }))),
    setup(post(budgets, { metadata: { name: 'c' }, spec: { maxUnavailable: 0, selector: {} } })),
    post(`${pods}/p/eviction`, eviction()),
  ]),
  scenario('ephemeral containers are added only by their subresource', [
    running,
    merge(`${pods}/p`, { spec: { ephemeralContainers: [{ name: 'd', image: 'i' }] } }),
    strategic(`${pods}/p/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: 'd', image: 'i', targetContainerName: 'main' }] },
    }),
    strategic(
      `${pods}/p/ephemeralcontainers`,
      { spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] } },
      { show: ['code', 'message', 'spec.ephemeralContainers'] },
    ),
    merge(`${pods}/p/ephemeralcontainers`, { spec: { ephemeralContainers: [] } }),
    strategic(`${pods}/p/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: 'main', image: 'i' }] },
    }),
    strategic(`${pods}/p/ephemeralcontainers`, {
      spec: {
        ephemeralContainers: [
          {
            name: 'f',
            image: 'i',
            ports: [{ containerPort: 80 }],
            resources: { limits: { cpu: '1' } },
          },
        ],
      },
    }),
    get(`${pods}/p/ephemeralcontainers`, { show: ['kind', 'spec.ephemeralContainers'] }),
    post(pods, pod('q', { ephemeralContainers: [{ name: 'd', image: 'i' }] })),
  ]),
  scenario('a pod is resized by its subresource', [
    setup(
      post(
        pods,
        pod('p', {
          containers: [
            {
              name: 'main',
              image: 'nginx',
              resources: { requests: { cpu: '100m' }, limits: { cpu: '200m', memory: '1Gi' } },
            },
          ],
        }),
      ),
    ),
    merge(
      `${pods}/p`,
      {
        spec: {
          containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '50m' } } }],
        },
      },
      { show: ['code', 'reason'] },
    ),
    strategic(`${pods}/p/resize`, {
      spec: { containers: [{ name: 'main', resources: { requests: { cpu: '150m' } } }] },
    }),
    strategic(
      `${pods}/p/resize`,
      { spec: { containers: [{ name: 'main', resources: { requests: { cpu: '300m' } } }] } },
      { show: ['code', 'message'] },
    ),
    strategic(
      `${pods}/p/resize`,
      { spec: { containers: [{ name: 'main', image: 'other' }] } },
      { show: ['code', 'message', 'spec.containers.0.image'] },
    ),
    strategic(
      `${pods}/p/resize`,
      { metadata: { labels: { a: 'b' } } },
      { show: ['code', 'message', 'metadata.labels'] },
    ),
    get(`${pods}/p/resize`, { show: ['kind', 'metadata.generation'] }),
  ]),
  ...(
    [
      ['deployment', deployments, deployment('d')],
      ['replica set', replicaSets, deployment('d')],
      [
        'stateful set',
        statefulSets,
        {
          ...deployment('d'),
          spec: { ...(deployment('d')['spec'] as JsonObject), serviceName: 's' },
        },
      ],
      [
        'replication controller',
        controllers,
        {
          metadata: { name: 'd' },
          spec: {
            selector: { app: 'd' },
            template: {
              metadata: { labels: { app: 'd' } },
              spec: { containers: [{ name: 'c', image: 'i' }] },
            },
          },
        },
      ],
    ] satisfies [string, string, JsonObject][]
  ).map(([name, path, body]) =>
    scenario(`the scale of a ${name} is read and written`, [
      setup(post(path, body)),
      get(`${path}/d/scale`),
      put(`${path}/d/scale`, scaled(3)),
      put(`${path}/d/scale`, scaled(-1)),
      put(`${path}/d/scale`, { metadata: { name: 'e' }, spec: { replicas: 1 } }),
      put(`${path}/d/scale`, { spec: { replicas: 1 } }),
      put(`${path}/d/scale`, {
        metadata: { name: 'd', resourceVersion: '1' },
        spec: { replicas: 1 },
      }),
      put(`${path}/d/scale`, {
        metadata: { name: 'd', uid: '00000000-0000-0000-0000-000000000001' },
        spec: { replicas: 1 },
      }),
      put(`${path}/d/scale`, {
        metadata: { name: 'd', namespace: 'elsewhere' },
        spec: { replicas: 1 },
      }),
      put(`${path}/d/scale`, {
        kind: 'Deployment',
        apiVersion: 'apps/v1',
        metadata: { name: 'd' },
      }),
      put(`${path}/d/scale`, { metadata: { name: 'd' }, spec: { replicas: 'x' } }),
      put(`${path}/d/scale?fieldValidation=Strict`, { ...scaled(4), nope: 1 }),
      put(`${path}/d/scale?dryRun=All`, scaled(9)),
      merge(`${path}/d/scale`, { spec: { replicas: null } }),
      operations(`${path}/d/scale`, [{ op: 'replace', path: '/spec/replicas', value: 2 }]),
      operations(`${path}/d/scale`, [{ op: 'add', path: '/spec/replicas', value: 2 }]),
      strategic(`${path}/d/scale`, { spec: { replicas: 5 } }),
      merge(`${path}/d/scale`, { metadata: { labels: { a: 'b' } }, status: { replicas: 9 } }),
      merge(`${path}/d/scale`, { kind: 'Nonsense' }),
      get(`${path}/none/scale`),
      put(`${path}/none/scale`, { metadata: { name: 'none' }, spec: { replicas: 1 } }),
      del(`${path}/d/scale`),
      get(`${path}/d`, {
        show: ['spec.replicas', 'metadata.generation', 'metadata.managedFields'],
      }),
      get(`${path}/d/scale`, {
        headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
      }),
    ]),
  ),
  withWidgets('the scale of a custom resource needs its fields', crd([scalable]), [
    setup(post(widgets, widget({ spec: {} }))),
    get(`${widgets}/w/scale`),
    put(`${widgets}/w/scale`, { metadata: { name: 'w' }, spec: { replicas: 2 } }),
    merge(`${widgets}/w/scale`, { spec: { replicas: 2 } }),
    setup(merge(`${widgets}/w`, { spec: { n: 1 } })),
    get(`${widgets}/w/scale`),
    put(`${widgets}/w/scale`, { metadata: { name: 'w' }, spec: { replicas: 2 } }),
    put(`${widgets}/w/scale`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'w' },
      spec: { replicas: 2 },
    }),
    put(`${widgets}/w/scale`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'w', namespace: '{ns}' },
      spec: { replicas: -2 },
    }),
    setup(merge(`${widgets}/w/status`, { status: { n: 1, s: 'app=x' } })),
    get(`${widgets}/w/scale`),
    merge(`${widgets}/w/scale`, { spec: { replicas: 0 } }),
    merge(`${widgets}/w/scale`, { metadata: { resourceVersion: '1' }, spec: { replicas: 7 } }),
    operations(`${widgets}/w/scale`, [{ op: 'replace', path: '/spec/replicas', value: 7 }]),
    strategic(`${widgets}/w/scale`, { spec: { replicas: 8 } }),
    get(`${widgets}/w`),
    get(`${widgets}/none/scale`),
    setup(merge(`${widgets}/w/status`, { status: { s: 'not a selector((' } })),
    get(`${widgets}/w/scale`),
  ]),
  withWidgets('the status of a custom resource has its own rules', crd([scalable]), [
    post(widgets, widget({ spec: { n: 1 }, status: { n: 5 } })),
    put(`${widgets}/w/status`, widget({ status: { n: 5 } })),
    merge(`${widgets}/w/status`, { status: { n: 5 } }),
    merge(`${widgets}/w/status`, { status: { n: 'x' } }),
    merge(`${widgets}/w/status`, {
      spec: { n: 9 },
      metadata: { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['example.com/x'] },
    }),
    merge(`${widgets}/w/status`, { metadata: { name: 'other' } }),
    merge(`${widgets}/w`, { status: { n: 7 }, spec: { n: 2 } }),
    operations(`${widgets}/w/status`, [{ op: 'remove', path: '/status' }]),
    get(`${widgets}/w/status`),
    del(`${widgets}/w/status`),
    post(`${widgets}/w/status`, widget()),
    get(`${widgets}/none/status`),
    merge(`${widgets}/none/status`, { status: {} }),
  ]),
  withWidgets(
    'without a status subresource the status is a field',
    crd([
      version({
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { n: { type: 'integer' } } },
          status: { type: 'object', properties: { n: { type: 'integer' } } },
          other: { type: 'string' },
        },
      }),
    ]),
    [
      post(widgets, widget({ status: { n: 5 } })),
      merge(`${widgets}/w`, { status: { n: 6 } }),
      merge(`${widgets}/w`, { other: 'x' }),
      merge(`${widgets}/w`, { metadata: { annotations: { a: 'b' } } }),
      merge(`${widgets}/w/status`, { status: { n: 7 } }, { isRaw: true }),
    ],
  ),
  scenario('the finalizers of a namespace are written by their subresource', [
    setup(post('/api/v1/namespaces', { metadata: { name: '{ns}-f' } })),
    put('/api/v1/namespaces/{ns}-f/finalize', {
      metadata: { name: '{ns}-f' },
      spec: { finalizers: ['kubernetes', 'example.com/x'] },
    }),
    put('/api/v1/namespaces/{ns}-f/finalize', {
      metadata: { name: '{ns}-f' },
      spec: { finalizers: ['nonsense'] },
    }),
    put('/api/v1/namespaces/{ns}-f', {
      metadata: { name: '{ns}-f', labels: { a: 'b' } },
      spec: { finalizers: [] },
    }),
    put('/api/v1/namespaces/{ns}-f/status', {
      metadata: { name: '{ns}-f' },
      status: { phase: 'Terminating' },
    }),
    put('/api/v1/namespaces/{ns}-f/status', {
      metadata: { name: '{ns}-f' },
      status: { phase: 'Nonsense' },
    }),
    put('/api/v1/namespaces/{ns}-f/finalize', { metadata: { name: 'other' } }),
    get('/api/v1/namespaces/{ns}-f/finalize'),
    del('/api/v1/namespaces/{ns}-f', { propagationPolicy: 'Foreground' }),
    merge('/api/v1/namespaces/{ns}-f', { metadata: { labels: { c: 'd' } } }),
    put('/api/v1/namespaces/{ns}-f/finalize', {
      metadata: { name: '{ns}-f' },
      spec: { finalizers: [] },
    }),
    get('/api/v1/namespaces/{ns}-f'),
  ]),
  scenario('tokens are requested', [
    post(
      `${accounts}/default/token`,
      {},
      { show: ['kind', 'apiVersion', 'metadata', 'spec', 'code', 'message'] },
    ),
    post(
      `${accounts}/default/token`,
      { spec: { audiences: ['a', 'b'], expirationSeconds: 7200 } },
      { show: ['kind', 'metadata', 'spec'] },
    ),
    post(`${accounts}/default/token`, { spec: { expirationSeconds: 599 } }),
    post(`${accounts}/default/token`, { spec: { expirationSeconds: 4294967297 } }),
    post(`${accounts}/default/token`, { metadata: { name: 'other' }, spec: {} }),
    post(`${accounts}/default/token`, {
      metadata: { name: 'default', namespace: 'elsewhere' },
      spec: {},
    }),
    post(`${accounts}/default/token`, {
      spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'none' } },
    }),
    post(`${accounts}/default/token`, {
      spec: { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'none' } },
    }),
    post(`${accounts}/default/token`, {
      spec: { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'none' } },
    }),
    setup(post(pods, pod('p'))),
    post(
      `${accounts}/default/token`,
      { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } } },
      { show: ['kind', 'metadata', 'spec', 'code', 'message'] },
    ),
    post(`${accounts}/default/token`, {
      spec: {
        boundObjectRef: {
          kind: 'Pod',
          apiVersion: 'v1',
          name: 'p',
          uid: '00000000-0000-0000-0000-000000000001',
        },
      },
    }),
    post(`${accounts}/default/token`, { kind: 'Pod', apiVersion: 'v1' }),
    post(`${accounts}/default/token`, { spec: { nope: 1 } }, { show: ['kind', 'code', 'message'] }),
    post(
      `${accounts}/default/token?dryRun=All`,
      { spec: {} },
      { show: ['kind', 'code', 'message', 'metadata'] },
    ),
    get(`${accounts}/default/token`),
  ]),
  scenario('invalid access reviews are refused', [
    post(`${reviews}/selfsubjectaccessreviews`, {}),
    post(`${reviews}/selfsubjectaccessreviews`, {
      spec: { resourceAttributes: { verb: 'get' }, nonResourceAttributes: { path: '/' } },
    }),
    post(`${reviews}/selfsubjectaccessreviews`, {
      metadata: { name: 'x' },
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    }),
    post(`${reviews}/selfsubjectaccessreviews`, {
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
      status: { allowed: false },
    }),
    post(`${reviews}/selfsubjectaccessreviews?dryRun=All`, {
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    }),
    post(`${reviews}/subjectaccessreviews`, {
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    }),
    post(`${reviews}/subjectaccessreviews`, {
      spec: {
        user: 'x',
        groups: ['system:masters'],
        extra: { a: ['b'] },
        uid: 'u',
        resourceAttributes: { verb: 'get', resource: 'pods' },
      },
    }),
    post(`${reviews}/subjectaccessreviews`, {
      spec: { groups: ['system:masters'], nonResourceAttributes: { verb: 'get', path: '/x' } },
    }),
    post(`${reviews}/subjectaccessreviews`, {
      spec: { user: 'x', nonResourceAttributes: { verb: 'get', path: '/healthz' } },
    }),
    post(`${reviews}/subjectaccessreviews`, {
      spec: {
        user: 'system:serviceaccount:{ns}:default',
        resourceAttributes: {
          verb: 'list',
          resource: 'pods',
          namespace: '{ns}',
          labelSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
        },
      },
    }),
    post(`${reviews}/subjectaccessreviews`, {
      spec: {
        user: 'x',
        resourceAttributes: {
          verb: 'list',
          resource: 'pods',
          fieldSelector: { rawSelector: 'a=b', requirements: [{ key: 'a' }] },
        },
      },
    }),
    post(grouped('authorization.k8s.io/v1', 'localsubjectaccessreviews'), {
      spec: { user: 'x', resourceAttributes: { verb: 'get', resource: 'pods' } },
    }),
    post(grouped('authorization.k8s.io/v1', 'localsubjectaccessreviews'), {
      spec: {
        user: 'x',
        resourceAttributes: { namespace: 'elsewhere', verb: 'get', resource: 'pods' },
      },
    }),
    post(grouped('authorization.k8s.io/v1', 'localsubjectaccessreviews'), {
      spec: { user: 'x', nonResourceAttributes: { path: '/', verb: 'get' } },
    }),
    post(grouped('authorization.k8s.io/v1', 'localsubjectaccessreviews'), {
      metadata: { namespace: 'elsewhere' },
      spec: {},
    }),
  ]),
  scenario('rules reviews list the rights of the user', [
    post(
      `${reviews}/selfsubjectrulesreviews`,
      { spec: { namespace: '{ns}' } },
      { ...as('jane'), show: rules },
    ),
    post(`${reviews}/selfsubjectrulesreviews`, { spec: { namespace: '{ns}' } }, { show: rules }),
    post(`${reviews}/selfsubjectrulesreviews`, {}),
    post(
      `${reviews}/selfsubjectrulesreviews`,
      { spec: { namespace: '{ns}' } },
      as('system:anonymous'),
    ),
  ]),
  scenario('token reviews return the user of a token', [
    post(`${identities}/tokenreviews`, {}),
    post(`${identities}/tokenreviews`, { spec: { token: 'nonsense' } }),
    post(`${identities}/tokenreviews`, { spec: { token: 'viewer-token' } }),
    post(`${identities}/tokenreviews`, { spec: { token: 'viewer-token', audiences: ['x'] } }),
    post(`${identities}/tokenreviews`, { metadata: { name: 'x' }, spec: { token: 'nonsense' } }),
    setup(post(`${accounts}/default/token`, { spec: {} }, { capture: { token: 'status.token' } })),
    post(`${identities}/tokenreviews`, { spec: { token: '{token}', audiences: ['x'] } }),
    post(
      `${identities}/tokenreviews`,
      { spec: { token: '{token}' } },
      {
        show: [
          'metadata',
          'status.authenticated',
          'status.user.username',
          'status.user.groups',
          'status.audiences',
        ],
      },
    ),
    post(`${identities}/selfsubjectreviews`, {}),
    post(`${identities}/selfsubjectreviews`, { metadata: { name: 'x' } }),
    post(`${identities}/selfsubjectreviews?dryRun=All`, {}),
    post(`${identities}/selfsubjectreviews`, {}, as('system:anonymous')),
    get(`${identities}/selfsubjectreviews`),
  ]),
  withWidgets('subresources of custom resources are applied', crd([version(open, scaling)]), [
    setup(apply(`${widgets}/w?fieldManager=one`, widget({ spec: { n: 1 } }))),
    apply(`${widgets}/w/scale?fieldManager=two`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'w', namespace: '{ns}' },
      spec: { replicas: 1 },
    }),
    apply(`${widgets}/w/scale?fieldManager=two`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'w' },
      spec: { replicas: 2 },
    }),
    apply(`${widgets}/w/status?fieldManager=two`, widget({ status: { n: 1 } })),
    get(`${widgets}/w`),
  ]),
  withWidgets(
    'a custom resource with fields of its spec only',
    crd([version(specSchema({ n: { type: 'integer' } }))]),
    [
      get(`${widgets}/w/log`, { isRaw: true }),
      get(`${widgets}/w/scale`, { isRaw: true }),
      setup(post(widgets, widget())),
      get(`${widgets}/w/scale`, { isRaw: true }),
      get(`${widgets}/w/nonsense`, { isRaw: true }),
    ],
  ),
]
