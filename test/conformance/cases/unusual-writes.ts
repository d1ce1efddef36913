import type { ConformanceCase } from '../conformance-case.ts'
import {
  apply,
  core,
  del,
  get,
  grouped,
  merge,
  post,
  put,
  scenario,
  setup,
  strategic,
} from '../requests.ts'

const configMaps = core('configmaps')
const controllers = core('replicationcontrollers')
const events = core('events')
const jobs = grouped('batch/v1', 'jobs')
const pods = core('pods')
const quotas = core('resourcequotas')
const ranges = core('limitranges')
const slices = grouped('discovery.k8s.io/v1', 'endpointslices')
const autoscalers = grouped('autoscaling/v2', 'horizontalpodautoscalers')
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests'

const container = { name: 'c', image: 'i' }
const partial = {
  headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
}
const table = { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } }
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } }

function job(metadata: { name?: string; generateName?: string }): Parameters<typeof post>[1] {
  const spec = { ...template.spec, restartPolicy: 'Never' }
  return { metadata, spec: { template: { ...template, spec } } }
}

function range(max: Record<string, string | number>): Parameters<typeof post>[1] {
  return { metadata: { name: 'a' }, spec: { limits: [{ type: 'Container', max }] } }
}

function autoscaler(target: object): Parameters<typeof post>[1] {
  const resource = { name: 'memory', target: { type: 'AverageValue', ...target } }
  return {
    metadata: { name: 'a' },
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      metrics: [{ type: 'Resource', resource }],
    },
  }
}

const withRevision = { capture: { rv: 'metadata.resourceVersion' } } as const

