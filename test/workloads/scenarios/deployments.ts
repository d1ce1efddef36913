import { newImage, podTemplate, workload } from '../manifests.ts'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['Deployment', 'ReplicaSet', 'Pod']
const web = { of: 'app=web' }
const deployment = 'Deployment/web'

/** A Deployment that is rolled out, as the start of other scenarios. */
function rolledOut(spec: Parameters<typeof workload>[2]): Step[] {
  return [{ create: workload('Deployment', 'web', spec) }, { pods: web, to: 'ready' }]
}

const toImage = (image: string): Step => ({
  patch: deployment,
  type: 'strategic',
  with: newImage(image),
})
/** One pod at a time: the state of a rollout between two pods would depend on timing. */
const pendingReady: Step = { pods: { ...web, which: 'pending', first: 1 }, to: 'ready' }

/** Deployments: rollouts, their rate, their history and their deletion. */
export const deploymentScenarios: readonly Scenario[] = [
  {
    name: 'a rollout is complete when its pods are available',
    kinds,
    steps: [
      { create: workload('Deployment', 'web', { replicas: 3 }) },
      { read: 'created' },
      { pods: { ...web, first: 1 }, to: 'ready' },
      { read: 'one ready' },
      { pods: { ...web, which: 'pending' }, to: 'ready' },
      { read: 'all ready' },
    ],
  },
  {
    name: 'a rolling update continues as pods become ready',
    kinds,
    steps: [
      ...rolledOut({ replicas: 4 }),
      toImage('app:2'),
      { read: 'updated' },
      pendingReady,
      { read: 'first wave' },
      pendingReady,
      { read: 'second wave' },
      pendingReady,
      { read: 'third wave' },
      pendingReady,
      { read: 'fourth wave' },
    ],
  },
  {
    name: 'uses absolute numbers for surge and unavailable',
    kinds,
    steps: [
      ...rolledOut({
        replicas: 5,
        strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } },
      }),
      toImage('app:2'),
      { read: 'updated' },
      pendingReady,
      { read: 'first wave' },
      pendingReady,
      { read: 'second wave' },
    ],
  },
  {
    name: 'rounds percentages up for surge and down for unavailable',
    kinds,
    steps: [
      ...rolledOut({
        replicas: 3,
        strategy: { rollingUpdate: { maxSurge: '30%', maxUnavailable: '40%' } },
      }),
      toImage('app:2'),
      { read: 'updated' },
      pendingReady,
      { read: 'first wave' },
    ],
  },
  {
    name: 'without surge, old pods are deleted first',
    kinds,
    steps: [
      ...rolledOut({
        replicas: 3,
        strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      }),
      toImage('app:2'),
      { read: 'updated' },
      pendingReady,
      { read: 'first wave' },
    ],
  },
  {
    name: 'removes unhealthy old pods first',
    kinds,
    steps: [
      { create: workload('Deployment', 'web', { replicas: 4 }) },
      { pods: { ...web, first: 2 }, to: 'ready' },
      toImage('app:2'),
      { read: 'updated' },
    ],
  },
  {
    name: 'scales both replica sets in proportion during a rollout',
    kinds,
    steps: [
      ...rolledOut({
        replicas: 10,
        strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } },
      }),
      toImage('app:2'),
      { scale: deployment, to: 15 },
      { read: 'scaled up' },
      { scale: deployment, to: 6 },
      { read: 'scaled down' },
    ],
  },
  {
    name: 'scales the only replica set without a rollout',
    kinds,
    steps: [
      ...rolledOut({ replicas: 1 }),
      { scale: deployment, to: 3 },
      { read: 'scaled up' },
      { scale: deployment, to: 0 },
      { read: 'scaled to nothing' },
    ],
  },
  {
    name: 'Recreate waits until the old pods are gone',
    kinds,
    steps: [
      { create: workload('Deployment', 'web', { replicas: 2, strategy: { type: 'Recreate' } }) },
      { pods: web, to: 'ready', on: 'node-1' },
      toImage('app:2'),
      { read: 'old pods terminate' },
      { pods: { ...web, which: 'terminating', first: 1 }, to: 'gone' },
      { read: 'one is left' },
      { pods: { ...web, which: 'terminating' }, to: 'gone' },
      { read: 'new pods' },
      { pods: { ...web, which: 'pending' }, to: 'ready' },
      { read: 'complete' },
    ],
  },
  {
    name: 'a paused deployment is scaled but not rolled out',
    kinds,
    steps: [
      ...rolledOut({ replicas: 2 }),
      { patch: deployment, with: { spec: { paused: true } } },
      { read: 'paused' },
      toImage('app:2'),
      { scale: deployment, to: 3 },
      { read: 'changed while paused' },
      { patch: deployment, with: { spec: { paused: null } } },
      { read: 'resumed' },
    ],
  },
  {
    name: 'creates nothing for a deployment that starts paused',
    kinds,
    steps: [
      { create: workload('Deployment', 'web', { replicas: 2, paused: true }) },
      { read: 'paused' },
      { patch: deployment, with: { spec: { paused: null } } },
      { read: 'resumed' },
    ],
  },
  {
    name: 'reuses the replica set of an old template',
    kinds,
    steps: [
      ...rolledOut({ replicas: 1 }),
      toImage('app:2'),
      pendingReady,
      { read: 'second revision' },
      toImage('app:1'),
      pendingReady,
      { read: 'back at the first template' },
      toImage('app:2'),
      pendingReady,
      { read: 'and forward again' },
    ],
  },
  {
    name: 'deletes old replica sets above the history limit',
    kinds,
    steps: [
      ...rolledOut({ replicas: 1, revisionHistoryLimit: 1 }),
      toImage('app:2'),
      pendingReady,
      toImage('app:3'),
      pendingReady,
      { read: 'third revision' },
    ],
  },
  {
    name: 'without history, keeps only the current replica set',
    kinds,
    steps: [
      ...rolledOut({ replicas: 1, revisionHistoryLimit: 0 }),
      toImage('app:2'),
      pendingReady,
      { read: 'after the rollout' },
    ],
  },
  {
    name: 'reports an exceeded progress deadline',
    kinds,
    steps: [
      { create: workload('Deployment', 'web', { replicas: 1, progressDeadlineSeconds: 1 }) },
      { until: deployment, path: 'status.conditions.Progressing.status', is: 'False' },
      { read: 'too late' },
      { pods: web, to: 'ready' },
      { read: 'but it came' },
    ],
  },
  {
    name: 'keeps the old pods of a stuck update',
    kinds,
    steps: [
      ...rolledOut({ replicas: 2, progressDeadlineSeconds: 2 }),
      toImage('app:broken'),
      { until: deployment, path: 'status.conditions.Progressing.status', is: 'False' },
      { read: 'stuck' },
      toImage('app:1'),
      { read: 'rolled back' },
    ],
  },
  {
    name: 'counts a pod as available only after minReadySeconds',
    kinds,
    steps: [
      { create: workload('Deployment', 'web', { replicas: 2, minReadySeconds: 5 }) },
      { pods: web, to: 'ready' },
      { read: 'ready' },
      { until: deployment, path: 'status.availableReplicas', is: 2 },
      { read: 'available' },
    ],
  },
  {
    name: 'adopts a matching replica set',
    kinds,
    steps: [
      {
        create: workload('ReplicaSet', 'web', {
          replicas: 2,
          selector: { matchLabels: { app: 'web', tier: 'front' } },
          template: podTemplate('web', { labels: { app: 'web', tier: 'front' } }),
        }),
      },
      {
        create: workload('Deployment', 'web', {
          replicas: 2,
          template: podTemplate('web', { labels: { app: 'web', tier: 'front' } }),
        }),
      },
      { read: 'adopted' },
    ],
  },
  {
    name: 'releases a replica set whose labels no longer match',
    // The progress condition of the Deployment after this depends on timing.
    kinds: ['ReplicaSet', 'Pod'],
    steps: [
      ...rolledOut({ replicas: 1 }),
      {
        patch: { kind: 'ReplicaSet', of: 'app=web' },
        with: { metadata: { labels: { app: 'other' } } },
      },
      { read: 'released' },
    ],
  },
  {
    name: 'reports pods that a quota refuses',
    kinds,
    steps: [
      {
        create: {
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          metadata: { name: 'few' },
          spec: { hard: { pods: '1' } },
        },
      },
      { create: workload('Deployment', 'web', { replicas: 2 }) },
      { read: 'refused' },
      { remove: 'ResourceQuota/few' },
      { until: deployment, path: 'status.replicas', is: 2, withinSeconds: 60 },
      { read: 'allowed' },
    ],
  },
  {
    name: 'background deletion of a deployment deletes its dependents',
    kinds,
    steps: [
      ...rolledOut({ replicas: 2 }),
      { remove: deployment, propagation: 'Background' },
      { until: deployment, is: 'absent' },
      { read: 'gone' },
    ],
  },
  {
    name: 'foreground deletion of a deployment waits for its pods',
    kinds,
    steps: [
      { create: workload('Deployment', 'web', { replicas: 2 }) },
      { pods: web, to: 'ready', on: 'node-1' },
      { remove: deployment, propagation: 'Foreground' },
      { read: 'pods terminate' },
      { pods: web, to: 'gone' },
      { until: deployment, is: 'absent' },
      { read: 'gone' },
    ],
  },
  {
    name: 'orphan deletion of a deployment keeps its replica sets',
    kinds,
    steps: [
      ...rolledOut({ replicas: 1 }),
      { remove: deployment, propagation: 'Orphan' },
      { until: deployment, is: 'absent' },
      { read: 'orphaned' },
    ],
  },
  {
    name: 'copies annotations of a deployment to its replica sets',
    kinds,
    steps: [
      ...rolledOut({ replicas: 1 }),
      {
        patch: deployment,
        with: { metadata: { labels: { team: 'a' }, annotations: { note: 'first' } } },
      },
      { read: 'annotated' },
    ],
  },
  {
    name: 'a pod that becomes unready makes the deployment unavailable',
    kinds,
    steps: [
      ...rolledOut({ replicas: 2 }),
      { pods: { ...web, first: 1 }, to: 'unready' },
      { read: 'one unready' },
      { pods: { ...web, which: 'unready' }, to: 'ready' },
      { read: 'ready again' },
    ],
  },
]
