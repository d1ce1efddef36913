import type { JsonObject } from 'setpoint/schema'
import { pod, podTemplate, service } from '../manifests.ts'
import { node } from '../nodes.ts'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['Service', 'Endpoints', 'EndpointSlice']
const web = { of: 'app=web' }

/** Pods without a node are in no EndpointSlice. */
const machine: Step = { create: node('a') }
const pods = (...names: string[]): Step => ({
  together: names.map((name) => ({ create: pod(name, { labels: { app: 'web' } }) })),
})
const ported = (name: string, port: number): JsonObject =>
  pod(name, {
    labels: { app: 'web' },
    container: { ports: [{ name: 'http', containerPort: port }] },
  })

/** Services: their addresses in Endpoints and EndpointSlices. */
export const serviceScenarios: readonly Scenario[] = [
  {
    name: 'lists ready and unready addresses of pods',
    kinds,
    steps: [
      machine,
      { create: service('web') },
      { read: 'without pods' },
      pods('a', 'b', 'c'),
      { read: 'pods without addresses' },
      { pods: { ...web, first: 1 }, to: 'ready', on: 'a' },
      { pods: { ...web, which: 'pending', first: 1 }, to: 'running', on: 'a' },
      { read: 'one ready, one not' },
      { pods: { ...web, which: 'ready' }, to: 'unready' },
      { read: 'none ready' },
    ],
  },
  {
    name: 'reports a pod without a node and omits it from slices',
    kinds,
    steps: [{ create: service('web') }, pods('a'), { pods: web, to: 'ready' }, { read: 'ready' }],
  },
  {
    name: 'omits finished pods',
    kinds,
    steps: [
      machine,
      { create: service('web') },
      pods('a', 'b'),
      { pods: web, to: 'ready', on: 'a' },
      { pods: { ...web, first: 1 }, to: 'succeeded' },
      { pods: { ...web, which: 'ready' }, to: 'failed' },
      { read: 'ended' },
    ],
  },
  {
    name: 'resolves a named port for each pod',
    kinds,
    steps: [
      machine,
      { create: service('web', { ports: [{ name: 'web', port: 80, targetPort: 'http' }] }) },
      { together: [{ create: ported('a', 8080) }, { create: ported('b', 9090) }] },
      { pods: web, to: 'ready', on: 'a' },
      { read: 'two port numbers' },
    ],
  },
  {
    name: 'a pod without the named port has no port',
    kinds,
    steps: [
      machine,
      { create: service('web', { ports: [{ port: 80, targetPort: 'http' }] }) },
      pods('a'),
      { pods: web, to: 'ready', on: 'a' },
      { read: 'no port' },
    ],
  },
  {
    name: 'lists several ports and protocols',
    kinds,
    steps: [
      machine,
      {
        create: service('web', {
          ports: [
            { name: 'web', port: 80, targetPort: 8080, appProtocol: 'http' },
            { name: 'dns', port: 53, protocol: 'UDP' },
          ],
        }),
      },
      pods('a'),
      { pods: web, to: 'ready', on: 'a' },
      { read: 'two ports' },
      { patch: 'Service/web', with: { spec: { ports: [{ name: 'web', port: 81 }] } } },
      { read: 'one port' },
    ],
  },
  {
    name: 'labels a headless service',
    kinds,
    steps: [
      machine,
      { create: service('web', { clusterIP: 'None' }) },
      pods('a'),
      { pods: web, to: 'ready', on: 'a' },
      { read: 'headless' },
    ],
  },
  {
    name: 'serves a headless service without ports',
    kinds,
    steps: [
      machine,
      { create: service('web', { clusterIP: 'None', ports: [] }) },
      pods('a'),
      { pods: web, to: 'ready', on: 'a' },
      { read: 'headless' },
    ],
  },
  {
    name: 'lists the hostname of pods with the service as subdomain',
    kinds,
    steps: [
      machine,
      { create: service('web', { clusterIP: 'None' }) },
      {
        create: pod('a', { labels: { app: 'web' }, spec: { hostname: 'first', subdomain: 'web' } }),
      },
      { pods: web, to: 'ready', on: 'a' },
      { read: 'named' },
    ],
  },
  {
    name: 'publishes unready addresses on request',
    kinds,
    steps: [
      machine,
      { create: service('web', { publishNotReadyAddresses: true }) },
      pods('a'),
      { pods: web, to: 'running', on: 'a' },
      { read: 'published' },
    ],
  },
  {
    name: 'lists other pods after a change of the selector',
    kinds,
    steps: [
      machine,
      { create: service('web') },
      pods('a'),
      { create: pod('b', { labels: { app: 'other' } }) },
      { pods: web, to: 'ready', on: 'a' },
      { pods: { of: 'app=other' }, to: 'ready', on: 'a' },
      { patch: 'Service/web', with: { spec: { selector: { app: 'other' } } } },
      { read: 'the other pod' },
    ],
  },
  {
    name: 'lists a pod only while its labels match',
    kinds,
    steps: [
      machine,
      { create: service('web') },
      pods('a', 'b'),
      { pods: web, to: 'ready', on: 'a' },
      { patch: 'Pod/a', with: { metadata: { labels: { app: 'other' } } } },
      { read: 'one is left' },
    ],
  },
  {
    name: 'lists a terminating pod as serving',
    kinds,
    steps: [
      machine,
      { create: service('web') },
      pods('a', 'b'),
      { pods: web, to: 'ready', on: 'a' },
      { read: 'both' },
      { remove: 'Pod/a' },
      { read: 'one terminates' },
      { pods: { ...web, which: 'terminating' }, to: 'gone' },
      { read: 'one is left' },
    ],
  },
  {
    name: 'deletes Endpoints and slices with the service',
    kinds,
    steps: [
      machine,
      { create: service('web') },
      pods('a'),
      { pods: web, to: 'ready', on: 'a' },
      { remove: 'Service/web' },
      { until: 'Endpoints/web', is: 'absent' },
      { read: 'deleted' },
    ],
  },
  {
    name: 'mirrors Endpoints that a user writes for a service without a selector',
    kinds,
    steps: [
      machine,
      {
        create: {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'web' },
          spec: { ports: [{ name: 'web', port: 80 }] },
        },
      },
      { read: 'nothing is made' },
      {
        create: {
          apiVersion: 'v1',
          kind: 'Endpoints',
          metadata: { name: 'web', labels: { by: 'hand' }, annotations: { note: 'x' } },
          subsets: [
            {
              addresses: [{ ip: '192.0.2.10' }, { ip: '192.0.2.11', hostname: 'eleven' }],
              notReadyAddresses: [{ ip: '192.0.2.12' }],
              ports: [{ name: 'web', port: 8080 }],
            },
          ],
        },
      },
      { read: 'mirrored' },
      {
        patch: 'Endpoints/web',
        with: {
          subsets: [{ addresses: [{ ip: '192.0.2.20' }], ports: [{ name: 'web', port: 8080 }] }],
        },
      },
      { read: 'mirrored again' },
      { remove: 'Endpoints/web' },
      { read: 'gone' },
    ],
  },
  {
    name: 'does not mirror Endpoints with the skip label',
    kinds,
    steps: [
      machine,
      {
        create: {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'web' },
          spec: { ports: [{ port: 80 }] },
        },
      },
      {
        create: {
          apiVersion: 'v1',
          kind: 'Endpoints',
          metadata: { name: 'web', labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
          subsets: [{ addresses: [{ ip: '192.0.2.10' }], ports: [{ port: 8080 }] }],
        },
      },
      { read: 'not mirrored' },
    ],
  },
  {
    name: 'recreates a slice that a user deletes',
    kinds,
    steps: [
      machine,
      { create: service('web') },
      pods('a'),
      { pods: web, to: 'ready', on: 'a' },
      { remove: { kind: 'EndpointSlice', of: 'kubernetes.io/service-name=web' } },
      { remove: 'Endpoints/web' },
      { read: 'made again' },
    ],
  },
  {
    name: 'copies labels of a service to Endpoints and slices',
    kinds,
    steps: [
      machine,
      { create: service('web') },
      { patch: 'Service/web', with: { metadata: { labels: { team: 'a' } } } },
      { read: 'labelled' },
      { patch: 'Service/web', with: { metadata: { labels: { team: null } } } },
      { read: 'no longer' },
    ],
  },
  {
    name: 'sets hints for trafficDistribution',
    kinds,
    steps: [
      machine,
      { create: service('web', { trafficDistribution: 'PreferSameNode' }) },
      pods('a'),
      { pods: web, to: 'ready', on: 'a' },
      { read: 'hints' },
    ],
  },
  {
    name: 'creates no addresses for an ExternalName service',
    kinds,
    steps: [
      machine,
      {
        create: {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'web' },
          spec: { type: 'ExternalName', externalName: 'example.com', selector: { app: 'web' } },
        },
      },
      pods('a'),
      { pods: web, to: 'ready', on: 'a' },
      { read: 'nothing' },
    ],
  },
  {
    name: 'follows the pods of a replica set',
    kinds,
    steps: [
      machine,
      { create: service('web') },
      {
        create: {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          metadata: { name: 'web' },
          spec: {
            replicas: 3,
            selector: { matchLabels: { app: 'web' } },
            template: podTemplate('web'),
          },
        },
      },
      { pods: web, to: 'ready', on: 'a' },
      { scale: 'ReplicaSet/web', to: 2 },
      { read: 'two' },
    ],
  },
]