/** Writes with unusual values, found by random requests. */
export const unusualWriteCases: readonly ConformanceCase[] = [
  scenario('labels of jobs with a generated name', [
    post(jobs, job({ generateName: 'generated-' })),
    post(jobs, job({ name: 'b' })),
    post(jobs, job({ name: 'c', generateName: 'generated-' })),
  ]),
  scenario('a replication controller without labels has those of its template', [
    setup(post(controllers, { metadata: { name: 'a' }, spec: { template } })),
    put(`${controllers}/a/status`, { metadata: { name: 'a' }, status: { replicas: 1 } }),
    get(`${controllers}/a`),
    put(`${controllers}/a/status`, {
      metadata: { name: 'a', labels: { c: 'd' } },
      status: { replicas: 2 },
    }),
  ]),
  scenario('a QoS class that a client sends', [
    post(pods, {
      metadata: { name: 'a' },
      spec: { containers: [container] },
      status: { qosClass: 'Other' },
    }),
  ]),
  scenario('Linux fields of a pod for Windows', [
    post(pods, {
      metadata: { name: 'a' },
      spec: {
        os: { name: 'windows' },
        containers: [container],
        hostIPC: true,
        hostPID: true,
        hostUsers: false,
        shareProcessNamespace: true,
        securityContext: { seccompProfile: { type: 'Unconfined' }, runAsUser: 1, fsGroup: 2 },
      },
    }),
  ]),
  scenario('whole numbers beyond 64 bits in quotas', [
    ...['1e300', '1e19', '1e18', '-1e19', '1.5', '9223372036854775807500m'].map((amount, index) =>
      post(quotas, { metadata: { name: `q-${index}` }, spec: { hard: { pods: amount } } }),
    ),
  ]),
  scenario('certificate requests without content', [
    ...[[], '', null, 'YQ=='].map((request) =>
      post(requests, {
        metadata: { name: 'a-{ns}' },
        spec: { request, signerName: 'example.com/signer', usages: ['client auth'] },
      }),
    ),
  ]),
  scenario('the next page of events', [
    setup(post(events, { metadata: { name: 'a' }, involvedObject: { namespace: '{ns}' } })),
    setup(post(events, { metadata: { name: 'b' }, involvedObject: { namespace: '{ns}' } })),
    get(`${events}?limit=1`),
    get(`${grouped('events.k8s.io/v1', 'events')}?limit=1`),
  ]),
  scenario('an update without changes of an object with a time of deletion', [
    apply(`${configMaps}/a?fieldManager=m`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', deletionTimestamp: '2020-01-01T00:00:00Z' },
    }),
    strategic(`${configMaps}/a`, { metadata: { name: 'a' } }),
    get(`${configMaps}/a`),
  ]),
  scenario('the answers of deletions as metadata and tables', [
    setup(post(core('serviceaccounts'), { metadata: { name: 'a' } })),
    del(`${core('serviceaccounts')}/a`, undefined, partial),
    setup(post(pods, { metadata: { name: 'a' }, spec: { containers: [container] } })),
    del(`${pods}/a`, undefined, table),
    setup(post(configMaps, { metadata: { name: 'a', finalizers: ['example.com/f'] } })),
    del(`${configMaps}/a`, undefined, partial),
    merge(`${configMaps}/a`, { metadata: { finalizers: null } }),
  ]),
  scenario('a deletion that removes the last finalizer', [
    post(configMaps, { metadata: { name: 'a', finalizers: ['orphan'] } }, withRevision),
    del(`${configMaps}/a`, {
      preconditions: { resourceVersion: '{rv}' },
      propagationPolicy: 'Background',
    }),
    del(`${configMaps}/a`, { propagationPolicy: 'Background', dryRun: ['All'] }),
    del(`${configMaps}/a?orphanDependents=false&dryRun=All`),
    del(`${configMaps}/a`, { propagationPolicy: 'Background' }),
  ]),
  scenario('an empty list that storage does not distinguish from none', [
    post(slices, { metadata: { name: 'a' }, addressType: 'IPv4', endpoints: [] }),
    { watch: `${slices}?watch=1&timeoutSeconds=1`, during: [] },
    put(`${slices}/a`, { metadata: { name: 'a' }, addressType: 'IPv4', endpoints: [] }),
  ]),
  scenario('the owner of a list with quantities in another form', [
    post(ranges, range({ cpu: '1000m' })),
    put(`${ranges}/a?fieldManager=n`, range({ cpu: '1000m' })),
    put(`${ranges}/a?fieldManager=o`, range({ cpu: 1 })),
    put(`${ranges}/a?fieldManager=p`, range({ cpu: '0.5', memory: '8Mi' })),
    put(`${ranges}/a?fieldManager=q`, range({ cpu: '500m', memory: '8192Ki' })),
    put(`${ranges}/a?fieldManager=r`, range({ cpu: '500m', memory: '1Mi' })),
    put(`${ranges}/a?fieldManager=s`, range({ cpu: '500m', memory: '1024Ki' })),
    post(autoscalers, autoscaler({ averageValue: '1k' })),
    put(`${autoscalers}/a?fieldManager=n`, autoscaler({ averageValue: '1000' })),
  ]),
  scenario('the owner of a list with empty fields in its items', [
    post(ranges, { metadata: { name: 'a' }, spec: { limits: [{ type: 'Container', max: {} }] } }),
    put(`${ranges}/a?fieldManager=n`, {
      metadata: { name: 'a' },
      spec: { limits: [{ type: 'Container', max: {} }] },
    }),
  ]),
  scenario('the claim of extended resources in the status of a pod', [
    setup(
      post(pods, {
        metadata: { name: 'a' },
        spec: { containers: [{ ...container, resources: { limits: { 'example.com/r': '1' } } }] },
      }),
    ),
    ...[
      { resourceClaimName: '1.5', requestMappings: [] },
      {
        resourceClaimName: '',
        requestMappings: [
          { containerName: 'c', resourceName: 'example.com/r', requestName: 'A' },
          { containerName: 'c', resourceName: 'example.com/s', requestName: 'a' },
          { containerName: 'd', resourceName: 'example.com/r', requestName: 'a' },
          { containerName: 'd', resourceName: 'example.com/r', requestName: 'a' },
        ],
      },
    ].map((claim) => merge(`${pods}/a/status`, { status: { extendedResourceClaimStatus: claim } })),
  ]),
  scenario('a variable from a file is required by default', [
    post(pods, {
      metadata: { name: 'a' },
      spec: {
        containers: [
          {
            ...container,
            env: [
              { name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'p', key: 'k' } } },
            ],
          },
        ],
        volumes: [{ name: 'v', emptyDir: {} }],
      },
    }),
  ]),
  scenario('the grace period of a cron job in its status', [
    setup(
      post(grouped('batch/v1', 'cronjobs'), {
        metadata: { name: 'a' },
        spec: { schedule: '* * * * *', jobTemplate: job({}) ?? {} },
      }),
    ),
    merge(`${grouped('batch/v1', 'cronjobs')}/a/status`, {
      metadata: { deletionGracePeriodSeconds: 0 },
    }),
  ]),
  scenario('a refused strategic patch is quoted without its order of lists', [
    setup(post(pods, { metadata: { name: 'a' }, spec: { containers: [container] } })),
    strategic(`${pods}/a`, {
      metadata: { '$setElementOrder/finalizers': [], $retainKeys: ['name', 'namespace'] },
      spec: { overhead: { cpu: '101%' } },
    }),
  ]),
  scenario('an empty list that defaults fill does not change the generation', [
    setup(
      post(grouped('networking.k8s.io/v1', 'networkpolicies'), {
        metadata: { name: 'a' },
        spec: { podSelector: {} },
      }),
    ),
    put(`${grouped('networking.k8s.io/v1', 'networkpolicies')}/a`, {
      metadata: { name: 'a' },
      spec: { podSelector: {}, policyTypes: [] },
    }),
  ]),
  scenario('the scopes of a quota are removed', [
    setup(post(quotas, { metadata: { name: 'a' }, spec: { scopes: ['NotBestEffort'] } })),
    put(`${quotas}/a`, { metadata: { name: 'a' } }),
    put(`${quotas}/a`, { metadata: { name: 'a' }, spec: { scopes: [] } }),
  ]),
  scenario('paths in the rules of a flow schema', [
    post('/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas', {
      metadata: { name: 'a-{ns}' },
      spec: {
        priorityLevelConfiguration: { name: 'x' },
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: 'a' } }],
            nonResourceRules: [
              {
                verbs: ['get'],
                nonResourceURLs: ['', '/', 'a', '/a b', '/a//b', '/*/b', '/a*', '/a/*', '/*/*'],
              },
              { verbs: ['get'], nonResourceURLs: ['*', 'a'] },
            ],
          },
        ],
      },
    }),
  ]),
]
