import type { Taint, Toleration } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { evictionDelayMs } from './eviction-delay.ts'

const taint = (key: string): Taint => ({ key, effect: 'NoExecute' })
const tolerated = (key: string, tolerationSeconds?: number): Toleration => ({
  key,
  operator: 'Exists',
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
})

test.each<[string, Toleration[], Taint[], number]>([
  ['without taints: no limit', [], [], Infinity],
  ['a taint that is not tolerated: immediately', [tolerated('b')], [taint('a')], 0],
  ['a tolerated taint: no limit', [tolerated('a')], [taint('a')], Infinity],
  ['a taint that is tolerated for a time: that time', [tolerated('a', 30)], [taint('a')], 30_000],
  ['a negative time: immediately', [tolerated('a', -1)], [taint('a')], 0],
  [
    'several matching tolerations: the first one',
    [tolerated('a', 30), tolerated('a', 5)],
    [taint('a')],
    30_000,
  ],
  [
    'several taints: the shortest time',
    [tolerated('a', 30), tolerated('b', 5), tolerated('c')],
    [taint('a'), taint('b'), taint('c')],
    5_000,
  ],
  [
    'several taints with one that is not tolerated: immediately',
    [tolerated('a', 30)],
    [taint('a'), taint('b')],
    0,
  ],
])('computes the eviction delay: %s', (_, tolerations, ...[taints, delayMs]) => {
  expect(evictionDelayMs(tolerations, taints)).toBe(delayMs)
})
