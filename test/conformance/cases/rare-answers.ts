import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase, Request } from '../conformance-case.ts'
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
  strategic,
  watching,
} from '../requests.ts'
import { crd, open, version, widget, widgets, withWidgets } from './widgets.ts'

const configMaps = core('configmaps')
const services = core('services')
const jobs = grouped('batch/v1', 'jobs')
const leases = grouped('coordination.k8s.io/v1', 'leases')
const events = grouped('events.k8s.io/v1', 'events')
const roles = grouped('rbac.authorization.k8s.io/v1', 'roles')
const networkPolicies = grouped('networking.k8s.io/v1', 'networkpolicies')
const budgets = grouped('policy/v1', 'poddisruptionbudgets')
const revisions = grouped('apps/v1', 'controllerrevisions')
const deployments = grouped('apps/v1', 'deployments')
const daemonSets = grouped('apps/v1', 'daemonsets')
const namespace = '/api/v1/namespaces/{ns}-other'
const node = '/api/v1/nodes/a-{ns}'
const policy = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/a-{ns}'

const named = (metadata: JsonObject = {}, content: JsonObject = {}): JsonObject => ({
  metadata: { name: 'a', ...metadata },
  ...content,
})
const applied = (path: string, config: JsonObject): Request =>
  apply(`${path}?fieldManager=m`, config)
