import { expect, test } from 'vitest'
import type { PodObject } from '../pods/pod-state.ts'
import { replicasForPods, replicasForRatio, replicasForShare } from './replica-count.ts'

const nowMs = Date.UTC(2026, 0, 1, 12)
const agoMs = (seconds: number): string => new Date(nowMs - seconds * 1_000).toISOString()

interface Given {
  readonly phase?: string
  readonly ready?: 'True' | 'False'
  /** Seconds since the pod started, and since its Ready condition changed. */
  readonly age?: number
  readonly changed?: number
  readonly isDeleted?: boolean
  /** In thousandths; without it the pod has no measurement. */
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
        phase,
        startTime: agoMs(age),
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
    pods,
    usage,
    nowMs,
    isCpu,
    current: given.length,
    tolerances: { up: 0.1, down: 0.1 },
    ratioOf: (amounts) => [...amounts.values()].reduce((a, b) => a + b, 0) / amounts.size / target,
    atMost: () => target,
  }).replicas
}

const at = (usage: number, more: Given = {}): Given => ({ usage, ...more })

test.each<[string, Given[], number]>([
  ['doubles the replicas at twice the target', [at(200), at(200)], 4],
  ['halves the replicas at half the target', [at(50), at(50)], 1],
  ['keeps the replicas within the tolerance', [at(109), at(109)], 2],
  ['keeps the replicas at the edge of the tolerance', [at(110), at(110)], 2],
  ['scales up beyond the tolerance', [at(111), at(111)], 3],
  [
    'counts pending pods with zero usage when it scales up',
    [at(300), at(300), { phase: 'Pending' }],
    6,
  ],
  [
    'does not scale up when pending pods cover the demand',
    [at(150), { phase: 'Pending' }, { phase: 'Pending' }],
    3,
  ],
  ['ignores pending pods when it scales down', [at(50), at(50), { phase: 'Pending' }], 1],
  ['counts pods without a measurement at the target when it scales down', [at(20), at(20), {}], 2],
  [
    'counts pods without a measurement with zero usage when it scales up',
    [at(200), at(200), {}],
    4,
  ],
  ['ignores terminating pods', [at(200), at(900, { isDeleted: true })], 2],
  ['ignores failed pods', [at(200), at(900, { phase: 'Failed' })], 2],
])('computes replicas from pod usage: %s', (_, given, expected) => {
  expect(sample(given)).toBe(expected)
})

test.each<[string, Given, number]>([
  ['counts a pod that has been ready for a long time', at(200), 4],
  ['ignores an unready pod that is starting', at(900, { ready: 'False', age: 60, changed: 60 }), 2],
  ['ignores a pod that has just become ready', at(900, { age: 60, changed: 10 }), 2],
  ['counts a pod that became ready before the measurement', at(200, { age: 60, changed: 20 }), 4],
  [
    'ignores a pod that was never ready',
    at(900, { ready: 'False', age: 3_600, changed: 3_590 }),
    2,
  ],
  [
    'counts an unready pod that was ready before',
    at(200, { ready: 'False', age: 3_600, changed: 60 }),
    4,
  ],
])('computes replicas from CPU usage: %s', (_, other, expected) => {
  expect(sample([at(200), other], { isCpu: true })).toBe(expected)
})

test.each([
  [[], 'no pods returned by selector while calculating replica count'],
  [[{ phase: 'Pending' }], 'did not receive metrics for targeted pods (pods might be unready)'],
])('fails for the pods %j', (given, message) => {
  expect(() => sample(given)).toThrow(message)
})

test.each([
  [3, 2, 6],
  [1.05, 2, 2],
  [0.5, 2, 1],
  [2.5, 0, 3],
])('with the ratio %j and %j replicas, computes %j', (ratio, current, expected) => {
  const pods = Array.from({ length: current }, () => ({
    metadata: { name: 'p' },
    spec: {},
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
])(
  'computes from a total of %j, an average of %j and %j replicas: %j',
  (total, share, ...[current, expected]) => {
    const tolerances = { up: 0.1, down: 0.1 }
    expect(replicasForShare({ total, share }, { current, tolerances })).toBe(expected)
  },
)
