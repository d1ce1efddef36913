import type { JsonObject } from 'setpoint/schema'
import { newImage, pod, podTemplate, workload } from '../manifests.ts'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['StatefulSet', 'ControllerRevision', 'Pod']
const withClaims = ['StatefulSet', 'Pod', 'PersistentVolumeClaim']
const db = { of: 'app=db' }
const set = 'StatefulSet/db'

const create = (spec: JsonObject): Step => ({ create: workload('StatefulSet', 'db', spec) })
/** One pod at a time: the state of an update between two pods would depend on timing. */
const pendingReady: Step = { pods: { ...db, which: 'pending', first: 1 }, to: 'ready' }
const toImage = (image: string): Step => ({ patch: set, type: 'strategic', with: newImage(image) })
const parallel = { podManagementPolicy: 'Parallel' }

/** Pods that are all ready. */
const running = (spec: JsonObject): Step[] => [
  create({ ...parallel, ...spec }),
  { pods: db, to: 'ready' },
]

const claimed = (spec: JsonObject = {}): JsonObject => ({
  ...parallel,
  replicas: 2,
  template: podTemplate('db', {
    container: { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
  }),
  volumeClaimTemplates: [
    {
      metadata: { name: 'data', labels: { tier: 'store' } },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: '{ns}-manual',
        resources: { requests: { storage: '1Gi' } },
      },
    },
  ],
  ...spec,
})

