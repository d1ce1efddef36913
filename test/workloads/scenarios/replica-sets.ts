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

/** Replica sets and replication controllers: how many pods there are, and which ones go. */
export const replicaSetScenarios: readonly Scenario[] = [
  {
    name: 'as many pods as wanted are made and counted',
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
    name: 'pods without an owner that match are adopted',
    kinds,
    steps: [
      { create: pod('web', { labels: { app: 'web', old: 'yes' } }) },
      { create: workload('ReplicaSet', 'web', { replicas: 2 }) },
      { read: 'adopted' },
    ],
  },
  {
    name: 'of adopted pods that are too many the pending ones go first',
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
    name: 'a pod whose labels no longer match is released and replaced',
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
    name: 'pods that are not ready go before ready ones',
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
    name: 'of ready pods the youngest goes first',
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
    name: 'the cost of deletion decides among ready pods',
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
    name: 'a failed pod is replaced and stays',
    kinds,
    steps: [
      { create: workload('ReplicaSet', 'web', { replicas: 1 }) },
      { pods: web, to: 'failed', reason: 'Evicted' },
      { read: 'replaced' },
    ],
  },
  {
    name: 'a deleted pod is replaced while it still terminates',
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
    name: 'pods are available after they were ready for a while',
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
    name: 'a quota that refuses pods makes a condition, which goes with the quota',
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
    name: 'a template that admission refuses makes no pods',
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
    name: 'a changed template is for pods to come',
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
    name: 'a replica set in deletion makes no pods',
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
    name: 'a replication controller does the same',
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
