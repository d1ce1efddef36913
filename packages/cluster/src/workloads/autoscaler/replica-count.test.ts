import { expect, test } from 'vitest'
import type { PodObject } from '../pods/pod-state.ts'
import { replicasForPods, replicasForRatio, replicasForShare } from './replica-count.ts'

const nowMs = Date.UTC(2026, 0, 1, 12)
const agoMs = (seconds: number): string => new Date(nowMs - seconds * 1_000).toISOString()

interface Given {
  readonly phase?: string
  readonly ready?: 'True' | 'False'
  /** Seconds since it started, and since it became ready or unready. */
  readonly age?: number
  readonly changed?: number
  readonly isDeleted?: boolean
  /** In thousandths; nothing is measured if not given. */
  readonly usage?: number
}

function sample(given: readonly Given[], { isCpu = false } = {}) {
  const pods = given.map((one, index) => {
    const { phase = 'Running', ready = 'True', age = 3_600, changed = 3_500, isDeleted } = one
    return {
      metadata: {
        name: `p${index}`,
        ...(isDeleted === true ? { deletionTimestamp: agoMs(1) } : {}),
      },
      spec: {},
      status: {
        ...{ phase, startTime: agoMs(age) },
        conditions: [{ type: 'Ready', status: ready, lastTransitionTime: agoMs(changed) }],
      },
    } as unknown as PodObject
  })
  const usage = new Map(
    given.flatMap(({ usage: amount }, index) =>
      amount === undefined ? [] : [[`p${index}`, amount] as const],
    ),
  )
  const target = 100
  return replicasForPods({
    ...{ pods, usage, nowMs, isCpu, current: given.length, tolerances: { up: 0.1, down: 0.1 } },
    ratioOf: (amounts) => [...amounts.values()].reduce((a, b) => a + b, 0) / amounts.size / target,
    atMost: () => target,
  }).replicas
}

const at = (usage: number, more: Given = {}): Given => ({ usage, ...more })

test.each<[string, Given[], number]>([
  ['twice the target doubles them', [at(200), at(200)], 4],
  ['half the target halves them', [at(50), at(50)], 1],
  ['near enough is enough', [at(109), at(109)], 2],
  ['exactly at the edge is enough', [at(110), at(110)], 2],
  ['beyond it is not', [at(111), at(111)], 3],
  ['pods that are pending count as using nothing', [at(300), at(300), { phase: 'Pending' }], 6],
  ['and may use up the wish for more', [at(150), { phase: 'Pending' }, { phase: 'Pending' }], 3],
  ['but do not matter when less is wished', [at(50), at(50), { phase: 'Pending' }], 1],
  ['pods nothing is known of use the target when less is wished', [at(20), at(20), {}], 2],
  ['and nothing when more is wished', [at(200), at(200), {}], 4],
  ['pods that are going do not count', [at(200), at(900, { isDeleted: true })], 2],
  ['nor do those that failed', [at(200), at(900, { phase: 'Failed' })], 2],
])('replicas for what pods use: %s', (_, given, expected) => {
  expect(sample(given)).toBe(expected)
})

test.each<[string, Given, number]>([
  ['one that has been ready for long counts', at(200), 4],
  [
    'one that is not ready while it starts does not',
    at(900, { ready: 'False', age: 60, changed: 60 }),
    2,
  ],
  ['one that has just become ready does not', at(900, { age: 60, changed: 10 }), 2],
  ['one that became ready before the measurement does', at(200, { age: 60, changed: 20 }), 4],
  ['one that was never ready does not', at(900, { ready: 'False', age: 3_600, changed: 3_590 }), 2],
  ['one that was ready once does', at(200, { ready: 'False', age: 3_600, changed: 60 }), 4],
])('replicas for CPU: %s', (_, other, expected) => {
  expect(sample([at(200), other], { isCpu: true })).toBe(expected)
})

test.each([
  [[], 'no pods returned by selector while calculating replica count'],
  [[{ phase: 'Pending' }], 'did not receive metrics for targeted pods (pods might be unready)'],
])('nothing can be said of %j', (given, message) => {
  expect(() => sample(given)).toThrow(message)
})

test.each([
  [3, 2, 6],
  [1.05, 2, 2],
  [0.5, 2, 1],
  [2.5, 0, 3],
])('a ratio of %j with %j replicas makes %j', (ratio, current, expected) => {
  const pods = Array.from({ length: current }, () => ({
    ...{ metadata: { name: 'p' }, spec: {} },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  })) as unknown as PodObject[]
  const tolerances = { up: 0.1, down: 0.1 }
  expect(replicasForRatio(ratio, { pods, current, tolerances })).toBe(expected)
})

test.each([
  [30_000, 10_000, 2, 3],
  [21_000, 10_000, 2, 2],
  [1_000, 10_000, 2, 1],
  [30_000, 10_000, 0, 3],
])('%j in parts of %j with %j replicas makes %j', (total, share, ...[current, expected]) => {
  const tolerances = { up: 0.1, down: 0.1 }
  expect(replicasForShare({ total, share }, { current, tolerances })).toBe(expected)
})
