import type { Node } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { emptyingPaceMs, isCutOff } from './zone-disruption.ts'
import { ZonePacer } from './zone-pacer.ts'

interface Given {
  readonly status?: string
  readonly zone?: string
  readonly labels?: Record<string, string>
  readonly taints?: readonly string[]
}

const node = ({ status, zone = 'z', labels = {}, taints = [] }: Given): Node =>
  ({
    metadata: { name: 'n', labels: { 'topology.kubernetes.io/zone': zone, ...labels } },
    spec: {
      taints: taints.map((key) => ({ key: `node.kubernetes.io/${key}`, effect: 'NoExecute' })),
    },
    status: { conditions: status === undefined ? [] : [{ type: 'Ready', status }] },
  }) as unknown as Node

/** So many nodes of a zone that are ready, and that have failed. */
const nodes = (ready: number, failed: number): Node[] => [
  ...Array.from({ length: ready }, () => node({ status: 'True' })),
  ...Array.from({ length: failed }, () => node({ status: 'Unknown' })),
]

test.each([
  [1, 1, 10_000],
  [0, 3, 10_000],
  [1, 2, 10_000],
  [3, 3, 10_000],
  [2, 3, Infinity],
  [20, 40, 100_000],
])(
  'with %j ready and %j failed nodes in a zone, the next is emptied after %j ms',
  (ready, failed, ms) => {
    expect(emptyingPaceMs('/z', nodes(ready, failed))).toBe(ms)
  },
)

test.each([
  [[node({ status: 'False' }), node({ zone: 'other' })], true],
  [[node({ status: 'False' }), node({ zone: 'other', status: 'True' })], false],
  [
    [
      node({ status: 'False' }),
      node({ status: 'True', labels: { 'node.kubernetes.io/exclude-disruption': '' } }),
    ],
    true,
  ],
])('a cluster is cut off when none of its nodes is ready (%#)', (all, expected) => {
  expect(isCutOff(all)).toBe(expected)
})

test('nodes of a zone are emptied one after the other, those of another at once', () => {
  const pacer = new ZonePacer()
  const all = [node({ status: 'True' })]
  const decide = (given: Given, nowMs: number) =>
    pacer.decide(node(given), { nodes: all, nowMs, onReturn: () => undefined })
  expect(decide({ status: 'Unknown' }, 0)).toEqual({ expelling: 'set' })
  expect(decide({ status: 'Unknown' }, 4_000)).toEqual({ expelling: 'keep', waitMs: 6_000 })
  expect(decide({ status: 'Unknown', zone: 'other' }, 4_000)).toEqual({ expelling: 'set' })
  expect(decide({ status: 'False', taints: ['unreachable'] }, 4_000)).toEqual({ expelling: 'set' })
  expect(decide({ status: 'Unknown' }, 10_000)).toEqual({ expelling: 'set' })
  expect(decide({ status: 'True', taints: ['unreachable'] }, 10_000)).toEqual({
    expelling: 'clear',
  })
  expect(decide({}, 10_000)).toEqual({ expelling: 'keep' })
})

test('nobody is driven away while all nodes fail, and all get time when some come back', () => {
  const pacer = new ZonePacer()
  const failing = node({ status: 'Unknown' })
  let returns = 0
  const decide = (nodesNow: Node[]) =>
    pacer.decide(failing, { nodes: nodesNow, nowMs: 0, onReturn: () => (returns += 1) })
  expect(decide([failing])).toEqual({ expelling: 'clear' })
  expect(returns).toBe(0)
  expect(decide([failing, node({ status: 'True' })])).toEqual({ expelling: 'set' })
  expect(returns).toBe(1)
})
