import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase } from '../conformance-case.ts'
import { core, get, grouped, post, scenario, setup } from '../requests.ts'

const container = { name: 'c', image: 'nginx' }
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } }
const selector = { matchLabels: { a: 'b' } }
const job = { template: { spec: { containers: [container], restartPolicy: 'Never' } } }
const group = 'rbac.authorization.k8s.io'
const networking = 'networking.k8s.io/v1'
const backend = { service: { name: 's', port: { number: 80 } } }
const probe = { httpGet: { path: '/', port: 'http' } }
const rich: JsonObject = {
  initContainers: [{ name: 'i', image: 'busybox:1', restartPolicy: 'Always' }],
  containers: [
    {
      ...container,
      ports: [{ name: 'http', containerPort: 80 }],
      livenessProbe: probe,
      readinessProbe: { tcpSocket: { port: 80 } },
      startupProbe: { exec: { command: ['x'] } },
      resources: { limits: { cpu: '0.5', memory: '1024Mi' }, requests: { cpu: 1e-1 } },
      env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
      volumeMounts: [{ name: 'v', mountPath: '/v' }],
      lifecycle: { preStop: { httpGet: { port: 80 } } },
    },
  ],
  volumes: [
    { name: 'v', secret: { secretName: 's' } },
    { name: 'w', configMap: { name: 'c', items: [{ key: 'a', path: 'b' }] } },
    { name: 'x', emptyDir: {} },
    { name: 'y', hostPath: { path: '/' } },
    { name: 'z', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
  ],
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: selector,
    },
  ],
  tolerations: [{ key: 'k', operator: 'Exists' }],
}

