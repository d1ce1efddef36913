import { describe, expect, test } from 'vitest'
import type { DeploymentObject, ReplicaSetObject } from './revisions.ts'
import {
  currentSize,
  rolloutLimits,
  isScaled,
  oldSizes,
  proportionalSizes,
  type Rollout,
} from './rollout.ts'

interface Rolling {
  readonly replicas: number
  readonly surge?: number | string
  readonly unavailable?: number | string
}

const deployment = ({ replicas, surge = '25%', unavailable = '25%' }: Rolling): DeploymentObject =>
  ({
    spec: {
      replicas,
      strategy: {
        type: 'RollingUpdate',
        rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable },
      },
    },
  }) as DeploymentObject

let sets = 0
const set = (replicas: number, available = 0, noted?: [desired: number, max: number]) => {
  sets += 1
  return {
    metadata: {
      name: `web-${sets}`,
      creationTimestamp: `2030-01-01T00:00:${String(sets % 60).padStart(2, '0')}Z`,
      annotations:
        noted === undefined
          ? {}
          : {
              'deployment.kubernetes.io/desired-replicas': String(noted[0]),
              'deployment.kubernetes.io/max-replicas': String(noted[1]),
            },
    },
    spec: { replicas },
    status: { replicas, availableReplicas: available },
  } as unknown as ReplicaSetObject
}

describe('surge and unavailability', () => {
  test.each([
    [{ replicas: 10 }, { surge: 3, unavailable: 2 }],
    [{ replicas: 4 }, { surge: 1, unavailable: 1 }],
    [{ replicas: 1 }, { surge: 1, unavailable: 0 }],
    [
      { replicas: 1, surge: 0 },
      { surge: 0, unavailable: 1 },
    ],
    [
      { replicas: 3, surge: 0, unavailable: '10%' },
      { surge: 0, unavailable: 1 },
    ],
    [
      { replicas: 3, surge: '100%', unavailable: 5 },
      { surge: 3, unavailable: 3 },
    ],
  ])('resolves %j to %j', (given, expected) => {
    expect(rolloutLimits(deployment(given))).toEqual(expected)
  })
})

test.each<[Rolling, pods: { current?: number; old: number[] }, expected: number]>([
  [{ replicas: 3 }, { old: [] }, 3],
  [{ replicas: 3 }, { old: [3] }, 1],
  [{ replicas: 10 }, { current: 3, old: [10] }, 3],
  [{ replicas: 10 }, { current: 3, old: [8] }, 5],
  [{ replicas: 10 }, { current: 3, old: [] }, 10],
  [{ replicas: 3 }, { current: 5, old: [] }, 3],
])('with %j and %j pods, allows %j new pods', (given, { current, old }, expected) => {
  const rollout: Rollout = {
    deployment: deployment(given),
    current: current === undefined ? undefined : set(current),
    old: old.map((size) => set(size)),
  }
  expect(currentSize(rollout)).toBe(expected)
})

describe('scaling down old sets', () => {
  const sizes = (rollout: Rollout): number[] => oldSizes(rollout).map(({ replicas }) => replicas)

  test('keeps enough pods available', () => {
    const current = set(3, 3)
    expect(
      sizes({ deployment: deployment({ replicas: 10 }), current, old: [set(10, 10)] }),
    ).toEqual([5])
  })

  test('waits for new pods that are not available', () => {
    const current = set(3, 0)
    expect(sizes({ deployment: deployment({ replicas: 10 }), current, old: [set(8, 8)] })).toEqual(
      [],
    )
  })

  test('removes unhealthy pods first', () => {
    const current = set(1, 0)
    const old = [set(3, 1)]
    const rollout = { deployment: deployment({ replicas: 3, unavailable: 2 }), current, old }
    expect(sizes(rollout)).toEqual([1])
  })

  test('waits while a set has more available pods than replicas', () => {
    const current = set(4, 0)
    expect(sizes({ deployment: deployment({ replicas: 6 }), current, old: [set(5, 8)] })).toEqual(
      [],
    )
  })
})

describe('a Deployment with changed replicas', () => {
  const sizes = (rollout: Rollout): number[] =>
    proportionalSizes(rollout).map(({ replicas }) => replicas)

  test('is detected by the size annotations of its sets', () => {
    const rollout = (noted: [number, number]): Rollout => ({
      deployment: deployment({ replicas: 5 }),
      current: set(3, 3, noted),
      old: [],
    })
    expect(isScaled(rollout([3, 4]))).toBe(true)
    expect(isScaled(rollout([5, 7]))).toBe(false)
  })

  test('scales its only set to the new size', () => {
    const rollout = {
      deployment: deployment({ replicas: 5 }),
      current: set(3, 3, [3, 4]),
      old: [set(0)],
    }
    expect(sizes(rollout)).toEqual([5])
  })

  test('scales all sets in proportion during a rollout', () => {
    const given = { replicas: 15, surge: 3, unavailable: 2 }
    const old = [set(8, 8, [10, 13])]
    expect(sizes({ deployment: deployment(given), current: set(5, 0, [10, 13]), old })).toEqual([
      11, 7,
    ])
  })

  test('scales old sets to zero when the new set is complete', () => {
    const rollout = {
      deployment: deployment({ replicas: 2 }),
      current: set(2, 2, [2, 3]),
      old: [set(1, 1, [2, 3])],
    }
    expect(sizes(rollout)).toEqual([0])
  })
})
