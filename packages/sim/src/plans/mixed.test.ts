import { expect, test } from 'vitest'
import { mixed, viewOf } from './mixed.ts'
import type { Fault, Plan } from './plan.ts'

const crash = (write: number): Fault => ({ type: 'crash-after', write })
const lists: Fault = { type: 'reversed-lists' }
const held = (resource: string): Fault => ({ type: 'hold', resource, forMs: 1 })
const plansOf = (...faults: readonly Fault[]): Plan[] =>
  faults.map((fault) => ({ step: 0, faults: [fault] }))

test('kinds of faults take turns, and keep their order within a kind', () => {
  const plans = plansOf(crash(1), crash(2), crash(3), lists)
  expect(mixed(plans)).toEqual(plansOf(crash(1), lists, crash(2), crash(3)))
})

test('old views of two resources are two kinds', () => {
  const plans = plansOf(crash(1), crash(2), held('/pods'), held('/secrets'))
  expect(mixed(plans, viewOf)).toEqual(plansOf(crash(1), held('/pods'), held('/secrets'), crash(2)))
})