/** StatefulSets: order, identity, revisions and claims. */
export const statefulSetScenarios: readonly Scenario[] = [
  {
    name: 'creates each pod after the previous one is ready',
    kinds,
    steps: [
      create({ replicas: 3 }),
      { read: 'the first' },
      { pods: db, to: 'running' },
      { read: 'it runs but is not ready' },
      { pods: db, to: 'ready' },
      { read: 'the second' },
      pendingReady,
      pendingReady,
      { read: 'all' },
    ],
  },
  {
    name: 'creates all pods together with the policy Parallel',
    kinds,
    steps: [
      create({ ...parallel, replicas: 3 }),
      { read: 'created' },
      { pods: db, to: 'ready' },
      { read: 'ready' },
    ],
  },
  {
    name: 'scales down from the last pod, one after the other',
    kinds,
    steps: [
      create({ replicas: 1 }),
      { pods: db, to: 'ready', on: 'node-1' },
      { scale: set, to: 3 },
      { pods: { ...db, which: 'pending' }, to: 'ready', on: 'node-1' },
      { pods: { ...db, which: 'pending' }, to: 'ready', on: 'node-1' },
      { scale: set, to: 1 },
      { read: 'the last terminates' },
      { pods: { ...db, which: 'terminating' }, to: 'gone' },
      { read: 'then the second' },
      { pods: { ...db, which: 'terminating' }, to: 'gone' },
      { read: 'the first is left' },
    ],
  },
  {
    name: 'does not scale down while a pod is unready',
    kinds: ['StatefulSet', 'Pod'],
    steps: [
      create({ replicas: 2 }),
      { pods: db, to: 'ready' },
      pendingReady,
      { pods: { ...db, first: 1 }, to: 'unready' },
      { scale: set, to: 1 },
      { read: 'waiting' },
      { pods: { ...db, which: 'unready' }, to: 'ready' },
      { read: 'scaled down' },
    ],
  },
  {
    name: 'scales all pods down together with the policy Parallel',
    kinds: ['StatefulSet', 'Pod'],
    steps: [...running({ replicas: 3 }), { scale: set, to: 0 }, { read: 'nothing is left' }],
  },
  {
    name: 'a rolling update replaces pods from the last to the first',
    kinds,
    steps: [
      ...running({ replicas: 3 }),
      toImage('app:2'),
      { read: 'the last' },
      pendingReady,
      { read: 'the second' },
      pendingReady,
      pendingReady,
      { read: 'all' },
    ],
  },
  {
    name: 'a rolling update with OrderedReady does the same',
    kinds,
    steps: [
      create({ replicas: 2 }),
      { pods: db, to: 'ready' },
      pendingReady,
      toImage('app:2'),
      { read: 'the last' },
      pendingReady,
      pendingReady,
      { read: 'all' },
    ],
  },
  {
    name: 'pods below the partition keep their revision',
    kinds,
    steps: [
      ...running({ replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } }),
      toImage('app:2'),
      pendingReady,
      { read: 'one updated' },
      { pods: { ...db, first: 1 }, to: 'deleted' },
      { read: 'an old one is made again' },
      pendingReady,
      { patch: set, with: { spec: { updateStrategy: { rollingUpdate: { partition: 1 } } } } },
      pendingReady,
      { read: 'two updated' },
    ],
  },
  {
    name: 'OnDelete updates a pod when a user deletes it',
    kinds,
    steps: [
      ...running({ replicas: 2, updateStrategy: { type: 'OnDelete' } }),
      toImage('app:2'),
      { read: 'nothing happens' },
      { remove: 'Pod/db-0' },
      { read: 'one is new' },
      pendingReady,
      { read: 'ready' },
    ],
  },
  {
    name: 'updates several pods with maxUnavailable',
    kinds,
    steps: [
      ...running({ replicas: 4, updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } }),
      toImage('app:2'),
      { read: 'first wave' },
      pendingReady,
      { read: 'second wave' },
    ],
  },
  {
    name: 'a broken revision stays stuck until its pod is deleted',
    kinds,
    steps: [
      create({ replicas: 2 }),
      { pods: db, to: 'ready' },
      pendingReady,
      toImage('app:broken'),
      { read: 'stuck' },
      toImage('app:1'),
      { read: 'still stuck' },
      { remove: 'Pod/db-1' },
      { read: 'free' },
    ],
  },
  {
    name: 'recreates a failed pod with its name',
    kinds: ['StatefulSet', 'Pod'],
    steps: [
      ...running({ replicas: 2 }),
      { pods: { ...db, first: 1 }, to: 'failed' },
      { read: 'made again' },
    ],
  },
  {
    name: 'recreates a succeeded pod too',
    kinds: ['StatefulSet', 'Pod'],
    steps: [create({ replicas: 1 }), { pods: db, to: 'succeeded' }, { read: 'made again' }],
  },
  {
    name: 'respects the start ordinal',
    kinds: ['StatefulSet', 'Pod'],
    steps: [
      ...running({ replicas: 2, ordinals: { start: 5 } }),
      { read: 'created' },
      { patch: set, with: { spec: { ordinals: { start: 6 } } } },
      { read: 'moved' },
    ],
  },
  {
    name: 'counts a pod as available after minReadySeconds',
    kinds: ['StatefulSet', 'Pod'],
    steps: [
      create({ replicas: 2, minReadySeconds: 4 }),
      { pods: db, to: 'ready' },
      { read: 'ready' },
      { until: set, path: 'status.availableReplicas', is: 1 },
      { read: 'available' },
    ],
  },
  {
    name: 'deletes old revisions above the history limit',
    kinds: ['StatefulSet', 'ControllerRevision'],
    steps: [
      ...running({ replicas: 1, revisionHistoryLimit: 1 }),
      toImage('app:2'),
      pendingReady,
      toImage('app:3'),
      pendingReady,
      toImage('app:4'),
      pendingReady,
      { read: 'the fourth' },
    ],
  },
  {
    name: 'reuses the revision of an old template with a new number',
    kinds: ['StatefulSet', 'ControllerRevision'],
    steps: [
      ...running({ replicas: 1 }),
      toImage('app:2'),
      pendingReady,
      toImage('app:1'),
      { read: 'during the way back' },
      pendingReady,
      { read: 'back' },
    ],
  },
  {
    name: 'adopts a matching pod with the right name',
    kinds,
    steps: [
      { create: pod('db-0', { labels: { app: 'db' } }) },
      create({ replicas: 1 }),
      { read: 'adopted' },
    ],
  },
  {
    name: 'ignores a matching pod with another name',
    kinds: ['StatefulSet', 'Pod'],
    steps: [
      { create: pod('stranger', { labels: { app: 'db' } }) },
      create({ replicas: 1 }),
      { read: 'not adopted' },
    ],
  },
  {
    name: 'keeps the claim of a deleted pod',
    kinds: withClaims,
    steps: [create(claimed()), { read: 'created' }, { scale: set, to: 1 }, { read: 'scaled down' }],
  },
  {
    name: 'whenScaled Delete deletes claims of pods that are scaled down',
    kinds: withClaims,
    steps: [
      create(
        claimed({
          persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Retain' },
        }),
      ),
      { pods: db, to: 'ready' },
      { read: 'created' },
      { scale: set, to: 1 },
      { read: 'scaled down' },
      { remove: set },
      { until: set, is: 'absent' },
      { read: 'deleted' },
    ],
  },
  {
    name: 'whenDeleted Delete deletes claims with the set',
    kinds: withClaims,
    steps: [
      create(
        claimed({
          persistentVolumeClaimRetentionPolicy: { whenScaled: 'Retain', whenDeleted: 'Delete' },
        }),
      ),
      { read: 'created' },
      { remove: set },
      { until: 'PersistentVolumeClaim/data-db-0', is: 'absent' },
      { read: 'deleted' },
    ],
  },
  {
    name: 'a changed retention policy changes the owners of claims',
    kinds: withClaims,
    steps: [
      create(claimed({ replicas: 1 })),
      {
        patch: set,
        with: {
          spec: {
            persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Delete' },
          },
        },
      },
      { read: 'both delete' },
    ],
  },
  {
    name: 'reports pods that a quota refuses and creates them later',
    kinds: ['StatefulSet', 'Pod'],
    steps: [
      {
        create: {
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          metadata: { name: 'none' },
          spec: { hard: { pods: '0' } },
        },
      },
      create({ replicas: 1 }),
      { read: 'refused' },
      { remove: 'ResourceQuota/none' },
      { until: 'Pod/db-0', withinSeconds: 60 },
      { read: 'made' },
    ],
  },
  {
    name: 'deleting a set deletes its pods and revisions',
    kinds,
    steps: [
      ...running({ replicas: 2 }),
      { remove: set, propagation: 'Background' },
      { until: 'Pod/db-1', is: 'absent' },
      { read: 'deleted' },
    ],
  },
]
