import { expect, expectTypeOf, test } from 'vitest'
import { conditionOf } from './condition-of.ts'
import type { Pod, PodCondition } from '../generated/core-v1.ts'
import type { Observed } from './observed.ts'

const pod: Observed<Pod> = {
  status: {
    conditions: [
      { type: 'PodScheduled', status: 'True' },
      { type: 'Ready', status: 'False', reason: 'ContainersNotReady' },
    ],
  },
}

test('finds the condition of a type anywhere in the list', () => {
  expect(conditionOf(pod, 'Ready')?.reason).toBe('ContainersNotReady')
})

test('returns undefined for an unreported condition or a missing object', () => {
  expect(conditionOf(pod, 'Initialized')).toBeUndefined()
  expect(conditionOf({}, 'Ready')).toBeUndefined()
  expect(conditionOf({ status: { conditions: null } }, 'Ready')).toBeUndefined()
  expect(conditionOf(undefined, 'Ready')).toBeUndefined()
})

test('has the type of the object’s own conditions', () => {
  const stored = {} as Pod
  expectTypeOf(conditionOf(stored, 'Ready')).toEqualTypeOf<PodCondition | undefined>()
})

test('accepts only known condition types', () => {
  const application: { status?: { conditions?: { type: 'Ready'; status: string }[] } } = {}
  // @ts-expect-error the object has no condition of this name
  expect(conditionOf(application, 'Raedy')).toBeUndefined()
})