/** Manifests that are completed or refused, by collection. */
const manifests: readonly (readonly [name: string, collection: string, body: JsonObject])[] = [
  ['a minimal pod', core('pods'), { spec: { containers: [container] } }],
  ['a rich pod', core('pods'), { spec: rich }],
  [
    'a pod of the host',
    core('pods'),
    { spec: { hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80 }] }] } },
  ],
  [
    'a pod with a digest and a tag',
    core('pods'),
    {
      spec: {
        containers: [
          { name: 'a', image: 'a:latest' },
          { name: 'b', image: 'b:1' },
        ],
      },
    },
  ],
  ['a minimal deployment', grouped('apps/v1', 'deployments'), { spec: { selector, template } }],
  [
    'a rich deployment',
    grouped('apps/v1', 'deployments'),
    {
      spec: {
        selector,
        replicas: 0,
        strategy: { rollingUpdate: { maxSurge: 1 } },
        template: { ...template, spec: rich },
      },
    },
  ],
  [
    'a minimal stateful set',
    grouped('apps/v1', 'statefulsets'),
    { spec: { selector, template, serviceName: 's' } },
  ],
  [
    'a stateful set with claims',
    grouped('apps/v1', 'statefulsets'),
    {
      spec: {
        selector,
        template,
        volumeClaimTemplates: [
          {
            metadata: { name: 'v' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    },
  ],
  ['a minimal daemon set', grouped('apps/v1', 'daemonsets'), { spec: { selector, template } }],
  ['a minimal replica set', grouped('apps/v1', 'replicasets'), { spec: { selector, template } }],
  ['a minimal replication controller', core('replicationcontrollers'), { spec: { template } }],
  ['a minimal job', grouped('batch/v1', 'jobs'), { spec: job }],
  [
    'an indexed job',
    grouped('batch/v1', 'jobs'),
    { spec: { ...job, completions: 3, parallelism: 2, completionMode: 'Indexed' } },
  ],
  [
    'a minimal cron job',
    grouped('batch/v1', 'cronjobs'),
    { spec: { schedule: '* * * * *', jobTemplate: { spec: job } } },
  ],
  ['a minimal service', core('services'), { spec: { ports: [{ port: 80 }] } }],
  [
    'a service of nodes',
    core('services'),
    { spec: { type: 'NodePort', ports: [{ port: 80 }, { name: 'b', port: 81, targetPort: 'x' }] } },
  ],
  [
    'a service with a load balancer',
    core('services'),
    { spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] } },
  ],
  ['a headless service', core('services'), { spec: { clusterIP: 'None', selector: { a: 'b' } } }],
  [
    'a service of an external name',
    core('services'),
    { spec: { type: 'ExternalName', externalName: 'example.com' } },
  ],
  [
    'minimal endpoints',
    core('endpoints'),
    { subsets: [{ addresses: [{ ip: '1.2.3.4' }], ports: [{ port: 80 }] }] },
  ],
  [
    'a minimal slice of endpoints',
    grouped('discovery.k8s.io/v1', 'endpointslices'),
    { addressType: 'IPv4', endpoints: [{ addresses: ['1.2.3.4'] }], ports: [{ port: 80 }] },
  ],
  ['a minimal ingress', grouped(networking, 'ingresses'), { spec: { defaultBackend: backend } }],
  [
    'an ingress with rules',
    grouped(networking, 'ingresses'),
    {
      spec: {
        rules: [{ host: 'a.b', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
        tls: [{ hosts: ['a.b'] }],
      },
    },
  ],
  [
    'a minimal network policy',
    grouped(networking, 'networkpolicies'),
    { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }], egress: [{}] } },
  ],
  [
    'a minimal claim',
    core('persistentvolumeclaims'),
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  ],
  [
    'a minimal autoscaler',
    grouped('autoscaling/v2', 'horizontalpodautoscalers'),
    {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      },
    },
  ],
  [
    'an autoscaler with behaviour',
    grouped('autoscaling/v2', 'horizontalpodautoscalers'),
    {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
          },
        ],
        behavior: { scaleDown: {} },
      },
    },
  ],
  [
    'a minimal budget',
    grouped('policy/v1', 'poddisruptionbudgets'),
    { spec: { minAvailable: '50%', selector } },
  ],
  ['a minimal account', core('serviceaccounts'), {}],
  ['a minimal secret', core('secrets'), {}],
  [
    'minimal limits',
    core('limitranges'),
    { spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } },
  ],
  [
    'a minimal quota',
    core('resourcequotas'),
    { spec: { hard: { pods: '10', 'requests.cpu': '1000m' } } },
  ],
  ['a minimal template', core('podtemplates'), { template }],
  ['a minimal role', grouped(`${group}/v1`, 'roles'), { rules: null }],
  [
    'a minimal binding',
    grouped(`${group}/v1`, 'rolebindings'),
    {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' },
      ],
    },
  ],
  ['an empty pod', core('pods'), {}],
  ['a pod without containers', core('pods'), { spec: { containers: [] } }],
  [
    'a pod with bad values',
    core('pods'),
    {
      spec: {
        restartPolicy: 'Sometimes',
        dnsPolicy: 'X',
        containers: [
          {
            name: 'A_',
            image: '',
            ports: [{ containerPort: 99999 }],
            imagePullPolicy: 'X',
            resources: { limits: { cpu: '1' }, requests: { cpu: '2' } },
          },
        ],
      },
    },
  ],
  [
    'a pod with the same names',
    core('pods'),
    { spec: { containers: [container, container], volumes: [{ name: 'v' }, { name: 'v' }] } },
  ],
  [
    'a pod with mounts of nothing',
    core('pods'),
    { spec: { containers: [{ ...container, volumeMounts: [{ name: 'x', mountPath: '' }] }] } },
  ],
  [
    'a pod with bad quantities',
    core('pods'),
    { spec: { containers: [{ ...container, resources: { limits: { cpu: 'much' } } }] } },
  ],
  ['an empty deployment', grouped('apps/v1', 'deployments'), {}],
  [
    'a deployment whose labels do not match',
    grouped('apps/v1', 'deployments'),
    { spec: { selector: { matchLabels: { x: 'y' } }, template, replicas: -1 } },
  ],
  ['an empty stateful set', grouped('apps/v1', 'statefulsets'), { spec: {} }],
  ['an empty daemon set', grouped('apps/v1', 'daemonsets'), { spec: {} }],
  [
    'a job that always restarts',
    grouped('batch/v1', 'jobs'),
    { spec: { template: { spec: { containers: [container] } }, backoffLimit: -1 } },
  ],
  [
    'a cron job without a schedule',
    grouped('batch/v1', 'cronjobs'),
    { spec: { jobTemplate: { spec: job }, concurrencyPolicy: 'X' } },
  ],
  [
    'a cron job with a bad schedule',
    grouped('batch/v1', 'cronjobs'),
    { spec: { schedule: 'x', jobTemplate: { spec: job } } },
  ],
  ['a service without ports', core('services'), { spec: {} }],
  [
    'a service with bad ports',
    core('services'),
    { spec: { type: 'X', ports: [{ port: 0 }, { port: 80, protocol: 'X', name: 'A' }] } },
  ],
  [
    'a service with an address outside',
    core('services'),
    { spec: { clusterIP: '1.2.3.4', ports: [{ port: 80 }] } },
  ],
  [
    'a service with an invalid address',
    core('services'),
    { spec: { clusterIP: 'x', ports: [{ port: 80 }] } },
  ],
  [
    'a service with a name of numbers',
    core('services'),
    { metadata: { name: '1x' }, spec: { ports: [{ port: 80 }] } },
  ],
  ['an empty ingress', grouped(networking, 'ingresses'), { spec: {} }],
  [
    'an ingress with bad paths',
    grouped(networking, 'ingresses'),
    { spec: { rules: [{ host: '*', http: { paths: [{ path: 'x', backend: {} }] } }] } },
  ],
  ['an empty claim', core('persistentvolumeclaims'), { spec: {} }],
  [
    'an empty autoscaler',
    grouped('autoscaling/v2', 'horizontalpodautoscalers'),
    { spec: { minReplicas: 5, maxReplicas: 1, scaleTargetRef: {} } },
  ],
  [
    'a budget with both bounds',
    grouped('policy/v1', 'poddisruptionbudgets'),
    { spec: { minAvailable: 1, maxUnavailable: 1 } },
  ],
  ['a bad quota', core('resourcequotas'), { spec: { hard: { pods: '-1' } } }],
  [
    'bad limits',
    core('limitranges'),
    { spec: { limits: [{ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }] } },
  ],
]

