import type { Taint, Toleration } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { evictionDelayMs } from './eviction-delay.ts'

const taint = (key: string): Taint => ({ key, effect: 'NoExecute' })
const tolerated = (key: string, tolerationSeconds?: number): Toleration => ({
  ...{ key, operator: 'Exists' },
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
})

test.each<[string, Toleration[], Taint[], number]>([
  ['one without taints: for ever', [], [], Infinity],
  ['a taint it does not tolerate: not at all', [tolerated('b')], [taint('a')], 0],
  ['one it tolerates: for ever', [tolerated('a')], [taint('a')], Infinity],
  ['one it tolerates for a while: so long', [tolerated('a', 30)], [taint('a')], 30_000],
  ['a negative while: not at all', [tolerated('a', -1)], [taint('a')], 0],
  ['the first toleration counts', [tolerated('a', 30), tolerated('a', 5)], [taint('a')], 30_000],
  [
    'of several taints the shortest while',
    [tolerated('a', 30), tolerated('b', 5), tolerated('c')],
    [taint('a'), taint('b'), taint('c')],
    5_000,
  ],
  [
    'of several taints one that it does not tolerate',
    [tolerated('a', 30)],
    [taint('a'), taint('b')],
    0,
  ],
])('how long a pod may stay on a node, %s', (_, tolerations, ...[taints, delayMs]) => {
  expect(evictionDelayMs(tolerations, taints)).toBe(delayMs)
})
