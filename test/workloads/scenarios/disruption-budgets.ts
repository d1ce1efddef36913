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

/** Disruption budgets: how many pods may be missing, and evictions. */
export const disruptionBudgetScenarios: readonly Scenario[] = [
  {
    name: 'a minimum is counted as pods become ready',
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
    name: 'an eviction is allowed once and then refused',
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
    name: 'a pod with a node that is evicted terminates',
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
    name: 'a percentage of the wanted pods may be missing',
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
    name: 'a percentage must be there',
    kinds: alone,
    steps: [set(3), ready, budget({ minAvailable: '50%' }), { read: 'of three' }],
  },
  {
    name: 'the wanted number comes from the deployment above',
    kinds: alone,
    steps: [
      { create: workload('Deployment', 'web', { replicas: 4 }) },
      ready,
      budget({ maxUnavailable: 1 }),
      { read: 'of the deployment' },
    ],
  },
  {
    name: 'the wanted number comes from a stateful set',
    kinds: alone,
    steps: [
      { create: workload('StatefulSet', 'web', { replicas: 2, podManagementPolicy: 'Parallel' }) },
      ready,
      budget({ maxUnavailable: 1 }),
      { read: 'of the set' },
    ],
  },
  {
    name: 'a budget without pods is told',
    kinds: alone,
    steps: [budget({ minAvailable: 1 }), { read: 'no pods' }],
  },
  {
    name: 'a budget for missing pods needs a controller',
    kinds: alone,
    steps: [
      { create: pod('web') },
      ready,
      budget({ maxUnavailable: 1 }),
      { read: 'no controller' },
    ],
  },
  {
    name: 'pods whose controller has no scale cannot be counted',
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
    name: 'a minimum needs no controller',
    kinds: alone,
    steps: [
      { together: [{ create: pod('web') }, { create: pod('b', { labels: { app: 'web' } }) }] },
      ready,
      budget({ minAvailable: 1 }),
      { read: 'counted' },
    ],
  },
  {
    name: 'an unready pod may be evicted when the budget is met',
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
    name: 'an unready pod may always be evicted when asked for',
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
    name: 'an unready pod is kept when the budget is not met',
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
    name: 'two budgets for a pod refuse evictions',
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