/** Built-in kinds: defaulting and validation. */
export const kindCases: readonly ConformanceCase[] = [
  ...manifests.map(([name, collection, body]) =>
    scenario(`${name} gets the same answer`, [
      post(collection, { metadata: { name: 'x' }, ...body }),
    ]),
  ),
  scenario('an autoscaler is read in its first version', [
    setup(
      post(grouped('autoscaling/v2', 'horizontalpodautoscalers'), {
        metadata: { name: 'h' },
        spec: {
          maxReplicas: 3,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        },
      }),
    ),
    get(grouped('autoscaling/v1', 'horizontalpodautoscalers/h')),
  ]),
  scenario('an address of a service is allocated once', [
    setup(
      post(
        core('services'),
        { metadata: { name: 'one' }, spec: { ports: [{ port: 80 }] } },
        { capture: { ip: 'spec.clusterIP' } },
      ),
    ),
    post(core('services'), {
      metadata: { name: 'two' },
      spec: { clusterIP: '{ip}', ports: [{ port: 80 }] },
    }),
  ]),
  scenario(
    'a node port is allocated once',
    [
      post(core('services'), {
        metadata: { name: 'one' },
        spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 31111 }] },
      }),
      post(core('services'), {
        metadata: { name: 'two' },
        spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 31111 }] },
      }),
      post(core('services'), {
        metadata: { name: 'three' },
        spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] },
      }),
    ],
    { cleanup: [`${core('services')}/one`] },
  ),
  scenario('a namespace is completed', [
    post('/api/v1/namespaces', { metadata: { name: '{ns}-n', labels: { a: 'b' } } }),
    post('/api/v1/namespaces', { metadata: { name: 'Bad' } }),
    post('/api/v1/namespaces', { metadata: { name: 'a.b' } }),
  ]),
]
