import type { JsonObject } from 'setpoint/schema'
import { pod } from '../manifests.ts'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['PersistentVolumeClaim', 'PersistentVolume']
const className = '{ns}-manual'

const volume = (name: string, size: string, spec: JsonObject = {}): Step => ({
  create: {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `{ns}-${name}`, labels: { size: name } },
    spec: {
      capacity: { storage: size },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      storageClassName: className,
      csi: { driver: 'scenario.example.com', volumeHandle: name },
      ...spec,
    },
  },
})
const claim = (size: string, spec: JsonObject = {}): Step => ({
  create: {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: className,
      resources: { requests: { storage: size } },
      ...spec,
    },
  },
})
const storageClass = (further: JsonObject): Step => ({
  create: {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: className },
    provisioner: 'kubernetes.io/no-provisioner',
    ...further,
  },
})
const bound: Step = {
  until: 'PersistentVolumeClaim/data',
  path: 'status.phase',
  is: 'Bound',
}
const user = (name: string): JsonObject =>
  pod(name, {
    spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
  })

/** Claims and volumes: binding, release and protection. */
export const volumeScenarios: readonly Scenario[] = [
  {
    name: 'binds the smallest volume that is large enough',
    kinds,
    steps: [
      { together: [volume('small', '1Gi'), volume('large', '10Gi'), volume('middle', '5Gi')] },
      { read: 'available' },
      claim('2Gi'),
      bound,
      { read: 'bound' },
    ],
  },
  {
    name: 'binds a volume that is created later',
    kinds,
    steps: [
      storageClass({}),
      claim('1Gi'),
      { read: 'pending' },
      volume('late', '1Gi'),
      bound,
      { read: 'bound' },
    ],
  },
  {
    name: 'does not bind a volume with other access modes',
    kinds,
    steps: [
      volume('shared', '1Gi', { accessModes: ['ReadOnlyMany'] }),
      storageClass({}),
      claim('1Gi'),
      { read: 'pending' },
      volume('both', '1Gi', { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] }),
      bound,
      { read: 'bound' },
    ],
  },
  {
    name: 'does not bind a volume of another class',
    kinds,
    steps: [
      volume('other', '1Gi', { storageClassName: '{ns}-other' }),
      storageClass({}),
      claim('1Gi'),
      { read: 'pending' },
    ],
  },
  {
    name: 'respects the selector of a claim',
    kinds,
    steps: [
      { together: [volume('a', '1Gi'), volume('b', '2Gi')] },
      claim('1Gi', { selector: { matchLabels: { size: 'b' } } }),
      bound,
      { read: 'bound' },
    ],
  },
  {
    name: 'binds the volume that a claim names',
    kinds,
    steps: [
      { together: [volume('a', '1Gi'), volume('b', '2Gi')] },
      claim('1Gi', { volumeName: '{ns}-b' }),
      bound,
      { read: 'bound' },
    ],
  },
  {
    name: 'binds the claim that a volume names',
    kinds,
    steps: [
      volume('mine', '2Gi', { claimRef: { namespace: '{ns}', name: 'data' } }),
      volume('other', '1Gi'),
      claim('1Gi'),
      bound,
      { read: 'bound' },
    ],
  },
  {
    name: 'reports a claim without a class and a volume',
    kinds,
    steps: [
      claim('1Gi', { storageClassName: '', selector: { matchLabels: { nobody: 'has' } } }),
      { read: 'pending' },
    ],
  },
  {
    name: 'reports a claim of a missing class',
    kinds,
    steps: [claim('1Gi', { storageClassName: '{ns}-missing' }), { read: 'pending' }],
  },
  {
    name: 'waits for the first consumer',
    kinds,
    steps: [
      storageClass({ volumeBindingMode: 'WaitForFirstConsumer' }),
      volume('a', '1Gi'),
      claim('1Gi'),
      { read: 'waiting' },
      { create: user('user') },
      { passSeconds: 20 },
      { read: 'with a consumer' },
    ],
  },
  {
    name: 'waits for an external provisioner',
    kinds,
    steps: [
      storageClass({ provisioner: 'scenario.example.com/disk' }),
      claim('1Gi'),
      { read: 'waiting' },
    ],
  },
  {
    name: 'releases a retained volume with its claim and does not bind it again',
    kinds,
    steps: [
      volume('a', '1Gi'),
      claim('1Gi'),
      bound,
      { remove: 'PersistentVolumeClaim/data' },
      { until: 'PersistentVolume/{ns}-a', path: 'status.phase', is: 'Released' },
      { read: 'released' },
      storageClass({}),
      claim('1Gi'),
      { read: 'the second claim' },
    ],
  },
  {
    name: 'leaves a released volume to its external driver',
    kinds,
    steps: [
      volume('a', '1Gi', { persistentVolumeReclaimPolicy: 'Delete' }),
      claim('1Gi'),
      bound,
      { remove: 'PersistentVolumeClaim/data' },
      { until: 'PersistentVolume/{ns}-a', path: 'status.phase', is: 'Released' },
      { read: 'released' },
    ],
  },
  {
    name: 'keeps a claim that a pod uses',
    kinds,
    steps: [
      volume('a', '1Gi'),
      claim('1Gi'),
      bound,
      { create: user('user') },
      { pods: { of: 'app=user' }, to: 'ready', on: 'node-1' },
      { remove: 'PersistentVolumeClaim/data' },
      { read: 'protected' },
      { pods: { of: 'app=user' }, to: 'gone' },
      { until: 'PersistentVolumeClaim/data', is: 'absent' },
      { read: 'deleted' },
    ],
  },
  {
    name: 'keeps a claim that a finished pod uses',
    kinds: ['PersistentVolumeClaim'],
    steps: [
      volume('a', '1Gi'),
      claim('1Gi'),
      bound,
      { create: user('user') },
      { pods: { of: 'app=user' }, to: 'succeeded', on: 'node-1' },
      { remove: 'PersistentVolumeClaim/data' },
      { read: 'protected' },
      { remove: 'Pod/user' },
      { until: 'PersistentVolumeClaim/data', is: 'absent' },
      { read: 'deleted' },
    ],
  },
  {
    name: 'keeps a bound volume until its claim is deleted',
    kinds,
    steps: [
      volume('a', '1Gi'),
      claim('1Gi'),
      bound,
      { remove: 'PersistentVolume/{ns}-a' },
      { read: 'protected' },
      { remove: 'PersistentVolumeClaim/data' },
      { until: 'PersistentVolume/{ns}-a', is: 'absent' },
      { read: 'deleted' },
    ],
  },
  {
    name: 'sets a claim without its volume to Lost',
    kinds,
    steps: [
      volume('a', '1Gi'),
      claim('1Gi'),
      bound,
      {
        together: [
          { remove: 'PersistentVolume/{ns}-a' },
          { patch: 'PersistentVolume/{ns}-a', with: { metadata: { finalizers: null } } },
        ],
      },
      { until: 'PersistentVolumeClaim/data', path: 'status.phase', is: 'Lost' },
      { read: 'lost' },
    ],
  },
  {
    name: 'creates the claim of an ephemeral volume',
    kinds: ['PersistentVolumeClaim'],
    steps: [
      {
        create: pod('user', {
          spec: {
            volumes: [
              {
                name: 'scratch',
                ephemeral: {
                  volumeClaimTemplate: {
                    metadata: { labels: { kind: 'scratch' } },
                    spec: {
                      accessModes: ['ReadWriteOnce'],
                      storageClassName: className,
                      resources: { requests: { storage: '1Gi' } },
                    },
                  },
                },
              },
            ],
          },
        }),
      },
      { until: 'PersistentVolumeClaim/user-scratch' },
      { read: 'claimed' },
      { remove: 'Pod/user' },
      { until: 'PersistentVolumeClaim/user-scratch', is: 'absent' },
      { read: 'gone' },
    ],
  },
]