const table = { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } }
const job = named(
  {},
  {
    spec: {
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
    },
  },
)
const scaled = crd([
  version(open, {
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
  }),
])
const scale = (spec: JsonObject): JsonObject => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'w' },
  spec,
})
const claims = core('persistentvolumeclaims')
const claim = named(
  {},
  {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
)
const generation = (text: string): JsonObject => ({
  ...deployment('a'),
  metadata: { name: 'a', annotations: { 'deprecated.daemonset.template.generation': text } },
})
const oldEvent = (name: string, finalizers: string[]): JsonObject =>
  named({ name, finalizers }, { involvedObject: { namespace: '{ns}' } })
/** Unknown fields of the spec are pruned, although the schema of the object preserves them. */
const closed = {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
}
const clientOf = (url: string): JsonObject =>
  named({ name: 'a-{ns}' }, { webhooks: [{ name: '*', clientConfig: { url } }] })

/** Rare answers that random requests found, one case for each class of differences. */
export const rareAnswerCases: readonly ConformanceCase[] = [
  scenario('a job is stored without the labels that reads add', [
    post(`${jobs}?dryRun=All`, job),
    setup(post(jobs, job)),
    get(`${jobs}?labelSelector=job-name=a`, { show: ['items.0.metadata.labels'] }),
    merge(`${jobs}/a`, named()),
    merge(`${jobs}/a`, named()),
  ]),
  scenario('an empty list counts as a change of a network policy', [
    setup(post(networkPolicies, named())),
    put(`${networkPolicies}/a`, named({}, { spec: { podSelector: { matchExpressions: [] } } })),
    merge(`${networkPolicies}/a`, { spec: { ingress: [] } }),
    merge(`${networkPolicies}/a`, { spec: { podSelector: {} } }),
  ]),
  scenario('the revision of events that are not cached', [
    get(`${events}/a?resourceVersion=x`),
    get(`${events}/a?resourceVersion=99999999999999999999`),
    get(`${events}/a?resourceVersion=99999999`),
    del(`${events}/a?resourceVersion=x`),
  ]),
  scenario('a wrong continue token comes before a revision', [
    get(`${configMaps}?continue=x&resourceVersion=5`),
    get(`${configMaps}?continue=x&resourceVersion=y`),
  ]),
  scenario('managers with a version that cannot be read', [
    post(configMaps, {
      ...configMap('a'),
      metadata: {
        name: 'a',
        managedFields: [{ operation: 'Update', apiVersion: 'x/y/z', fieldsType: 'FieldsV1' }],
      },
    }),
  ]),
  scenario('a patch with another uid is refused by validation', [
    setup(post(budgets, named())),
    merge(`${budgets}/a/status`, { metadata: { uid: 'x', labels: { 'a b': 'c' } } }),
    merge(`${budgets}/a`, { metadata: { uid: 'x' } }),
    setup(post(configMaps, configMap('a'))),
    merge(`${configMaps}/a`, { metadata: { uid: 'x', labels: { 'a b': 'c' } } }),
  ]),
  scenario('the self link is shown until it is stored', [
    put(`${leases}/a`, named({ selfLink: '/a' })),
    put(`${leases}/b?dryRun=All`, named({ name: 'b', selfLink: '/a' })),
    put(`${leases}/a?dryRun=All`, named({ selfLink: '/a' })),
    setup(post(roles, named())),
    setup(del(`${roles}/a`, { propagationPolicy: 'Orphan' })),
    put(`${roles}/a`, named({ selfLink: '/a' })),
  ]),
  scenario('a dry run shows the revision of a new object', [
    post(`${configMaps}?dryRun=All`, named({ resourceVersion: '0' })),
    post(`${configMaps}?dryRun=All`, named({ resourceVersion: 'x' })),
    put(`${leases}/a?dryRun=All`, named({ resourceVersion: '0' })),
    apply(`${configMaps}/a?fieldManager=m&dryRun=All`, {
      ...configMap('a'),
      metadata: { name: 'a', resourceVersion: '0' },
    }),
    applied(`${configMaps}/a`, {
      ...configMap('a'),
      metadata: { name: 'a', resourceVersion: 'x' },
    }),
  ]),
  scenario(
    'nodes do not accept a dynamic configuration',
    [
      post('/api/v1/nodes', {
        metadata: { name: 'a-{ns}' },
        status: { config: { active: {} }, addresses: [{ type: '/', address: 'x' }] },
      }),
      merge(`${node}/status`, { status: { config: { active: {} } } }),
      get(`${node}/proxy`),
      post('/api/v1/nodes?dryRun=All', {
        metadata: { name: 'b-{ns}' },
        spec: { podCIDRs: ['a-b', ''] },
      }),
    ],
    { cleanup: [node] },
  ),
  scenario('the preconditions of the deletion of a namespace', [
    setup(post('/api/v1/namespaces', { metadata: { name: '{ns}-other' } })),
    del(namespace, { preconditions: { resourceVersion: '1' } }),
    del(namespace, { preconditions: { uid: 'x' } }),
    setup(put(`${namespace}/finalize`, { metadata: { name: '{ns}-other' } })),
    del(namespace),
    del(namespace),
  ]),
  scenario('the order of fields in the error of a patch', [
    setup(post(deployments, deployment('a'))),
    operations(`${deployments}/a`, [
      { op: 'move', path: '/metadata', from: '/spec/template/spec/containers/0/image' },
    ]),
    merge(`${deployments}/a`, {
      metadata: { name: [] },
      spec: { template: { spec: { containers: [{ name: 'c', image: 'i' }] } } },
    }),
    merge(`${deployments}/a/scale`, { spec: { template: {}, selector: {}, minReadySeconds: 2 } }),
    operations(`${deployments}/a/scale`, [{ op: 'add', path: '/kind', value: [] }]),
    strategic(`${deployments}/a`, {
      metadata: { name: 'a', $patch: 'replace' },
      spec: { template: { metadata: { labels: { app: 1000 } } } },
    }),
  ]),
  scenario('nulls of objects in lists are removed by a merge patch', [
    setup(post(core('limitranges'), named())),
    merge(`${core('limitranges')}/a`, {
      spec: { limits: [{ max: { cpu: null }, type: 'Container' }] },
    }),
  ]),
  scenario('patches without validation are not decoded first', [
    setup(post(configMaps, configMap('a'))),
    ...['{', '"x"', '[1]', 'null', ''].map((text) =>
      merge(`${configMaps}/a?fieldValidation=Ignore`, { text }),
    ),
    ...['{', '{}', '[1]', '[{"op":1}]'].map((text) =>
      operations(`${configMaps}/a?fieldValidation=Ignore`, { text }),
    ),
  ]),
  scenario('another namespace comes before another name', [
    setup(post(configMaps, configMap('a'))),
    merge(`${configMaps}/a`, { metadata: { name: null, namespace: 'default' } }),
    put(`${configMaps}/a`, named({ name: 'b', namespace: 'default' })),
  ]),
  scenario('paths with the verb of a proxy', [
    get('/api/v1/proxy/x', as('system:anonymous')),
    get('/api/v1/proxy/namespaces/a/pods/b/c', as('system:anonymous')),
    get('/api/v1/proxy/pods'),
    get('/api/v1/proxy'),
    get('/apis/apps/v1/watch'),
  ]),
  scenario('a policy and a service can be created at their status', [
    put(`${services}/a/status`, named({}, { spec: { ports: [{ port: 80 }] } })),
    applied(`${services}/b/status`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'b' },
      spec: { ports: [{ port: 80 }] },
    }),
    apply(`${policy}/status?fieldManager=m&dryRun=All`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'a-{ns}' },
      spec: { matchConstraints: {} },
    }),
  ]),
  scenario('data without a form keeps its nulls', [
    post(revisions, { text: '{"metadata":{"name":"a"},"data":{"a":null,"a":{}},"revision":1}' }),
    put(`${revisions}/a`, named({}, { data: { a: null, b: [{ c: null }] }, revision: 1 })),
  ]),
  scenario('names that cannot be part of a path are not looked up', [
    ...['a/b', '..', 'a%/'].map((runtimeClassName) =>
      post(core('pods'), named({}, { spec: { runtimeClassName } })),
    ),
    post(core('pods'), named({}, { spec: { serviceAccountName: 'a/b' } })),
  ]),
  scenario('a text of a named type is printed as JSON', [
    post(deployments, {
      ...deployment('a'),
      spec: {
        selector: { matchExpressions: [{ key: 'a', operator: '\u0000' }] },
        template: { spec: { containers: [], restartPolicy: '\u0000' } },
      },
    }),
  ]),
  scenario('the template generation of a daemon set does not change with its status', [
    setup(post(daemonSets, deployment('a'))),
    put(`${daemonSets}/a/status`, deployment('a')),
  ]),
  scenario('a table without rows, and one of an object without a revision', [
    get(roles, table),
    get(services, table),
    post(`${configMaps}?dryRun=All`, configMap('a'), table),
    get(events, {
      headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
    }),
  ]),
  scenario('ports that cannot be forwarded', [
    get(`${core('pods')}/a/portforward?ports=x`),
    get(`${core('pods')}/a/portforward?ports=1,70000`),
  ]),
  scenario('the finalizers of a deletion keep their order', [
    setup(post(configMaps, named({ finalizers: ['orphan', 'example.com/f'] }))),
    del(`${configMaps}/a`),
  ]),
  scenario('a watch with a wrong revision and a wrong media type', [
    watching(`${configMaps}?watch=1&resourceVersion=x`, [], {
      headers: { accept: 'application/yaml' },
    }),
  ]),
  scenario('addresses of webhooks and equal topologies', [
    post(
      '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All',
      clientOf('2020-01-01T00:00:00Z'),
    ),
    post('/apis/storage.k8s.io/v1/storageclasses?dryRun=All', {
      metadata: { name: 'a-{ns}' },
      provisioner: 'a',
      allowedTopologies: [{}, { matchLabelExpressions: [] }],
    }),
  ]),
  scenario('the time of an event cannot be removed', [
    setup(
      post(events, {
        action: 'Do',
        eventTime: '2026-01-01T00:00:00.000000Z',
        metadata: { name: 'a' },
        reason: 'Did',
        regarding: { namespace: '{ns}' },
        reportingController: 'example.com/c',
        reportingInstance: 'c-1',
        type: 'Normal',
      }),
    ),
    merge(`${events}/a`, { eventTime: null }),
  ]),
  scenario('a claim is stored without the phase that reads add', [
    post(`${claims}?dryRun=All`, claim),
    setup(post(claims, claim)),
    merge(`${claims}/a`, {}),
    merge(`${claims}/a`, {}),
  ]),
  scenario('a daemon set whose template generation is not a number', [
    post(daemonSets, generation('x')),
    setup(post(daemonSets, deployment('a'))),
    put(`${daemonSets}/a`, generation(' 7')),
    strategic(`${daemonSets}/a`, { metadata: generation('x')['metadata'] ?? {} }),
    merge(`${daemonSets}/a`, { metadata: generation('99999999999999999999')['metadata'] ?? {} }),
  ]),
  scenario('fractions in a strategic patch', [
    setup(post(configMaps, configMap('a'))),
    strategic(`${configMaps}/a`, { kind: 1e300 }),
    strategic(`${configMaps}/a`, { metadata: { labels: -1.5 } }),
    setup(post(networkPolicies, named())),
    strategic(`${networkPolicies}/a`, { spec: { ingress: [{ ports: [{ port: {} }] }] } }),
    strategic(`${configMaps}/a`, { data: { b: { c: null } } }),
  ]),
  scenario('events are deleted without finalizers for dependents', [
    setup(post(core('events'), oldEvent('a', ['foregroundDeletion']))),
    del(`${core('events')}/a`),
    setup(post(core('events'), oldEvent('b', ['orphan', 'example.com/f']))),
    del(`${core('events')}/b`),
  ]),
  scenario('the media type of a patch comes before the accepted ones', [
    { method: 'PATCH', path: `${configMaps}/a`, body: {}, headers: { accept: ',' } },
    { method: 'PATCH', path: `${deployments}/a/scale`, body: {}, headers: { accept: ',' } },
  ]),
  scenario('the managers of a resize and of ephemeral containers', [
    setup(post(core('pods'), pod('a'))),
    merge(`${core('pods')}/a/resize`, { metadata: { labels: { a: 'b' } } }),
    merge(`${core('pods')}/a/ephemeralcontainers`, { metadata: { labels: { a: 'b' } } }),
    del(`${core('pods')}/a`, { dryRun: ['All'] }),
    get(`${core('pods')}/b/log?tailLines=-1`),
  ]),
  scenario('services whose address cannot name them', [
    post(services, named({ name: '..' }, { spec: { ports: [{ port: 80 }] } })),
    post(services, named({ name: 'a/%' }, { spec: { ports: [{ port: 80 }] } })),
    post(services, { spec: { ports: [{ port: 80 }] } }),
    post(`${services}?dryRun=All`, named({ name: '/' }, { spec: { ports: [{ port: 80 }] } })),
  ]),
  scenario('a revision in a patch of an object that needs one', [
    setup(post(budgets, named())),
    merge(`${budgets}/a`, { metadata: { resourceVersion: null } }),
    merge(`${budgets}/a`, { metadata: { resourceVersion: '0' } }),
  ]),
  scenario('the replicas of a scale are converted after an apply', [
    setup(post(deployments, deployment('a'))),
    apply(`${deployments}/a/scale?fieldManager=m&force=true`, {
      ...scale({ replicas: 1.5 }),
      metadata: { name: 'a' },
    }),
    apply(`${deployments}/a/scale?fieldManager=m&force=true`, {
      ...scale({ replicas: 2147483648 }),
      metadata: { name: 'a' },
    }),
    get(`${deployments}/a/scale?resourceVersion=999999999`),
  ]),
  scenario('a patch replaces an object by a list', [
    setup(post(configMaps, configMap('a'))),
    operations(`${configMaps}/a`, [{ op: 'replace', path: '', value: [[]] }]),
  ]),
  scenario('the owner of existing fields that have no type', [
    setup(post(core('serviceaccounts'), named({}, { secrets: [{}] }))),
    applied(`${core('serviceaccounts')}/a`, { apiVersion: 'v1', kind: 'ServiceAccount' }),
  ]),
  withWidgets('the fields of a custom resource of another version', crd([version(closed)]), [
    post(`${widgets}?fieldValidation=Strict`, { kind: 'Widget', metadata: { name: 'w', foo: 1 } }),
    post(widgets, { kind: 'Widget', apiVersion: 'a/b', metadata: { name: 'w', foo: 1 } }),
    post(widgets, { kind: 'Widget', metadata: [] }),
    put(`${widgets}/w`, { ...widget({ foo: 1 }), kind: 'Foo' }),
    setup(post(widgets, widget({ spec: {} }))),
    applied(`${widgets}/w`, widget({ spec: { d: null } })),
  ]),
  withWidgets('the scale of a custom resource without replicas', scaled, [
    setup(post(widgets, widget())),
    operations(`${widgets}/w/scale`, [{ op: 'add', path: '/kind', value: [] }]),
    operations(`${widgets}/w/scale`, [{ op: 'add', path: '/apiVersion', value: '' }]),
    merge(`${widgets}/w/scale`, { metadata: {} }),
    applied(`${widgets}/w/scale`, scale({ replicas: 'x' })),
    operations(`${widgets}/w/scale`, [{ op: 'remove', path: '/spec/replicas' }]),
    put(`${widgets}/w/scale`, { spec: { replicas: 'x' } }),
    put(`${widgets}/w/scale`, { kind: 'Foo', apiVersion: 'v1' }),
    put(`${widgets}/w/scale`, { text: 'x' }),
    get(`${widgets}/w/scale/x`),
    { method: 'HEAD', path: `${widgets}/w/status/x` },
    applied(`${widgets}/x`, widget({ spec: null }, { name: 'x' })),
    merge(`${widgets}/w/status`, { status: { selector: 1 } }),
  ]),
  withWidgets('a custom resource of another kind', scaled, [
    post(widgets, { ...widget(), kind: 'Foo' }),
    put(`${widgets}/w`, { ...widget(), kind: 'Foo' }),
    setup(post(widgets, widget())),
    put(`${widgets}/w`, { ...widget(), kind: 'Foo' }),
    put(`${widgets}/w/status`, { ...widget({}, { resourceVersion: '1' }), kind: 'Foo' }),
    merge(`${widgets}/w`, { kind: 'Foo', metadata: { labels: { 'a b': 'c' } } }),
    merge(`${widgets}/w`, { apiVersion: false }),
    merge(`${widgets}/w`, { kind: 1 }),
    merge(`${widgets}/w`, { apiVersion: null, metadata: [] }),
    operations(`${widgets}/w`, [{ op: 'add', path: '/apiVersion', value: null }]),
    operations(`${widgets}/w`, [{ op: 'add', path: '/metadata/name', value: { b: 1, a: {} } }]),
  ]),
]
