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

/** ResourceQuotas: what is counted, and when it is freed. */
export const quotaScenarios: readonly Scenario[] = [
  {
    name: 'counts existing objects for a new quota',
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
    name: 'counts created and deleted objects',
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
    name: 'frees finished pods',
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
    name: 'adds up requests and limits',
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
    name: 'counts objects of any kind',
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
    name: 'a scope counts only matching pods',
    kinds,
    steps: [
      quota({ pods: '5' }, { scopes: ['BestEffort'] }),
      { create: pod('a') },
      sized('b', { cpu: '100m' }),
      { read: 'best effort' },
    ],
  },
  {
    name: 'the scope Terminating counts only pods with a deadline',
    kinds,
    steps: [
      quota({ pods: '5' }, { scopes: ['Terminating'] }),
      { create: pod('a') },
      { create: pod('b', { spec: { activeDeadlineSeconds: 100 } }) },
      { read: 'terminating' },
    ],
  },
  {
    name: 'respects a changed limit',
    kinds,
    steps: [
      quota({ pods: '5' }),
      { create: pod('a') },
      { patch: 'ResourceQuota/limits', with: { spec: { hard: { pods: '1', services: '3' } } } },
      { read: 'changed' },
    ],
  },
  {
    name: 'counts storage by claims',
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
    name: 'counts services by their type',
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
