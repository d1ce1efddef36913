import type { Lease, Node } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { lostAtMs, lostConditions, nextHealth, type NodeHealth } from './node-health.ts'

const node = (...conditions: object[]): Node =>
  ({
    metadata: { name: 'a', creationTimestamp: '1970-01-01T00:00:10Z' },
    spec: {},
    status: { conditions },
  }) as unknown as Node

const ready = (status: string, lastHeartbeatTime?: string) => ({
  type: 'Ready',
  status,
  reason: 'KubeletReady',
  message: 'fine',
  ...(lastHeartbeatTime === undefined ? {} : { lastHeartbeatTime }),
})

const leased = (renewTime: string, leaseDurationSeconds = 40): Lease =>
  ({ metadata: { name: 'a' }, spec: { renewTime, leaseDurationSeconds } }) as unknown as Lease

const known: NodeHealth = { heartbeat: 't1', renewTime: 'r1', seenMs: 5 }

test.each<[string, NodeHealth | undefined, Node, Lease | undefined, number]>([
  ['a new node without a report: its creation', undefined, node(), undefined, 10_000],
  ['a new node with a report: now', undefined, node(ready('True', 't1')), undefined, 99],
  ['no change: the last time', known, node(ready('True', 't1')), leased('r1'), 5],
  ['a new heartbeat: now', known, node(ready('True', 't2')), leased('r1'), 99],
  ['a removed condition: now', known, node(), leased('r1'), 99],
  ['a renewed Lease: now', known, node(ready('True', 't1')), leased('r2'), 99],
  ['an older renewTime: the last time', known, node(ready('True', 't1')), leased('r0'), 5],
  ['a deleted Lease: the last time', known, node(ready('True', 't1')), undefined, 5],
])('dates the last heartbeat: %s', (_, ...[before, seen, lease, seenMs]) => {
  expect(nextHealth(before, { node: seen, lease }, 99).seenMs).toBe(seenMs)
})

test.each<[string, Node, Lease | undefined, number]>([
  ['50 s after the last heartbeat', node(ready('True')), undefined, 50_005],
  ['60 s after its creation if it has never reported', node(), undefined, 60_005],
  ['at the same time with a default Lease', node(ready('True')), leased('r1'), 50_005],
  ['later with a longer Lease', node(ready('True')), leased('r1', 1_200), 1_500_005],
])('counts a node as lost %s', (_, ...[seen, lease, lostMs]) => {
  expect(lostAtMs(seen, known, lease)).toBe(lostMs)
})

test('sets the conditions of a lost node to Unknown', () => {
  const pressure = { type: 'DiskPressure', status: 'Unknown', reason: 'Why', message: 'so' }
  const other = { type: 'NetworkUnavailable', status: 'False' }
  const lost = lostConditions(node(ready('True', 't1'), pressure, other), 20_000)
  const never = {
    status: 'Unknown',
    reason: 'NodeStatusNeverUpdated',
    message: 'Kubelet never posted node status.',
    lastHeartbeatTime: '1970-01-01T00:00:10Z',
    lastTransitionTime: '1970-01-01T00:00:20Z',
  }
  expect(lost).toEqual([
    {
      type: 'Ready',
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
      lastHeartbeatTime: 't1',
      lastTransitionTime: '1970-01-01T00:00:20Z',
    },
    pressure,
    other,
    { type: 'MemoryPressure', ...never },
    { type: 'PIDPressure', ...never },
  ])
})

test('returns undefined if the node is Unknown already', () => {
  expect(lostConditions(node(ready('Unknown')), 0)).toBeUndefined()
})
