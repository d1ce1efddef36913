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
  strategic,
  watching,
} from '../requests.ts'
import { crd, specSchema, version, widget, widgets, withWidgets } from './widgets.ts'

const configMaps = core('configmaps')
const secrets = core('secrets')
const jobs = grouped('batch/v1', 'jobs')
const job = {
  template: {
    metadata: { labels: { a: 'b' } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
  },
}
const templates = core('podtemplates')
const slices = grouped('discovery.k8s.io/v1', 'endpointslices')
const events = grouped('events.k8s.io/v1', 'events')
const event = {
  action: 'Do',
  eventTime: '2026-01-01T00:00:00.000000Z',
  metadata: { name: 'a' },
  reason: 'Did',
  regarding: { namespace: '{ns}' },
  reportingController: 'example.com/c',
  reportingInstance: 'c-1',
  type: 'Normal',
}
const webhooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All'
const listed = specSchema({
  list: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['a'],
    items: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
  },
})
const withStatus = {
  type: 'object',
  properties: { status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
}

/** Differences that random requests found, each with a small script. */
export const randomRequestCases: readonly ConformanceCase[] = [
  scenario('an empty map is a change of an immutable object', [
    setup(post(configMaps, { metadata: { name: 'a' }, immutable: true })),
    put(`${configMaps}/a`, { metadata: { name: 'a' }, immutable: true, data: {} }),
    put(`${configMaps}/a`, { metadata: { name: 'a' }, immutable: true, binaryData: {} }),
    merge(`${configMaps}/a`, { data: {} }),
    put(`${configMaps}/a`, { metadata: { name: 'a' }, immutable: true }),
    setup(post(secrets, { metadata: { name: 'a' }, immutable: true })),
    put(`${secrets}/a`, { metadata: { name: 'a' }, immutable: true, data: {} }),
    put(`${secrets}/a`, { metadata: { name: 'a' }, immutable: true, stringData: {} }),
  ]),
  scenario('the order of fields that operations copy, move and test', [
    setup(
      post(core('pods'), {
        metadata: { name: 'a' },
        spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] },
      }),
    ),
    operations(`${core('pods')}/a`, [
      { op: 'copy', from: '/spec/containers/0', path: '/spec/containers/0/x' },
      { op: 'add', path: '/spec/containers/0/name', value: 1 },
    ]),
    operations(`${core('pods')}/a`, [
      { op: 'copy', from: '/spec/containers/0', path: '/spec/x' },
      { op: 'add', path: '/spec/hostNetwork', value: 1 },
    ]),
    operations(`${core('pods')}/a`, [
      { op: 'add', path: '/spec/containers/0/name', value: 1 },
      { op: 'copy', from: '/spec/containers/0', path: '/spec/x' },
      { op: 'move', from: '/spec/containers', path: '/spec/y' },
    ]),
    operations(`${core('pods')}/a`, [
      {
        op: 'test',
        path: '/spec/containers/0/ports',
        value: [{ protocol: 'TCP', containerPort: 80 }],
      },
      { op: 'add', path: '/spec/hostNetwork', value: 1 },
    ]),
  ]),
  scenario('names of resources and limits with control characters', [
    post(core('limitranges'), {
      metadata: { name: 'a' },
      spec: { limits: [{ type: '\u0000', max: { '\u0000': '1' } }] },
    }),
    post(core('resourcequotas'), {
      metadata: { name: 'a' },
      spec: { hard: { '\u0000': '1' } },
    }),
    post(core('pods'), {
      metadata: { name: 'a' },
      spec: {
        containers: [{ name: 'c', image: 'i', resources: { limits: { '\u0000': '1' } } }],
      },
    }),
  ]),
  scenario('a job without the newer labels whose selector becomes generated', [
    setup(
      post(jobs, {
        metadata: { name: 'a' },
        spec: { ...job, manualSelector: true, selector: { matchLabels: { a: 'b' } } },
      }),
    ),
    merge(`${jobs}/a`, { spec: { manualSelector: null } }),
    merge(`${jobs}/a`, {
      spec: { manualSelector: null, selector: { matchLabels: { a: 'c' } } },
    }),
  ]),
  withWidgets(
    'a custom object of another kind is still checked for unique items',
    crd([version(listed)]),
    [
      post(widgets, { ...widget(), kind: 'Other', spec: { list: ['b'] } }),
      post(widgets, { ...widget(), kind: 'Other', spec: { list: [{ a: 'b' }, { a: 'b' }] } }),
      setup(post(widgets, widget())),
      put(`${widgets}/w`, { ...widget(), kind: 'Other', spec: { list: [{ a: 'b' }, { a: 'b' }] } }),
    ],
  ),
  withWidgets(
    'a status that is null',
    crd([version(withStatus, { subresources: { status: {} } })]),
    [
      setup(post(widgets, widget())),
      merge(`${widgets}/w/status`, { status: 1e300 }),
      apply(`${widgets}/w/status?fieldManager=m`, { ...widget(), status: null }),
      merge(`${widgets}/w/status`, { status: { a: 1 } }),
      apply(`${widgets}/w/status?fieldManager=m`, { ...widget(), status: null }),
      merge(`${widgets}/w/status`, { status: null }),
      merge(`${widgets}/w/status`, { status: 1 }),
      merge(`${widgets}/w/status`, { status: 1e300 }),
    ],
  ),
  scenario('a service that is created by its status', [
    put(`${core('services')}/a/status`, { metadata: { name: 'a' }, spec: { clusterIP: 'None' } }),
    put(`${core('services')}/a/status`, {
      metadata: { name: 'a' },
      spec: { clusterIP: '10.96.1.1', ports: [{ port: 80 }] },
    }),
    put(`${core('services')}/a/status`, {
      metadata: { name: 'a' },
      spec: { ports: [{ port: 80 }] },
    }),
  ]),
  scenario('an update of an object that is being deleted cannot change when', [
    setup(post(configMaps, { metadata: { name: 'a', finalizers: ['example.com/f'] } })),
    del(`${configMaps}/a`),
    put(`${configMaps}/a`, {
      metadata: {
        name: 'a',
        finalizers: ['example.com/f'],
        deletionTimestamp: '2020-01-01T00:00:00Z',
      },
    }),
  ]),
  scenario('empty metadata of a template in a refusal', [
    setup(post(jobs, { metadata: { name: 'a' }, spec: job })),
    put(`${jobs}/a`, {
      metadata: { name: 'a' },
      spec: {
        template: {
          metadata: { managedFields: [], ownerReferences: [], labels: {} },
          spec: { restartPolicy: 'Never', containers: [] },
        },
      },
    }),
  ]),
  scenario('an update that ends a deletion shows the lists that were sent', [
    setup(post(slices, { metadata: { name: 'a' }, addressType: 'IPv4', endpoints: [] })),
    setup(del(`${slices}/a`, { orphanDependents: true })),
    put(`${slices}/a`, { metadata: { name: 'a' }, addressType: 'IPv4', endpoints: [] }),
  ]),
  scenario('an event whose generated name exists', [
    setup(post(events, event)),
    post(events, { ...event, metadata: { name: 'a', generateName: 'b-' } }),
    post(events, event),
  ]),
  withWidgets(
    'numbers that are not integers in the fields of the scale',
    crd([
      version(specSchema({ replicas: { type: 'integer' } }), {
        subresources: {
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      }),
    ]),
    [
      post(widgets, { ...widget(), spec: 1e300 }),
      post(widgets, { ...widget(), spec: { text: 1 } }),
    ],
  ),
  withWidgets(
    'an applied field without a schema is stored until the next update',
    crd([
      version({
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: {
          spec: { type: 'object', properties: { replicas: { type: 'integer' } } },
        },
      }),
    ]),
    [
      apply(`${widgets}/w?fieldManager=m`, { ...widget(), spec: { c: 1 } }),
      get(`${widgets}/w`),
      merge(`${widgets}/w`, {}),
      merge(`${widgets}/w`, {}),
      apply(`${widgets}/w?fieldManager=m`, { ...widget(), spec: { c: 1, replicas: 1 } }),
      watching(`${widgets}?watch=1&timeoutSeconds=1&resourceVersion=0`, []),
      merge(`${widgets}/w`, {}),
      del(`${widgets}/w`),
    ],
  ),
  scenario('addresses of webhooks that cannot be parsed', [
    ...['::1', '101%', 'a:b', 'https://a b', 'http://a', 'https://u@h/p?q#f', '\u0000'].map((url) =>
      post(webhooks, {
        metadata: { name: 'a-{ns}' },
        webhooks: [
          {
            name: 'a.example.com',
            clientConfig: { url },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      }),
    ),
  ]),
  scenario('the options of a watch in the deletion of a collection', [
    del(`${configMaps}?resourceVersionMatch=NotOlderThan&watch=`, {}),
    del(`${configMaps}?resourceVersionMatch=NotOlderThan&watch=0`, {}),
    del(`${configMaps}?sendInitialEvents=true&watch=true`, {}),
    del(`${configMaps}?watch=1`, {}),
  ]),
  scenario('empty fields that ephemeral containers must not have', [
    ...[{ lifecycle: {} }, { ports: [] }, { resources: {} }, { readinessProbe: {} }].map((fields) =>
      post(jobs, {
        metadata: { name: 'a' },
        spec: {
          template: {
            spec: {
              ...job.template.spec,
              ephemeralContainers: [{ name: 'e', image: 'i', ...fields }],
            },
          },
        },
      }),
    ),
  ]),
  scenario('a patch that leaves another kind without a version', [
    setup(post(templates, { metadata: { name: 'a' }, template: job.template })),
    ...['PodTemplate', 'Pod', 'v1', ''].map((kind) =>
      operations(`${templates}/a`, [
        { op: 'remove', path: '/apiVersion' },
        { op: 'replace', path: '/kind', value: kind },
      ]),
    ),
  ]),
  scenario('a strategic patch that replaces an object keeps its nulls', [
    setup(post(core('services'), { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } })),
    strategic(`${core('services')}/a`, {
      spec: { ports: [{ port: 80 }], selector: [{ name: null }] },
      $patch: 'replace',
    }),
    setup(post(configMaps, { metadata: { name: 'a' }, data: { b: 'c' } })),
    strategic(`${configMaps}/a`, {
      metadata: { name: 'a', labels: { a: null, b: 'c' } },
      data: { a: null },
      $patch: 'replace',
    }),
  ]),
]
