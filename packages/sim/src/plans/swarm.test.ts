import { expect, test } from 'vitest'
import type { Plan } from './plan.ts'
import { swarmOf } from './swarm.ts'

const singles: readonly Plan[] = [
  ...[1, 2, 3, 4].flatMap((write): Plan[] => [
    { step: 0, faults: [{ type: 'crash-after', write }] },
    { step: 0, faults: [{ type: 'lose-answer', write }] },
  ]),
  { step: 0, faults: [{ type: 'reversed-lists' }] },
  { step: 0, faults: [{ type: 'absent', steps: 2 }] },
  { step: 1, faults: [{ type: 'crash-after', write: 1 }] },
]

test('a swarm has random sets of faults in one step, at most one for each write', () => {
  const swarm = swarmOf(singles, 1)
  expect(swarm.length).toBeGreaterThan(50)
  for (const { step, faults } of swarm) {
    expect(step).toBe(0)
    expect(faults.length).toBeGreaterThan(1)
    const writes = faults.flatMap((fault) => ('write' in fault ? [fault.write] : []))
    expect(new Set(writes).size).toBe(writes.length)
    expect(faults.map(({ type }) => type)).not.toContain('absent')
  }
})

test('the seed determines a swarm', () => {
  expect(swarmOf(singles, 7)).toEqual(swarmOf(singles, 7))
  expect(swarmOf(singles, 7)).not.toEqual(swarmOf(singles, 8))
})

test('a workload with single faults only has no swarm', () => {
  expect(swarmOf(singles.slice(-1), 1)).toEqual([])
})
