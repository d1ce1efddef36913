import type { ConformanceCase } from '../conformance-case.ts'
import {
  configMap,
  core,
  deployment,
  get,
  grouped,
  pod,
  post,
  scenario,
  setup,
} from '../requests.ts'

const configMaps = core('configmaps')
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' }
const partial = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' }
const partials = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' }
const one = setup(post(configMaps, configMap('a')))
const two = setup(
  post(configMaps, { metadata: { name: 'b', labels: { app: 'x' } }, data: { k: 'w', l: 'x' } }),
)

/** Gets and lists. */
export const readCases: readonly ConformanceCase[] = [
  scenario('an object that does not exist is 404 with its name and resource', [
    get(`${configMaps}/absent`),
  ]),
  scenario('a created object is read back as it was answered', [
    post(configMaps, configMap('a')),
    get(`${configMaps}/a`),
  ]),
  scenario('a list has the kind and version of its items and leaves them out of the items', [
    one,
    two,
    get(configMaps),
  ]),
  scenario('an empty list has an empty array of items', [get(configMaps)]),
  scenario('a list over all namespaces can be narrowed by namespace', [
    one,
    get('/api/v1/configmaps?fieldSelector=metadata.namespace={ns}'),
  ]),
  scenario('pretty output is requested by a parameter', [
    one,
    get(`${configMaps}/a?pretty=true`, { isRaw: true }),
  ]),
  scenario('pretty=1 means true', [one, get(`${configMaps}?pretty=1`, { isRaw: true })]),
  scenario('a browser gets pretty answers', [
    get(`${configMaps}/absent`, { isRaw: true, headers: { 'user-agent': 'Mozilla/5.0' } }),
  ]),
  scenario('curl gets pretty answers', [
    get(`${configMaps}/absent`, { isRaw: true, headers: { 'user-agent': 'curl/8.0' } }),
  ]),
  scenario('pretty=false is not pretty even for curl', [
    get(`${configMaps}/absent?pretty=false`, {
      isRaw: true,
      headers: { 'user-agent': 'curl/8.0' },
    }),
  ]),
  scenario('an object is served as YAML', [
    one,
    get(`${configMaps}/a`, { headers: { accept: 'application/yaml' } }),
  ]),
  scenario('a list is served as YAML', [
    setup(post(configMaps, configMap('a', { text: 'a\nb\n', number: '1', yes: 'yes', empty: '' }))),
    get(configMaps, { headers: { accept: 'application/yaml' } }),
  ]),
  scenario('an error is served as YAML when YAML is asked for', [
    get(`${configMaps}/absent`, { headers: { accept: 'application/yaml' } }),
  ]),
  scenario('an object is served as protobuf when that is asked for', [
    one,
    get(`${configMaps}/a`, {
      show: [],
      headers: { accept: 'application/vnd.kubernetes.protobuf' },
    }),
  ]),
  scenario('the first acceptable type is used', [
    one,
    get(`${configMaps}/a`, { headers: { accept: 'text/html, application/json' } }),
  ]),
  scenario('a wildcard type is JSON', [
    one,
    get(`${configMaps}/a`, { headers: { accept: '*/*' } }),
  ]),
  scenario('application/* is 406', [
    one,
    get(`${configMaps}/a`, { headers: { accept: 'application/*' } }),
  ]),
  scenario('an unsupported media type is 406', [
    one,
    get(`${configMaps}/a`, { headers: { accept: 'text/html' } }),
  ]),
  scenario('quality values order the types', [
    one,
    get(`${configMaps}/a`, {
      headers: { accept: 'application/json;q=0.5, application/yaml;q=0.9' },
    }),
  ]),
  scenario('an object is served as a table', [one, get(`${configMaps}/a`, { headers: table })]),
  scenario('a list is served as a table', [one, two, get(configMaps, { headers: table })]),
  scenario('an empty list is served as a table', [get(configMaps, { headers: table })]),
  scenario('a table can include whole objects', [
    one,
    get(`${configMaps}?includeObject=Object`, { headers: table }),
  ]),
  scenario('a table can include no objects', [
    one,
    get(`${configMaps}?includeObject=None`, { headers: table }),
  ]),
  scenario('an unknown includeObject parameter is refused', [
    one,
    get(`${configMaps}?includeObject=Nonsense`, { headers: table }),
  ]),
  scenario('a table of a version that is not served falls back to JSON', [
    one,
    get(`${configMaps}/a`, {
      headers: { accept: 'application/json;as=Table;v=v9;g=meta.k8s.io,application/json' },
    }),
  ]),
  scenario('a table of a version that is not served is 406 without a fallback', [
    one,
    get(`${configMaps}/a`, { headers: { accept: 'application/json;as=Table;v=v9;g=meta.k8s.io' } }),
  ]),
  scenario('a table is served in v1beta1', [
    one,
    get(`${configMaps}/a`, {
      headers: { accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io' },
    }),
  ]),
  scenario('an error is not a table', [get(`${configMaps}/absent`, { headers: table })]),
  scenario('pods are served as a table', [
    setup(post(core('pods'), pod('p'))),
    get(core('pods'), { headers: table }),
  ]),
  scenario('deployments are served as a table', [
    setup(post(grouped('apps/v1', 'deployments'), deployment('d', { replicas: 3 }))),
    get(grouped('apps/v1', 'deployments'), { headers: table }),
  ]),
  scenario('services are served as a table', [
    setup(post(core('services'), { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } })),
    get(core('services'), { headers: table }),
  ]),
  scenario('secrets are served as a table', [
    setup(post(core('secrets'), { metadata: { name: 's' }, stringData: { a: 'b' } })),
    get(core('secrets'), { headers: table }),
  ]),
  scenario('a table can be YAML', [
    one,
    get(configMaps, { headers: { accept: 'application/yaml;as=Table;v=v1;g=meta.k8s.io' } }),
  ]),
  scenario('only the metadata of an object is served', [
    one,
    get(`${configMaps}/a`, { headers: partial }),
  ]),
  scenario('only the metadata of a list is served', [
    one,
    two,
    get(configMaps, { headers: partials }),
  ]),
  scenario('a list cannot be served as the metadata of one object', [
    one,
    get(configMaps, { headers: partial }),
  ]),
  scenario('an object cannot be served as a list of metadata', [
    one,
    get(`${configMaps}/a`, { headers: partials }),
  ]),
  scenario('a long list is compressed when the client accepts it', [
    setup(post(configMaps, configMap('big', { k: 'x'.repeat(200_000) }))),
    get(configMaps, {
      headers: { 'accept-encoding': 'gzip' },
      showHeaders: ['content-encoding', 'vary'],
      show: ['kind', 'items.0.metadata.name'],
    }),
  ]),
  scenario('a short list is not compressed', [
    one,
    get(configMaps, {
      headers: { 'accept-encoding': 'gzip' },
      showHeaders: ['content-encoding', 'vary'],
    }),
  ]),
  scenario('answers must not be cached', [
    one,
    get(`${configMaps}/a`, { showHeaders: ['cache-control', 'x-content-type-options', 'pragma'] }),
  ]),
  scenario('HEAD answers like GET without a body', [
    one,
    { method: 'HEAD', path: `${configMaps}/a` },
    { method: 'HEAD', path: `${configMaps}/absent` },
  ]),
  scenario('a get may ask for any revision with 0', [
    one,
    get(`${configMaps}/a?resourceVersion=0`, { until: { code: 200 } }),
  ]),
  scenario('a get with a revision that is not a number is refused', [
    one,
    get(`${configMaps}/a?resourceVersion=abc`),
  ]),
  scenario('an unknown query parameter is ignored', [one, get(`${configMaps}/a?what=ever`)]),
]
