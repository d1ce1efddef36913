import { pod, podTemplate, workload } from '../manifests.ts'
import type { Scenario } from '../scenario.ts'

const kinds = ['ReplicaSet', 'Pod']
const web = { of: 'app=web' }
const set = 'ReplicaSet/web'

const quota = (pods: string) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'few' },
  spec: { hard: { pods } },
})

/** ReplicaSets and ReplicationControllers: the number of pods, and which pods are deleted. */
export const replicaSetScenarios: readonly Scenario[] = [
  {
    name: 'creates and counts the desired number of pods',
    kinds,
    steps: [
      { create: workload('ReplicaSet', 'web', { replicas: 3 }) },
      { read: 'created' },
      { pods: { ...web, first: 1 }, to: 'running' },
      { pods: { ...web, which: 'pending', first: 1 }, to: 'ready' },
      { read: 'in three states' },
    ],
  },
  {
    name: 'adopts matching pods without an owner',
    kinds,
    steps: [
      { create: pod('web', { labels: { app: 'web', old: 'yes' } }) },
      { create: workload('ReplicaSet', 'web', { replicas: 2 }) },
      { read: 'adopted' },
    ],
  },
  {
    name: 'deletes pending pods first of surplus adopted pods',
    kinds,
    steps: [
      { create: pod('a', { labels: { app: 'web' } }) },
      { pods: web, to: 'ready' },
      {
        together: [
          { create: pod('b', { labels: { app: 'web' } }) },
          { create: pod('c', { labels: { app: 'web' } }) },
        ],
      },
      { create: workload('ReplicaSet', 'web', { replicas: 1 }) },
      { read: 'one is left' },
    ],
  },
  {
    name: 'releases and replaces a pod whose labels no longer match',
    kinds,
    steps: [
      { create: workload('ReplicaSet', 'web', { replicas: 2 }) },
      { patch: { ...web, first: 1 }, with: { metadata: { labels: { app: 'other' } } } },
      { read: 'released' },
      { patch: { of: 'app=other' }, with: { metadata: { labels: { app: 'web' } } } },
      { read: 'it matches again' },
    ],
  },
  {
    name: 'deletes unready pods before ready ones',
    kinds,
    steps: [
      { create: workload('ReplicaSet', 'web', { replicas: 4 }) },
      { pods: { ...web, first: 2 }, to: 'ready' },
      { pods: { ...web, which: 'pending', first: 1 }, to: 'running' },
      { scale: set, to: 3 },
      { read: 'the pending one went' },
      { scale: set, to: 2 },
      { read: 'the unready one went' },
    ],
  },
  {
    name: 'deletes the youngest ready pod first',
    kinds,
    steps: [
      { create: workload('ReplicaSet', 'web', { replicas: 1 }) },
      { pods: web, to: 'ready' },
      { patch: web, with: { metadata: { labels: { age: 'old' } } } },
      { passSeconds: 12 },
      { scale: set, to: 2 },
      { pods: { ...web, which: 'pending' }, to: 'ready' },
      { scale: set, to: 1 },
      { read: 'the old one stays' },
    ],
  },
  {
    name: 'respects the pod deletion cost',
    kinds,
    steps: [
      { create: workload('ReplicaSet', 'web', { replicas: 3 }) },
      { pods: web, to: 'ready' },
      {
        patch: { ...web, first: 2 },
        with: {
          metadata: {
            labels: { cost: 'high' },
            annotations: { 'controller.kubernetes.io/pod-deletion-cost': '10' },
          },
        },
      },
      { scale: set, to: 2 },
      { read: 'the cheap one went' },
    ],
  },
  {
    name: 'replaces and keeps a failed pod',
    kinds,
    steps: [
      { create: workload('ReplicaSet', 'web', { replicas: 1 }) },
      { pods: web, to: 'failed', reason: 'Evicted' },
      { read: 'replaced' },
    ],
  },
  {
    name: 'replaces a terminating pod',
    kinds,
    steps: [
      { create: workload('ReplicaSet', 'web', { replicas: 2 }) },
      { pods: web, to: 'ready', on: 'node-1' },
      { pods: { ...web, first: 1 }, to: 'deleted' },
      { read: 'terminating' },
      { pods: { ...web, which: 'terminating' }, to: 'gone' },
      { read: 'gone' },
    ],
  },
  {
    name: 'counts pods as available after minReadySeconds',
    kinds: ['ReplicaSet'],
    steps: [
      { create: workload('ReplicaSet', 'web', { replicas: 1, minReadySeconds: 4 }) },
      { pods: web, to: 'ready' },
      { read: 'ready' },
      { until: set, path: 'status.availableReplicas', is: 1 },
      { read: 'available' },
    ],
  },
  {
    name: 'sets a condition while a quota refuses pods',
    kinds: ['ReplicaSet'],
    steps: [
      { create: quota('1') },
      { create: workload('ReplicaSet', 'web', { replicas: 3 }) },
      { read: 'refused' },
      { scale: set, to: 1 },
      { read: 'enough' },
    ],
  },
  {
    name: 'creates no pods from a template that admission refuses',
    kinds,
    steps: [
      {
        create: workload('ReplicaSet', 'web', {
          replicas: 1,
          template: podTemplate('web', { spec: { serviceAccountName: 'nobody' } }),
        }),
      },
      { read: 'refused' },
    ],
  },
  {
    name: 'uses a changed template for new pods',
    kinds,
    steps: [
      { create: workload('ReplicaSet', 'web', { replicas: 1 }) },
      {
        patch: set,
        type: 'strategic',
        with: {
          spec: { template: { spec: { containers: [{ name: 'main', image: 'app:2' }] } } },
        },
      },
      { scale: set, to: 2 },
      { read: 'two images' },
    ],
  },
  {
    name: 'creates no pods for a terminating replica set',
    kinds,
    steps: [
      { create: workload('ReplicaSet', 'web', { replicas: 2 }) },
      { pods: web, to: 'ready', on: 'node-1' },
      { remove: set, propagation: 'Foreground' },
      { pods: { ...web, first: 1 }, to: 'gone' },
      { read: 'one pod terminates' },
      { pods: web, to: 'gone' },
      { until: set, is: 'absent' },
      { read: 'gone' },
    ],
  },
  {
    name: 'does the same for a replication controller',
    kinds: ['ReplicationController', 'Pod'],
    steps: [
      {
        create: {
          apiVersion: 'v1',
          kind: 'ReplicationController',
          metadata: { name: 'web' },
          spec: { replicas: 2, selector: { app: 'web' }, template: podTemplate('web') },
        },
      },
      { pods: { ...web, first: 1 }, to: 'ready' },
      { read: 'one ready' },
      { scale: 'ReplicationController/web', to: 1 },
      { read: 'scaled down' },
    ],
  },
]
