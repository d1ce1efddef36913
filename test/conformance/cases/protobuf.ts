import type { ConformanceCase } from '../conformance-case.ts'
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
  watching,
} from '../requests.ts'
import { crd, open, version, widget, widgets, withWidgets } from './widgets.ts'

const protobuf = 'application/vnd.kubernetes.protobuf'
const inProtobuf = { headers: { accept: protobuf } }
const shaped = (kind: string, v = 'v1', type = protobuf): { headers: { accept: string } } => ({
  headers: { accept: `${type};as=${kind};g=meta.k8s.io;v=${v}` },
})
const configMaps = core('configmaps')
const deployments = grouped('apps/v1', 'deployments')
const one = setup(post(configMaps, configMap('a', { b: '2', a: '1' })))
const now = setup(get(configMaps, { capture: { rv: 'metadata.resourceVersion' } }))
const aggregated = `${protobuf};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`
const state =
  'watch=1&timeoutSeconds=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan'

/** Accept headers that are told apart by order, quality and parameters. */
const accepts = [
  `${protobuf},application/json`,
  `application/json,${protobuf}`,
  `application/json;q=0.5,${protobuf};q=0.6`,
  `${protobuf};q=0.1,*/*`,
  `*/*;q=1,${protobuf};q=0.1`,
  `${protobuf};q=0,application/json;q=0`,
  `${protobuf};stream=watch`,
  `${protobuf};stream=nonsense`,
  `${protobuf};pretty=1`,
  `${protobuf};charset=utf-8`,
  `${protobuf};v=v1`,
  `${protobuf};g=meta.k8s.io`,
  `${protobuf};sv=v1`,
  `${protobuf};sv=v2`,
  `${protobuf};as=Table;g=meta.k8s.io;v=v1`,
  `${protobuf};as=Table;g=meta.k8s.io;v=v1,application/json`,
  `${protobuf};as=Table;g=meta.k8s.io;v=v1,application/json;as=Table;g=meta.k8s.io;v=v1`,
  `${protobuf};as=Nonsense;g=meta.k8s.io;v=v1,application/yaml`,
  'application/*,application/yaml',
  'application/yaml;stream=watch,application/json',
  'application/json;as="Table";g=meta.k8s.io;v=v1,application/yaml',
  'application/JSON',
  'application/json;q=x,application/yaml;q=0.1',
]
const shownParts = ['kind', 'apiVersion', 'code', 'message', 'reason']
const withOpenWidgets = (name: string, steps: ConformanceCase['steps']): ConformanceCase =>
  withWidgets(name, crd([version(open, { subresources: { status: {} } })]), [
    setup(post(widgets, widget({ spec: { a: 1 } }))),
    ...steps,
  ])

/**
 * Answers in protobuf. They are compared as values, with the zero values that protobuf spells out.
 */
