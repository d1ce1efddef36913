import { newImage, podTemplate, workload } from '../manifests.ts'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['Deployment', 'ReplicaSet', 'Pod']
const web = { of: 'app=web' }
const deployment = 'Deployment/web'

/** A deployment that is rolled out: where stories about changes begin. */
function rolledOut(spec: Parameters<typeof workload>[2]): Step[] {
  return [{ create: workload('Deployment', 'web', spec) }, { pods: web, to: 'ready' }]
}

const toImage = (image: string): Step => ({
  patch: deployment,
  type: 'strategic',
  with: newImage(image),
})
/** One at a time: how far a rollout gets between two pods would be left to chance. */
const pendingReady: Step = { pods: { ...web, which: 'pending', first: 1 }, to: 'ready' }

/** Deployments: rollouts, their pace, their history and their end. */
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
    name: 'a rolling update goes on as pods become ready',
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
    name: 'numbers for surge and unavailable are taken as they are',
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
    name: 'percentages are rounded up for surge and down for unavailable',
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
    name: 'without surge old pods go first',
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
    name: 'old pods that are not healthy are removed first',
    kinds,
    steps: [
      { create: workload('Deployment', 'web', { replicas: 4 }) },
      { pods: { ...web, first: 2 }, to: 'ready' },
      toImage('app:2'),
      { read: 'updated' },
    ],
  },
  {
    name: 'scaling during a rollout is shared by both replica sets',
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
    name: 'scaling without a rollout changes the one replica set',
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
    name: 'a deployment that begins paused makes nothing',
    kinds,
    steps: [
      { create: workload('Deployment', 'web', { replicas: 2, paused: true }) },
      { read: 'paused' },
      { patch: deployment, with: { spec: { paused: null } } },
      { read: 'resumed' },
    ],
  },
  {
    name: 'going back to an old template takes its replica set again',
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
    name: 'old replica sets beyond the history limit are deleted',
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
    name: 'without history only the present replica set stays',
    kinds,
    steps: [
      ...rolledOut({ replicas: 1, revisionHistoryLimit: 0 }),
      toImage('app:2'),
      pendingReady,
      { read: 'after the rollout' },
    ],
  },
  {
    name: 'a rollout that makes no progress in time says so',
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
    name: 'an update that is stuck keeps the old pods',
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
    name: 'a pod is available only after it was ready for a while',
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
    name: 'a replica set that matches is adopted',
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
    name: 'a replica set whose labels no longer match is released',
    // What the deployment says about its progress then depends on who is faster.
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
    name: 'a deployment whose pods are refused by a quota says so',
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
    name: 'deleting a deployment in the background takes everything along',
    kinds,
    steps: [
      ...rolledOut({ replicas: 2 }),
      { remove: deployment, propagation: 'Background' },
      { until: deployment, is: 'absent' },
      { read: 'gone' },
    ],
  },
  {
    name: 'deleting a deployment in the foreground waits for pods',
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
    name: 'deleting a deployment without its replica sets leaves orphans',
    kinds,
    steps: [
      ...rolledOut({ replicas: 1 }),
      { remove: deployment, propagation: 'Orphan' },
      { until: deployment, is: 'absent' },
      { read: 'orphaned' },
    ],
  },
  {
    name: 'labels and annotations of a deployment reach its replica sets',
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
