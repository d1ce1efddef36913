import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase, Request, Step } from '../conformance-case.ts'
import { wrongConversions } from '../conversion-hooks.ts'
import {
  apply,
  del,
  get,
  merge,
  operations,
  post,
  put,
  scenario,
  setup,
  watching,
} from '../requests.ts'
import { crd, definition, definitions, specSchema, version, widget, widgets } from './widgets.ts'

const second = widgets.replace('/v1/', '/v2/')
const registration = '/apis/admissionregistration.k8s.io/v1'
const text = { type: 'string' }
const status = { type: 'object', properties: { phase: text, replicas: { type: 'integer' } } }
const subresources = {
  status: {},
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
}
const schemaOf = (properties: JsonObject): JsonObject => {
  const schema = specSchema({ ...properties, replicas: { type: 'integer' } })
  return { ...schema, properties: { ...(schema['properties'] as JsonObject), status } }
}
const column = (name: string, type = 'string'): JsonObject => ({
  name,
  type,
  jsonPath: `.spec.${name}`,
})
const first = version(schemaOf({ host: text, port: { type: 'integer', default: 80 } }), {
  subresources,
  additionalPrinterColumns: [column('host'), column('port', 'integer')],
  selectableFields: [{ jsonPath: '.spec.host' }],
})
const later = version(schemaOf({ address: text, note: text, mode: { ...text, default: 'fast' } }), {
  name: 'v2',
  storage: false,
  subresources,
  additionalPrinterColumns: [column('address')],
  selectableFields: [{ jsonPath: '.spec.address' }],
})

const conversion = (path: string, reviews: readonly string[] = ['v1']): JsonObject => ({
  strategy: 'Webhook',
  webhook: {
    clientConfig: { url: `{hook}${path}`, caBundle: '{caBundle}' },
    conversionReviewVersions: [...reviews],
  },
})

const v1 = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => widget({ spec }, metadata)
const v2 = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  ...v1(spec, metadata),
  apiVersion: '{ns}.example.com/v2',
})
const w = `${widgets}/w`
const w2 = `${second}/w`
const table = {
  headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' },
}

/** A case about widgets with two versions. */
function twoVersions(
  name: string,
  steps: readonly Step[],
  spec: JsonObject = { conversion: conversion('/convert') },
): ConformanceCase {
  const served = setup(get(widgets, { until: { code: 200 } }))
  const created = setup(post(definitions, crd([first, later], spec)))
  return scenario(name, [created, served, ...steps], { cleanup: [definition] })
}

/** Makes v2 the stored version; a real server observes it a moment later. */
const storeSecond: readonly Request[] = [
  setup(
    merge(definition, {
      spec: {
        versions: [
          { ...first, storage: false },
          { ...later, storage: true },
        ],
      },
    }),
  ),
]

/** A webhook about v2. */
function registered(kind: 'mutating' | 'validating', path: string): [string, JsonObject] {
  const rule = {
    operations: ['CREATE', 'UPDATE'],
    apiGroups: ['{ns}.example.com'],
    apiVersions: ['v2'],
    resources: ['widgets'],
  }
  const webhook = {
    name: `${kind}.example.com`,
    clientConfig: { url: `{hook}${path}`, caBundle: '{caBundle}' },
    rules: [rule],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  }
  return [
    `${registration}/${kind}webhookconfigurations`,
    { metadata: { name: '{ns}' }, webhooks: [webhook] },
  ]
}

const created = setup(post(widgets, v1({ host: 'a', port: 1 })))

