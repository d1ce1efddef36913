import type { JsonObject } from 'setpoint/schema'
import { newImage, pod, podTemplate, workload } from '../manifests.ts'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['StatefulSet', 'ControllerRevision', 'Pod']
const withClaims = ['StatefulSet', 'Pod', 'PersistentVolumeClaim']
const db = { of: 'app=db' }
const set = 'StatefulSet/db'

const create = (spec: JsonObject): Step => ({ create: workload('StatefulSet', 'db', spec) })
/** One at a time: how far an update gets between two pods would be left to chance. */
const pendingReady: Step = { pods: { ...db, which: 'pending', first: 1 }, to: 'ready' }
const toImage = (image: string): Step => ({ patch: set, type: 'strategic', with: newImage(image) })
const parallel = { podManagementPolicy: 'Parallel' }

/** Pods that are all ready, whatever their number. */
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

/** Stateful sets: order, identity, revisions and claims. */
export const statefulSetScenarios: readonly Scenario[] = [
  {
    name: 'pods are made one after the other, each when the one before is ready',
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
    name: 'pods are made at once when the policy is Parallel',
    kinds,
    steps: [
      create({ ...parallel, replicas: 3 }),
      { read: 'created' },
      { pods: db, to: 'ready' },
      { read: 'ready' },
    ],
  },
  {
    name: 'the last pod goes first, and the next when it is gone',
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
    name: 'nothing is scaled down while a pod is not ready',
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
    name: 'Parallel pods are scaled down at once',
    kinds: ['StatefulSet', 'Pod'],
    steps: [...running({ replicas: 3 }), { scale: set, to: 0 }, { read: 'nothing is left' }],
  },
  {
    name: 'a rolling update goes from the last pod to the first',
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
    name: 'a rolling update in order does the same',
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
    name: 'OnDelete updates a pod when somebody deletes it',
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
    name: 'several pods may be updated at once',
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
    name: 'a broken revision stays stuck until its pod is removed',
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
    name: 'a failed pod is made again under its name',
    kinds: ['StatefulSet', 'Pod'],
    steps: [
      ...running({ replicas: 2 }),
      { pods: { ...db, first: 1 }, to: 'failed' },
      { read: 'made again' },
    ],
  },
  {
    name: 'a succeeded pod is made again too',
    kinds: ['StatefulSet', 'Pod'],
    steps: [create({ replicas: 1 }), { pods: db, to: 'succeeded' }, { read: 'made again' }],
  },
  {
    name: 'ordinals can begin elsewhere',
    kinds: ['StatefulSet', 'Pod'],
    steps: [
      ...running({ replicas: 2, ordinals: { start: 5 } }),
      { read: 'created' },
      { patch: set, with: { spec: { ordinals: { start: 6 } } } },
      { read: 'moved' },
    ],
  },
  {
    name: 'a pod is available after it was ready for a while',
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
    name: 'old revisions beyond the history limit are deleted',
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
    name: 'an old template takes its revision again under a new number',
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
    name: 'a pod of the right name that matches is adopted',
    kinds,
    steps: [
      { create: pod('db-0', { labels: { app: 'db' } }) },
      create({ replicas: 1 }),
      { read: 'adopted' },
    ],
  },
  {
    name: 'a pod that matches but has another name is left alone',
    kinds: ['StatefulSet', 'Pod'],
    steps: [
      { create: pod('stranger', { labels: { app: 'db' } }) },
      create({ replicas: 1 }),
      { read: 'not adopted' },
    ],
  },
  {
    name: 'every pod has a claim that survives it',
    kinds: withClaims,
    steps: [create(claimed()), { read: 'created' }, { scale: set, to: 1 }, { read: 'scaled down' }],
  },
  {
    name: 'claims go with the pods that are scaled away when asked for',
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
    name: 'claims go with the set when asked for',
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
    name: 'a change of the retention policy changes the owners of claims',
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
    name: 'pods refused by a quota are told and made later',
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
    name: 'deleting a set takes pods and revisions along',
    kinds,
    steps: [
      ...running({ replicas: 2 }),
      { remove: set, propagation: 'Background' },
      { until: 'Pod/db-1', is: 'absent' },
      { read: 'deleted' },
    ],
  },
]
