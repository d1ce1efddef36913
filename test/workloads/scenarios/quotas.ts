import type { JsonObject } from 'setpoint/schema'
import { pod, service, workload } from '../manifests.ts'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['ResourceQuota']
const quota = (hard: JsonObject, spec: JsonObject = {}): Step => ({
  create: {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'limits' },
    spec: { hard, ...spec },
  },
})
const used = (resource: string, is: string): Step => ({
  until: 'ResourceQuota/limits',
  path: ['status', 'used', resource],
  is,
  withinSeconds: 60,
})
const sized = (name: string, requests: JsonObject, limits: JsonObject = {}): Step => ({
  create: pod(name, { container: { resources: { requests, limits } } }),
})

/** Quotas: what is counted, and when it is free again. */
export const quotaScenarios: readonly Scenario[] = [
  {
    name: 'what exists already is counted when a quota comes',
    kinds,
    steps: [
      { together: [{ create: pod('a') }, { create: pod('b') }, { create: service('web') }] },
      quota({
        pods: '10',
        services: '5',
        'services.nodeports': '2',
        configmaps: '10',
        secrets: '10',
      }),
      used('pods', '2'),
      { read: 'counted' },
    ],
  },
  {
    name: 'what comes and goes is counted',
    kinds,
    steps: [
      quota({ pods: '2' }),
      used('pods', '0'),
      { create: pod('a') },
      { create: pod('b') },
      { read: 'full' },
      { answer: 'one more', method: 'POST', target: 'Pod', body: pod('c') },
      { remove: 'Pod/a' },
      used('pods', '1'),
      { read: 'one is free' },
    ],
  },
  {
    name: 'pods that have ended are free',
    kinds,
    steps: [
      quota({ pods: '2', 'requests.cpu': '1' }),
      used('pods', '0'),
      sized('a', { cpu: '500m' }),
      { pods: { of: 'app=a' }, to: 'succeeded' },
      used('pods', '0'),
      { read: 'free' },
    ],
  },
  {
    name: 'requests and limits are added up',
    kinds,
    steps: [
      quota({
        'requests.cpu': '4',
        'limits.cpu': '8',
        'requests.memory': '4Gi',
        'limits.memory': '8Gi',
        cpu: '4',
      }),
      used('cpu', '0'),
      sized('a', { cpu: '250m', memory: '100Mi' }, { cpu: '1', memory: '1Gi' }),
      sized('b', { cpu: '1500m', memory: '1G' }, { cpu: '2', memory: '2Gi' }),
      { read: 'added' },
    ],
  },
  {
    name: 'objects of any kind can be counted',
    kinds,
    steps: [
      quota({ 'count/deployments.apps': '2', 'count/replicasets.apps': '5', 'count/pods': '5' }),
      { create: workload('Deployment', 'web', { replicas: 2 }) },
      { read: 'counted' },
      { remove: 'Deployment/web' },
      used('count/pods', '0'),
      used('count/replicasets.apps', '0'),
      { read: 'free' },
    ],
  },
  {
    name: 'a scope counts only some pods',
    kinds,
    steps: [
      quota({ pods: '5' }, { scopes: ['BestEffort'] }),
      { create: pod('a') },
      sized('b', { cpu: '100m' }),
      { read: 'best effort' },
    ],
  },
  {
    name: 'a scope counts only pods that end by themselves',
    kinds,
    steps: [
      quota({ pods: '5' }, { scopes: ['Terminating'] }),
      { create: pod('a') },
      { create: pod('b', { spec: { activeDeadlineSeconds: 100 } }) },
      { read: 'terminating' },
    ],
  },
  {
    name: 'a limit that is changed is taken over',
    kinds,
    steps: [
      quota({ pods: '5' }),
      { create: pod('a') },
      { patch: 'ResourceQuota/limits', with: { spec: { hard: { pods: '1', services: '3' } } } },
      { read: 'changed' },
    ],
  },
  {
    name: 'storage is counted by claims',
    kinds,
    steps: [
      quota({
        persistentvolumeclaims: '4',
        'requests.storage': '10Gi',
        '{ns}-fast.storageclass.storage.k8s.io/requests.storage': '5Gi',
      }),
      {
        create: {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'data' },
          spec: {
            accessModes: ['ReadWriteOnce'],
            storageClassName: '{ns}-fast',
            resources: { requests: { storage: '2Gi' } },
          },
        },
      },
      { read: 'counted' },
    ],
  },
  {
    name: 'services are counted by their type',
    kinds,
    steps: [
      quota({ services: '5', 'services.nodeports': '5', 'services.loadbalancers': '2' }),
      { create: service('a') },
      { create: service('b', { type: 'NodePort' }) },
      { create: service('c', { type: 'LoadBalancer' }) },
      { read: 'counted' },
      { remove: 'Service/c' },
      used('services', '2'),
      { read: 'one less' },
    ],
  },
]
