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
    ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' },
    metadata: {
      ...{ name: 'web', namespace: 'default', uid: 'b', generation: 3 },
      ...{ resourceVersion: '1', creationTimestamp: at(0) },
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
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: {
      ...{ name, namespace: 'default', uid: name, resourceVersion: '1' },
      ...{ creationTimestamp: at(0), ...further },
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
])('of 5 pods whose controllers want 9, %j demands', (spec, isScaled, wanted) => {
  const budget = aBudget(spec)
  expect(needsScale(budget)).toBe(isScaled)
  expect(demandOf(budget, 5, 9)).toEqual(wanted)
})

test('only ready pods that stay are well, and what is more than demanded may go', () => {
  const going = { deletionTimestamp: at(0) }
  const pods = [aPod('a'), aPod('b'), aPod('c'), aPod('d', false), aPod('e', true, going)]
  const observed = { budget: aBudget({ minAvailable: 1 }), pods, nowMs }
  const demand = { expected: 5, healthy: 1 }
  const status = budgetStatus({ ...observed, demand, awaited: { c: at(0) } })
  expect(status).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 1, observedGeneration: 3 })
  expect(status.disruptedPods).toEqual({ c: at(0) })
  expect(status.conditions).toMatchObject([{ status: 'True', reason: 'SufficientPods' }])
  const none = budgetStatus({ ...observed, demand: { expected: 0, healthy: 0 }, awaited: {} })
  expect(none).toMatchObject({ currentHealthy: 3, disruptionsAllowed: 0 })
  expect(none).not.toHaveProperty('disruptedPods')
})

test('a condition keeps the time of its last change', () => {
  const spec = { minAvailable: 1 }
  const demand = { expected: 1, healthy: 1 }
  const first = budgetStatus({ budget: aBudget(spec), pods: [], demand, awaited: {}, nowMs })
  const observed = { budget: aBudget(spec, first), demand, awaited: {}, nowMs: nowMs + 60_000 }
  expect(budgetStatus({ ...observed, pods: [] })).toEqual(first)
  const pods = [aPod('a'), aPod('b')]
  const [condition] = budgetStatus({ ...observed, pods }).conditions ?? []
  expect(condition?.lastTransitionTime).toBe('2026-01-01T12:01:00Z')
})

test('what cannot be counted permits nothing and says why', () => {
  const budget = aBudget({ maxUnavailable: 1 }, { disruptionsAllowed: 4, observedGeneration: 2 })
  expect(failedStatus(budget, 'because', nowMs)).toMatchObject({
    disruptionsAllowed: 0,
    observedGeneration: 2,
    conditions: [{ reason: 'SyncFailed', message: 'because', observedGeneration: 2 }],
  })
})

test('a pod that was permitted to go is waited for, for two minutes', () => {
  const names = { late: at(-121), soon: at(-119), going: at(0), gone: at(0) }
  const budget = aBudget({ minAvailable: 1 }, { disruptedPods: names })
  const going = aPod('going', true, { deletionTimestamp: at(0) })
  const { awaited, overdue } = disruptedPods(budget, [aPod('late'), aPod('soon'), going], nowMs)
  expect(awaited).toEqual({ soon: at(-119) })
  expect(overdue.map(({ metadata }) => metadata.name)).toEqual(['late'])
})

test('a selector is told as Go prints it', () => {
  const matchExpressions = [
    { key: 'tier', operator: 'In', values: ['a', 'b'] },
    { key: 'old', operator: 'DoesNotExist' },
  ] as const
  expect(selectorText({ matchLabels: { b: '2', a: '1' }, matchExpressions })).toBe(
    '&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:tier,Operator:In,Values:[a b],},LabelSelectorRequirement{Key:old,Operator:DoesNotExist,Values:[],},},}',
  )
  expect(selectorText(undefined)).toBe('nil')
})
