import type { JsonObject } from 'setpoint/schema'
import { pod, service, workload } from '../manifests.ts'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['Namespace', 'ConfigMap', 'Pod']
const remove: Step = { remove: 'Namespace/{ns}' }
/** The namespace controller waits five seconds before it deletes the content. */
const contentRemaining: Step = {
  until: 'Namespace/{ns}',
  path: 'status.conditions.NamespaceContentRemaining',
}
const gone: Step = { until: 'Namespace/{ns}', is: 'absent', withinSeconds: 60 }
const held = (finalizer: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'held', finalizers: [finalizer] },
})
const published = { until: 'ConfigMap/kube-root-ca.crt' }

/** Namespaces, and the objects that every namespace gets. */
export const namespaceScenarios: readonly Scenario[] = [
  {
    name: 'deletes an empty namespace immediately',
    kinds: ['Namespace'],
    steps: [{ read: 'before' }, remove, gone, { read: 'gone' }],
  },
  {
    name: 'deletes a namespace with its content',
    kinds: ['Namespace', 'ConfigMap', 'Pod', 'Deployment', 'Service', 'ServiceAccount'],
    steps: [
      { create: workload('Deployment', 'web', { replicas: 2 }) },
      { create: service('web') },
      { create: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'secret' } } },
      remove,
      gone,
      { read: 'gone' },
    ],
  },
  {
    name: 'an object with a finalizer keeps its namespace and is reported',
    kinds,
    steps: [
      { create: held('example.com/hold') },
      remove,
      contentRemaining,
      { read: 'kept' },
      { patch: 'ConfigMap/held', with: { metadata: { finalizers: null } } },
      gone,
      { read: 'gone' },
    ],
  },
  {
    name: 'terminating pods keep their namespace',
    kinds,
    steps: [
      { create: pod('slow') },
      { pods: { of: 'app=slow' }, to: 'ready', on: 'node-1' },
      remove,
      contentRemaining,
      { read: 'kept' },
      { pods: { of: 'app=slow' }, to: 'gone' },
      gone,
      { read: 'gone' },
    ],
  },
  {
    name: 'refuses new objects in a terminating namespace',
    kinds: ['Namespace'],
    steps: [
      { create: held('example.com/hold') },
      remove,
      {
        answer: 'too late',
        method: 'POST',
        target: 'ConfigMap',
        body: { metadata: { name: 'x' } },
      },
      contentRemaining,
      { read: 'kept' },
    ],
  },
  {
    name: 'creates the default account and the CA certificate in every namespace',
    kinds: ['ServiceAccount', 'ConfigMap'],
    steps: [published, { read: 'fresh' }],
  },
  {
    name: 'recreates a deleted account and certificate',
    kinds: ['ServiceAccount', 'ConfigMap'],
    steps: [
      published,
      { remove: 'ServiceAccount/default' },
      { remove: 'ConfigMap/kube-root-ca.crt' },
      { until: 'ServiceAccount/default' },
      published,
      { read: 'again' },
    ],
  },
  {
    name: 'restores a changed certificate',
    kinds: ['ConfigMap'],
    steps: [
      published,
      { patch: 'ConfigMap/kube-root-ca.crt', with: { data: { 'ca.crt': 'mine', more: 'mine' } } },
      { read: 'restored' },
    ],
  },
  {
    name: 'fills a token secret and deletes it with its account',
    kinds: ['Secret', 'ServiceAccount'],
    steps: [
      { create: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } } },
      {
        create: {
          apiVersion: 'v1',
          kind: 'Secret',
          type: 'kubernetes.io/service-account-token',
          metadata: {
            name: 'robot-token',
            annotations: { 'kubernetes.io/service-account.name': 'robot' },
          },
        },
      },
      { until: 'Secret/robot-token', path: 'data.token' },
      { read: 'filled' },
      { remove: 'ServiceAccount/robot' },
      { until: 'Secret/robot-token', is: 'absent' },
      { read: 'gone' },
    ],
  },
]
