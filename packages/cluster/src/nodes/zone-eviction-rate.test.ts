import type { Node } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { evictionIntervalMs, areAllUnready } from './zone-disruption.ts'
import { ZoneEvictionRate } from './zone-eviction-rate.ts'

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

/** Ready and failed nodes of a zone. */
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
  'with %j ready and %j failed nodes in a zone, evicts the next node after %j ms',
  (ready, failed, ms) => {
    expect(evictionIntervalMs('/z', nodes(ready, failed))).toBe(ms)
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
])('detects that no node is ready (%#)', (all, expected) => {
  expect(areAllUnready(all)).toBe(expected)
})

test('evicts nodes of a zone one after the other, and nodes of another zone immediately', () => {
  const evictionRate = new ZoneEvictionRate()
  const all = [node({ status: 'True' })]
  const decide = (given: Given, nowMs: number) =>
    evictionRate.decide(node(given), { nodes: all, nowMs, onRecovery: () => undefined })
  expect(decide({ status: 'Unknown' }, 0)).toEqual({ evictionTaint: 'set' })
  expect(decide({ status: 'Unknown' }, 4_000)).toEqual({ evictionTaint: 'keep', waitMs: 6_000 })
  expect(decide({ status: 'Unknown', zone: 'other' }, 4_000)).toEqual({ evictionTaint: 'set' })
  expect(decide({ status: 'False', taints: ['unreachable'] }, 4_000)).toEqual({
    evictionTaint: 'set',
  })
  expect(decide({ status: 'Unknown' }, 10_000)).toEqual({ evictionTaint: 'set' })
  expect(decide({ status: 'True', taints: ['unreachable'] }, 10_000)).toEqual({
    evictionTaint: 'clear',
  })
  expect(decide({}, 10_000)).toEqual({ evictionTaint: 'keep' })
})

test('evicts no pods while all nodes fail, and resets all heartbeats when some return', () => {
  const evictionRate = new ZoneEvictionRate()
  const failing = node({ status: 'Unknown' })
  let returns = 0
  const decide = (nodesNow: Node[]) =>
    evictionRate.decide(failing, { nodes: nodesNow, nowMs: 0, onRecovery: () => (returns += 1) })
  expect(decide([failing])).toEqual({ evictionTaint: 'clear' })
  expect(returns).toBe(0)
  expect(decide([failing, node({ status: 'True' })])).toEqual({ evictionTaint: 'set' })
  expect(returns).toBe(1)
})