export const protobufCases: readonly ConformanceCase[] = [
  scenario('an object is read, listed and written in protobuf', [
    post(configMaps, configMap('a', { b: '2', a: '1' }), inProtobuf),
    get(`${configMaps}/a`, inProtobuf),
    get(configMaps, inProtobuf),
    put(`${configMaps}/a`, configMap('a', { c: '3' }), inProtobuf),
    merge(`${configMaps}/a`, { data: { d: '4' } }, inProtobuf),
    apply(
      `${configMaps}/b?fieldManager=m`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } },
      inProtobuf,
    ),
    del(`${configMaps}/a`, undefined, inProtobuf),
    del(configMaps, undefined, inProtobuf),
  ]),
  scenario('a list is read in pages of protobuf', [
    setup(post(configMaps, configMap('a'))),
    setup(post(configMaps, configMap('b'))),
    get(`${configMaps}?limit=1`, inProtobuf),
    get(`${configMaps}?labelSelector=none`, inProtobuf),
  ]),
  scenario('a pod and a deployment are written out in protobuf', [
    post(core('pods'), pod('a'), inProtobuf),
    post(deployments, deployment('a'), inProtobuf),
    get(`${deployments}/a/scale`, inProtobuf),
    put(`${deployments}/a/scale`, { metadata: { name: 'a' }, spec: { replicas: 3 } }, inProtobuf),
    get(`${deployments}/a/status`, inProtobuf),
  ]),
  scenario('secrets, services and jobs are written out in protobuf', [
    post(core('secrets'), { metadata: { name: 'a' }, data: { a: 'AAEC/w==', b: '' } }, inProtobuf),
    post(
      core('services'),
      { metadata: { name: 'a' }, spec: { ports: [{ port: 80, targetPort: 'web' }] } },
      inProtobuf,
    ),
    post(
      grouped('batch/v1', 'jobs'),
      {
        metadata: { name: 'a' },
        spec: {
          template: {
            spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] },
          },
        },
      },
      inProtobuf,
    ),
    post(
      grouped('coordination.k8s.io/v1', 'leases'),
      { metadata: { name: 'a' }, spec: { renewTime: '2020-01-02T03:04:05.678901Z' } },
      inProtobuf,
    ),
  ]),
  scenario('refusals are protobuf', [
    one,
    get(`${configMaps}/none`, inProtobuf),
    get(`${configMaps}?limit=x`, inProtobuf),
    get(`${configMaps}?watch=1&timeoutSeconds=x`, inProtobuf),
    get('/apis/apps/v1/nonsense', inProtobuf),
    get('/apis/apps/v1/deployments/nonsense', inProtobuf),
    post(configMaps, configMap('a'), inProtobuf),
    post(configMaps, { metadata: { name: 'A' } }, inProtobuf),
    post(configMaps, { data: { a: 1 } }, inProtobuf),
    put(`${configMaps}/a`, { metadata: { name: 'a', resourceVersion: '1' } }, inProtobuf),
    get('/version', inProtobuf),
    get(configMaps, { headers: { ...as('jane').headers, accept: protobuf } }),
    get(configMaps, { headers: { ...as('jane').headers, accept: 'application/yaml' } }),
    get('/nonsense', inProtobuf),
  ]),
  scenario('refusals are JSON where a shape was asked for in protobuf', [
    get(`${configMaps}/none`, shaped('PartialObjectMetadata')),
    get(`${configMaps}/none`, shaped('Table', 'v1', 'application/yaml')),
    get(configMaps, shaped('PartialObjectMetadata')),
    get(`${configMaps}/none`, {
      headers: { accept: `${shaped('PartialObjectMetadata').headers.accept},${protobuf}` },
    }),
  ]),
  scenario('accepted types are told apart alike when protobuf is among them', [
    one,
    ...accepts.flatMap((accept) => [
      get(`${configMaps}/a`, { headers: { accept }, show: shownParts }),
      get(configMaps, { headers: { accept }, show: shownParts }),
      get(`${configMaps}/none`, { headers: { accept }, show: shownParts }),
    ]),
  ]),
  scenario('the metadata of objects is protobuf', [
    one,
    get(`${configMaps}/a`, shaped('PartialObjectMetadata')),
    get(`${configMaps}/a`, shaped('PartialObjectMetadata', 'v1beta1')),
    get(configMaps, shaped('PartialObjectMetadataList')),
    get(configMaps, shaped('PartialObjectMetadataList', 'v1beta1')),
    get(`${configMaps}/a`, shaped('PartialObjectMetadataList')),
  ]),
  scenario('discovery is protobuf', [
    get('/api', inProtobuf),
    get('/apis/apps', inProtobuf),
    get('/apis/apps/v1', inProtobuf),
    get('/apis', { ...inProtobuf, show: ['kind', 'apiVersion', 'groups.0', 'groups.1'] }),
    get('/api', { headers: { accept: aggregated } }),
    get('/apis', { headers: { accept: aggregated }, show: ['kind', 'apiVersion', 'items.1'] }),
    get('/api', {
      headers: { accept: `application/json,${aggregated}` },
      show: ['kind', 'apiVersion'],
    }),
    get('/apis', { headers: { accept: `${aggregated}beta1` }, show: shownParts }),
  ]),
  scenario('reviews are protobuf', [
    post(
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } },
      inProtobuf,
    ),
  ]),
  scenario('a watch in protobuf has the events of one in JSON', [
    one,
    now,
    watching(
      `${configMaps}?watch=1&resourceVersion={rv}`,
      [
        post(configMaps, configMap('b')),
        merge(`${configMaps}/b`, { data: { x: 'y' } }),
        del(`${configMaps}/b`),
      ],
      { events: 3, ...inProtobuf },
    ),
  ]),
  scenario('a watch in protobuf begins with the state and a bookmark', [
    one,
    watching(`${configMaps}?${state}`, [], inProtobuf),
    watching(`${configMaps}?${state}`, [], shaped('PartialObjectMetadata')),
    watching(`${configMaps}?${state}`, [], shaped('PartialObjectMetadata', 'v1beta1')),
    watching(`${deployments}?${state}`, [], inProtobuf),
    watching(`${configMaps}?watch=1&timeoutSeconds=1`, [], {
      headers: { accept: `${protobuf};stream=watch` },
    }),
  ]),
  scenario('a watch in protobuf tells of objects that leave the selection', [
    now,
    watching(
      `${configMaps}?watch=1&resourceVersion={rv}&labelSelector=in%3Dyes`,
      [
        post(configMaps, { metadata: { name: 'b', labels: { in: 'yes' } } }),
        merge(`${configMaps}/b`, { metadata: { labels: { in: 'no' } } }),
      ],
      { events: 2, ...inProtobuf },
    ),
  ]),
  scenario('a watch of lists or tables is refused or ends at its first event', [
    one,
    watching(`${configMaps}?${state}`, [], shaped('PartialObjectMetadataList')),
    watching(
      `${configMaps}?${state}`,
      [],
      shaped('PartialObjectMetadataList', 'v1', 'application/json'),
    ),
    watching(`${configMaps}?${state}`, [], shaped('Table')),
  ]),
  scenario('a watch in protobuf of the state of the future ends with an error', [
    watching(`${configMaps}?${state}&resourceVersion=999999999`, [], inProtobuf),
    watching(
      `${configMaps}?${state}&resourceVersion=999999999`,
      [],
      shaped('PartialObjectMetadata'),
    ),
  ]),
  withOpenWidgets('custom resources are never protobuf, only what is said about them', [
    get(`${widgets}/w`, inProtobuf),
    get(`${widgets}/w`, { headers: { accept: `${protobuf},application/json` } }),
    get(`${widgets}/none`, inProtobuf),
    get(`${widgets}/none`, { headers: { accept: `${protobuf},application/json` } }),
    get(`${widgets}/w/status`, inProtobuf),
    get(widgets, { headers: { accept: `${protobuf},application/json` } }),
    post(widgets, {}, { headers: { accept: `${protobuf},application/json` } }),
    get(`${widgets}/w`, shaped('PartialObjectMetadata')),
    get(widgets, shaped('PartialObjectMetadataList')),
    get(widgets, shaped('Table')),
    get('/apis/{ns}.example.com/v1', inProtobuf),
    get('/apis/{ns}.example.com', inProtobuf),
    del(`${widgets}/w`, undefined, { headers: { accept: `${protobuf},application/json` } }),
  ]),
  withOpenWidgets('a watch of custom resources is protobuf only for their metadata', [
    watching(`${widgets}?${state}`, [], inProtobuf),
    watching(`${widgets}?${state}`, [], { headers: { accept: `${protobuf},application/json` } }),
    watching(`${widgets}?${state}`, [], shaped('PartialObjectMetadata')),
    watching(`${widgets}?watch=1&resourceVersion=1`, [], {
      events: 1,
      ...shaped('PartialObjectMetadata'),
    }),
  ]),
]
