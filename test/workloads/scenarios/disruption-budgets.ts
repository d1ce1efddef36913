import type { JsonObject } from 'setpoint/schema'
import { job, pod, podTemplate, workload } from '../manifests.ts'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['PodDisruptionBudget', 'Pod']
const alone = ['PodDisruptionBudget']
const never = { restartPolicy: 'Never' }
const web = { of: 'app=web' }
const budget = (spec: JsonObject): Step => ({
  create: {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  },
})
const set = (replicas: number): Step => ({ create: workload('ReplicaSet', 'web', { replicas }) })
const ready: Step = { pods: web, to: 'ready' }
const evict = (answer: string, which: 'ready' | 'unready' = 'ready'): Step => ({
  answer,
  method: 'POST',
  target: { ...web, which, first: 1 },
  subresource: 'eviction',
  body: { apiVersion: 'policy/v1', kind: 'Eviction' },
})

/** PodDisruptionBudgets: how many pods may be unavailable, and evictions. */
export const disruptionBudgetScenarios: readonly Scenario[] = [
  {
    name: 'updates minAvailable as pods become ready',
    kinds: alone,
    steps: [
      set(3),
      budget({ minAvailable: 2 }),
      { read: 'none ready' },
      { pods: { ...web, first: 2 }, to: 'ready' },
      { read: 'two ready' },
      { pods: { ...web, which: 'pending' }, to: 'ready' },
      { read: 'three ready' },
    ],
  },
  {
    name: 'allows one eviction and refuses the next',
    kinds,
    steps: [
      set(2),
      ready,
      budget({ minAvailable: 1 }),
      evict('the first'),
      { read: 'evicted' },
      evict('the second'),
      { read: 'refused' },
    ],
  },
  {
    name: 'an evicted pod with a node is terminating',
    kinds,
    steps: [
      set(3),
      { pods: web, to: 'ready', on: 'node-1' },
      budget({ maxUnavailable: 1 }),
      { read: 'before' },
      evict('the first'),
      { read: 'terminating' },
      evict('the second'),
      { pods: { ...web, which: 'terminating' }, to: 'gone' },
      { pods: { ...web, which: 'pending' }, to: 'ready' },
      { read: 'recovered' },
    ],
  },
  {
    name: 'allows a percentage of pods to be unavailable',
    kinds: alone,
    steps: [
      set(5),
      ready,
      budget({ maxUnavailable: '30%' }),
      { read: 'of five' },
      { scale: 'ReplicaSet/web', to: 10 },
      { read: 'of ten' },
    ],
  },
  {
    name: 'requires a percentage of pods to be available',
    kinds: alone,
    steps: [set(3), ready, budget({ minAvailable: '50%' }), { read: 'of three' }],
  },
  {
    name: 'reads the replicas of the deployment',
    kinds: alone,
    steps: [
      { create: workload('Deployment', 'web', { replicas: 4 }) },
      ready,
      budget({ maxUnavailable: 1 }),
      { read: 'of the deployment' },
    ],
  },
  {
    name: 'reads the replicas of a stateful set',
    kinds: alone,
    steps: [
      { create: workload('StatefulSet', 'web', { replicas: 2, podManagementPolicy: 'Parallel' }) },
      ready,
      budget({ maxUnavailable: 1 }),
      { read: 'of the set' },
    ],
  },
  {
    name: 'reports a budget without pods',
    kinds: alone,
    steps: [budget({ minAvailable: 1 }), { read: 'no pods' }],
  },
  {
    name: 'maxUnavailable needs a controller',
    kinds: alone,
    steps: [
      { create: pod('web') },
      ready,
      budget({ maxUnavailable: 1 }),
      { read: 'no controller' },
    ],
  },
  {
    name: 'reports pods whose controller has no scale subresource',
    kinds: alone,
    steps: [
      {
        create: job('web', { parallelism: 2, template: podTemplate('web', { spec: never }) }),
      },
      ready,
      budget({ maxUnavailable: 1 }),
      { read: 'failed' },
      evict('any'),
      { read: 'refused' },
    ],
  },
  {
    name: 'minAvailable needs no controller',
    kinds: alone,
    steps: [
      { together: [{ create: pod('web') }, { create: pod('b', { labels: { app: 'web' } }) }] },
      ready,
      budget({ minAvailable: 1 }),
      { read: 'counted' },
    ],
  },
  {
    name: 'allows the eviction of an unready pod when the budget is met',
    kinds: alone,
    steps: [
      set(2),
      ready,
      budget({ minAvailable: 1 }),
      { pods: { ...web, first: 1 }, to: 'unready' },
      { read: 'one unready' },
      evict('the unready one', 'unready'),
      evict('the ready one'),
    ],
  },
  {
    name: 'AlwaysAllow allows the eviction of an unready pod',
    kinds: alone,
    steps: [
      set(2),
      { pods: web, to: 'running' },
      budget({ minAvailable: 2, unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
      evict('an unready one', 'unready'),
      { read: 'evicted' },
    ],
  },
  {
    name: 'refuses the eviction of an unready pod when the budget is not met',
    kinds: alone,
    steps: [
      set(2),
      { pods: web, to: 'running' },
      budget({ minAvailable: 2 }),
      evict('an unready one', 'unready'),
      { read: 'refused' },
    ],
  },
  {
    name: 'refuses the eviction of a pod with two budgets',
    kinds: alone,
    steps: [
      set(2),
      ready,
      budget({ minAvailable: 1 }),
      {
        create: {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { name: 'second' },
          spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
        },
      },
      evict('any'),
      { read: 'refused' },
    ],
  },
]