/** Conversion between versions of definitions. */
export const conversionCases: readonly ConformanceCase[] = [
  twoVersions('an object is read in another version', [
    created,
    get(w2),
    get(w),
    get(second),
    get(second, table),
    get(w2, table),
    get(w2, {
      headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
    }),
  ]),
  twoVersions('an object is written in another version', [
    post(second, v2({ address: 'b:2', note: 'kept' })),
    get(w),
    get(w2),
    merge(w2, { spec: { note: 'changed' } }),
    get(w),
    operations(w2, [{ op: 'replace', path: '/spec/address', value: 'c:3' }]),
    get(w),
    merge(w, { spec: { port: 4 } }),
    get(w2),
  ]),
  twoVersions('a dry run converts too', [
    post(`${second}?dryRun=All`, v2({ address: 'b:2', note: 'kept' })),
    get(w),
    created,
    merge(`${w2}?dryRun=All`, { spec: { note: 'n' } }),
    get(w),
  ]),
  twoVersions('a whole object is replaced in another version', [
    setup(post(widgets, v1({ host: 'a' }), { capture: { rv: 'metadata.resourceVersion' } })),
    put(w2, v2({ address: 'z:9' }, { resourceVersion: '{rv}' }), {
      capture: { rv: 'metadata.resourceVersion' },
    }),
    put(w2, v2({ address: 'z:9' }, { resourceVersion: '{rv}' })),
    put(w, v1({ host: 'old' }, { resourceVersion: '1' })),
    get(w),
  ]),
  twoVersions('status and scale are written in another version', [
    created,
    merge(`${w2}/status`, { status: { phase: 'Up', replicas: 2 }, spec: { note: 'ignored' } }),
    merge(`${w2}/scale`, { spec: { replicas: 3 } }),
    get(`${w2}/scale`),
    get(`${w}/scale`),
    get(w),
  ]),
  twoVersions('objects are deleted in another version', [
    created,
    setup(post(widgets, v1({ host: 'b' }, { name: 'x', finalizers: ['example.com/hold'] }))),
    setup(post(widgets, v1({ host: 'c' }, { name: 'y' }))),
    del(w2),
    del(`${second}/x`),
    get(`${widgets}/x`),
    merge(`${second}/x`, { metadata: { finalizers: null } }),
    del(second),
    get(widgets),
  ]),
  twoVersions('fields of another version are selected', [
    created,
    setup(post(widgets, v1({ host: 'b' }, { name: 'x' }))),
    get(`${second}?fieldSelector=spec.address=a:1`),
    get(`${second}?fieldSelector=spec.host=a`),
    get(`${widgets}?fieldSelector=spec.host!=a`),
    get(`${second}?limit=1`, { capture: { next: 'metadata.continue' } }),
    get(`${second}?limit=1&continue={next}`),
  ]),
  twoVersions('a watch gets events in its version', [
    created,
    watching(
      `${second}?watch=1`,
      [
        setup(merge(w, { spec: { port: 2 } })),
        setup(merge(w2, { spec: { note: 'n' } })),
        setup(post(widgets, v1({ host: 'b' }, { name: 'x' }))),
        setup(del(w)),
      ],
      { events: 5 },
    ),
    watching(
      `${second}?watch=1&fieldSelector=spec.address=b:80`,
      [setup(merge(`${widgets}/x`, { spec: { port: 3 } }))],
      { events: 2 },
    ),
  ]),
  twoVersions('two managers apply in different versions', [
    apply(`${w}?fieldManager=one`, v1({ host: 'a', port: 1 })),
    apply(`${w2}?fieldManager=two`, v2({ note: 'n' })),
    apply(`${w2}?fieldManager=two`, v2({ address: 'b:2', note: 'n' })),
    apply(`${w2}?fieldManager=two&force=true`, v2({ address: 'b:2', note: 'n' })),
    apply(`${w}?fieldManager=one`, v1({ host: 'a', port: 1 })),
    apply(`${w2}?fieldManager=two`, v2({ address: 'b:2' })),
    merge(`${w2}?fieldManager=three`, { spec: { address: 'c:3' } }),
    get(w),
  ]),
  twoVersions('an object that cannot be converted', [
    setup(post(widgets, v1({ host: 'a' }, { name: 'broken' }))),
    created,
    get(`${second}/broken`),
    get(w2),
    get(second),
    merge(`${second}/broken`, { spec: { note: 'n' } }),
    del(`${second}/broken`),
    post(second, v2({ address: 'a:1' }, { name: 'broken' })),
    get(`${widgets}/broken`),
    del(`${widgets}/broken`),
  ]),
  ...[...wrongConversions, '/status-500', '/not-json', '/empty', '/array', '/no-such-path'].map(
    (path) =>
      twoVersions(
        `a wrong conversion: ${path}`,
        [
          post(second, v2({ address: 'a:1', note: 'n' }, { labels: { given: 'yes' } })),
          setup(post(widgets, v1({ host: 'a' }, { name: 'x' }))),
          get(`${second}/x`),
          merge(`${second}/x`, { spec: { note: 'n' } }),
          get(`${widgets}/x`),
        ],
        { conversion: conversion(path) },
      ),
  ),
  scenario(
    'webhooks get the object in the version of their rule',
    [
      setup(post(definitions, crd([first, later], { conversion: conversion('/convert') }))),
      setup(get(widgets, { until: { code: 200 } })),
      setup(post(...registered('mutating', '/label-once'))),
      setup(
        post(`${widgets}?dryRun=All`, v1({ host: 'a' }, { name: 'probe' }), {
          until: { path: 'metadata.labels.once', value: 'yes' },
        }),
      ),
      setup(post(...registered('validating', '/deny-message'))),
      post(`${widgets}?dryRun=All`, v1({ host: 'a' }, { name: 'probe' }), { until: { code: 400 } }),
      setup(del(`${registration}/validatingwebhookconfigurations/{ns}`)),
      setup(
        post(`${widgets}?dryRun=All`, v1({ host: 'a' }, { name: 'probe' }), {
          until: { code: 201 },
        }),
      ),
      post(widgets, v1({ host: 'a', port: 1 })),
      merge(w, { spec: { port: 2 } }),
      get(w2),
      del(w),
    ],
    { cleanup: [`${registration}/mutatingwebhookconfigurations/{ns}`, definition] },
  ),
  twoVersions('review versions', [post(second, v2({ address: 'a:1' })), get(w)], {
    conversion: conversion('/convert', ['v1beta1', 'v1']),
  }),
  twoVersions(
    'the old review version is not checked for its kind and uid',
    [post(second, v2({ address: 'a:1' })), get(w)],
    { conversion: conversion('/convert-uid', ['v1beta1']) },
  ),
  twoVersions('the stored version changes', [
    created,
    setup(post(widgets, v1({ host: 'old' }, { name: 'x' }))),
    ...storeSecond,
    get(definition, { show: ['status.storedVersions', 'spec.conversion.strategy'] }),
    setup(post(widgets, v1({ host: 'b', port: 2 }, { name: 'y' }))),
    get(second),
    get(widgets),
    merge(w2, {}),
    merge(w2, {}),
    get(w),
    merge(
      `${definition}/status`,
      { status: { storedVersions: ['v2'] } },
      {
        show: ['status.storedVersions', 'message'],
      },
    ),
  ]),
  twoVersions(
    'without a webhook only the fields of both versions are kept',
    [
      post(widgets, v1({ host: 'a', port: 1, replicas: 2 })),
      get(w2),
      merge(w2, { spec: { note: 'n', replicas: 3 } }),
      get(w),
      get(w2),
      post(second, v2({ address: 'a', replicas: 1 }, { name: 'x' })),
      get(`${widgets}/x`),
      get(`${second}/x`),
    ],
    {},
  ),
  twoVersions(
    'without a webhook a change of the stored version keeps fields until the next write',
    [
      post(widgets, v1({ host: 'a', port: 1, replicas: 2 })),
      ...storeSecond,
      setup(
        post(`${second}?dryRun=All`, v2({ address: 'a' }, { name: 'probe' }), {
          until: { path: 'spec.address', value: 'a' },
        }),
      ),
      post(second, v2({ address: 'a' }, { name: 'x' })),
      get(w),
      get(w2),
      merge(w2, {}),
      merge(w2, {}),
      get(w),
    ],
    {},
  ),
]
