import { expect, test } from 'vitest'
import type { PodObject } from '../pods/pod-state.ts'
import { budgetStatus, demandOf, disruptedPods, failedStatus, needsScale } from './budget-status.ts'
import { selectorText } from './selector-text.ts'

type BudgetObject = Parameters<typeof needsScale>[0]

const nowMs = Date.UTC(2026, 0, 1, 12)
const at = (second: number): string => new Date(nowMs + second * 1000).toISOString()

function aBudget(
  spec: BudgetObject['spec'],
  status: NonNullable<BudgetObject['status']> = {},
): BudgetObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'b',
      generation: 3,
      resourceVersion: '1',
      creationTimestamp: at(0),
    },
    spec,
    status,
  }
}

function aPod(
  name: string,
  isReady = true,
  further: Partial<PodObject['metadata']> = {},
): PodObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      resourceVersion: '1',
      creationTimestamp: at(0),
      ...further,
    },
    spec: { containers: [] },
    status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  }
}

test.each([
  [{ minAvailable: 2 }, false, { expected: 5, healthy: 2 }],
  [{ minAvailable: '50%' }, true, { expected: 9, healthy: 5 }],
  [{ maxUnavailable: 2 }, true, { expected: 9, healthy: 7 }],
  [{ maxUnavailable: '30%' }, true, { expected: 9, healthy: 6 }],
  [{ maxUnavailable: 20 }, true, { expected: 9, healthy: 0 }],
  [{}, false, { expected: 0, healthy: 0 }],
])(
  'for the budget %j with 5 pods and 9 desired replicas, needs the scale: %j, requires %j',
  (spec, isScaled, expected) => {
    const budget = aBudget(spec)
    expect(needsScale(budget)).toBe(isScaled)
    expect(demandOf(budget, 5, 9)).toEqual(expected)
  },
)

test('counts ready pods that are not terminating as healthy, and allows disruptions above the required number', () => {
  const terminating = { deletionTimestamp: at(0) }
  const pods = [aPod('a'), aPod('b'), aPod('c'), aPod('d', false), aPod('e', true, terminating)]
  const observed = { budget: aBudget({ minAvailable: 1 }), pods, nowMs }
  const demand = { expected: 5, healthy: 1 }
  const status = budgetStatus({ ...observed, demand, evicted: { c: at(0) } })
  expect(status).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 1, observedGeneration: 3 })
  expect(status.disruptedPods).toEqual({ c: at(0) })
  expect(status.conditions).toMatchObject([{ status: 'True', reason: 'SufficientPods' }])
  const none = budgetStatus({ ...observed, demand: { expected: 0, healthy: 0 }, evicted: {} })
  expect(none).toMatchObject({ currentHealthy: 3, disruptionsAllowed: 0 })
  expect(none).not.toHaveProperty('disruptedPods')
})

test('keeps lastTransitionTime while the status is unchanged', () => {
  const spec = { minAvailable: 1 }
  const demand = { expected: 1, healthy: 1 }
  const first = budgetStatus({ budget: aBudget(spec), pods: [], demand, evicted: {}, nowMs })
  const observed = { budget: aBudget(spec, first), demand, evicted: {}, nowMs: nowMs + 60_000 }
  expect(budgetStatus({ ...observed, pods: [] })).toEqual(first)
  const pods = [aPod('a'), aPod('b')]
  const [condition] = budgetStatus({ ...observed, pods }).conditions ?? []
  expect(condition?.lastTransitionTime).toBe('2026-01-01T12:01:00Z')
})

test('allows no disruption and reports the reason when pods cannot be counted', () => {
  const budget = aBudget({ maxUnavailable: 1 }, { disruptionsAllowed: 4, observedGeneration: 2 })
  expect(failedStatus(budget, 'because', nowMs)).toMatchObject({
    disruptionsAllowed: 0,
    observedGeneration: 2,
    conditions: [{ reason: 'SyncFailed', message: 'because', observedGeneration: 2 }],
  })
})

test('waits two minutes for the deletion of an evicted pod', () => {
  const names = { late: at(-121), soon: at(-119), terminating: at(0), gone: at(0) }
  const budget = aBudget({ minAvailable: 1 }, { disruptedPods: names })
  const terminating = aPod('terminating', true, { deletionTimestamp: at(0) })
  const { evicted, overdue } = disruptedPods(
    budget,
    [aPod('late'), aPod('soon'), terminating],
    nowMs,
  )
  expect(evicted).toEqual({ soon: at(-119) })
  expect(overdue.map(({ metadata }) => metadata.name)).toEqual(['late'])
})

test('formats a selector as Go does', () => {
  const matchExpressions = [
    { key: 'tier', operator: 'In', values: ['a', 'b'] },
    { key: 'old', operator: 'DoesNotExist' },
  ] as const
  expect(selectorText({ matchLabels: { b: '2', a: '1' }, matchExpressions })).toBe(
    '&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:tier,Operator:In,Values:[a b],},LabelSelectorRequirement{Key:old,Operator:DoesNotExist,Values:[],},},}',
  )
  expect(selectorText(undefined)).toBe('nil')
})
