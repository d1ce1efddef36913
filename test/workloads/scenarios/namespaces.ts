import type { JsonObject } from 'setpoint/schema'
import { pod, service, workload } from '../manifests.ts'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['Namespace', 'ConfigMap', 'Pod']
const remove: Step = { remove: 'Namespace/{ns}' }
/** Nothing is done about a namespace in its first five seconds. */
const noticed: Step = {
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

/** Namespaces, and what every namespace is given. */
export const namespaceScenarios: readonly Scenario[] = [
  {
    name: 'an empty namespace goes at once',
    kinds: ['Namespace'],
    steps: [{ read: 'before' }, remove, gone, { read: 'gone' }],
  },
  {
    name: 'a namespace takes everything in it along',
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
    name: 'a finalizer of an object keeps its namespace, and the reason is told',
    kinds,
    steps: [
      { create: held('example.com/hold') },
      remove,
      noticed,
      { read: 'kept' },
      { patch: 'ConfigMap/held', with: { metadata: { finalizers: null } } },
      gone,
      { read: 'gone' },
    ],
  },
  {
    name: 'pods that terminate keep their namespace',
    kinds,
    steps: [
      { create: pod('slow') },
      { pods: { of: 'app=slow' }, to: 'ready', on: 'node-1' },
      remove,
      noticed,
      { read: 'kept' },
      { pods: { of: 'app=slow' }, to: 'gone' },
      gone,
      { read: 'gone' },
    ],
  },
  {
    name: 'nothing is created in a namespace that is deleted',
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
      noticed,
      { read: 'kept' },
    ],
  },
  {
    name: 'every namespace has an account and the certificate of the cluster',
    kinds: ['ServiceAccount', 'ConfigMap'],
    steps: [published, { read: 'fresh' }],
  },
  {
    name: 'an account and a certificate that are deleted come back',
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
    name: 'a certificate that was changed is restored',
    kinds: ['ConfigMap'],
    steps: [
      published,
      { patch: 'ConfigMap/kube-root-ca.crt', with: { data: { 'ca.crt': 'mine', more: 'mine' } } },
      { read: 'restored' },
    ],
  },
  {
    name: 'a secret for a token of an account is filled, and goes with the account',
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
