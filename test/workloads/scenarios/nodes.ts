import type { JsonObject } from 'setpoint/schema'
import { pod } from '../manifests.ts'
import { node } from '../nodes.ts'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['Node', 'Pod']
const a = 'Node/{ns}-a'
const web = { of: 'app=web' }

const condition = (type: string, status: string): JsonObject => ({
  type,
  status,
  reason: 'Scenario',
  message: 'as a scenario wants it',
  lastHeartbeatTime: '2026-01-01T00:00:00Z',
  lastTransitionTime: '2026-01-01T00:00:00Z',
})
const report = (...conditions: JsonObject[]): Step => ({
  patch: a,
  subresource: 'status',
  type: 'strategic',
  with: { status: { conditions } },
})

/** One of two nodes stays ready: if no node is ready, no pods are evicted. */
const both: Step = { together: [{ create: node('a') }, { create: node('b') }] }
/**
 * The node controller checks nodes every five seconds. Only a node that was observed as ready can
 * become unready.
 */
const afterOneCheck: Step = { passSeconds: 7 }
const afterTwoChecks: Step = { passSeconds: 12 }

/** Nodes: taints that follow from their conditions, and evictions. */
export const nodeScenarios: readonly Scenario[] = [
  {
    name: 'removes the taints of a ready node',
    kinds: ['Node'],
    steps: [{ create: node('a') }, { read: 'ready' }],
  },
  {
    name: 'taints an unready node until it is ready',
    kinds: ['Node'],
    steps: [
      both,
      afterOneCheck,
      report(condition('Ready', 'False')),
      afterTwoChecks,
      { read: 'not ready' },
      report(condition('Ready', 'True')),
      afterTwoChecks,
      { read: 'ready' },
    ],
  },
  {
    name: 'taints a node with status Unknown',
    kinds: ['Node'],
    steps: [
      both,
      afterOneCheck,
      report(condition('Ready', 'Unknown')),
      afterTwoChecks,
      { read: 'unreachable' },
    ],
  },
  {
    name: 'taints a cordoned node',
    kinds: ['Node'],
    steps: [
      { create: node('a') },
      { patch: a, with: { spec: { unschedulable: true } } },
      { read: 'cordoned' },
      { patch: a, with: { spec: { unschedulable: null } } },
      { read: 'free' },
    ],
  },
  {
    name: 'taints a node for each reported pressure',
    kinds: ['Node'],
    steps: [
      { create: node('a') },
      report(
        condition('MemoryPressure', 'True'),
        condition('DiskPressure', 'True'),
        condition('PIDPressure', 'False'),
        condition('NetworkUnavailable', 'True'),
      ),
      { read: 'under pressure' },
    ],
  },
  {
    name: 'evicts a pod that does not tolerate a taint',
    kinds,
    steps: [
      { create: node('a') },
      { create: pod('web') },
      {
        create: pod('patient', {
          labels: { app: 'web' },
          spec: { tolerations: [{ key: 'maintenance', operator: 'Exists' }] },
        }),
      },
      { pods: web, to: 'ready', on: 'a' },
      { patch: a, with: { spec: { taints: [{ key: 'maintenance', effect: 'NoExecute' }] } } },
      { read: 'one must leave' },
    ],
  },
  {
    name: 'evicts a pod after its tolerationSeconds',
    kinds,
    steps: [
      { create: node('a') },
      {
        create: pod('web', {
          spec: {
            tolerations: [
              { key: 'maintenance', effect: 'NoExecute', operator: 'Exists', tolerationSeconds: 4 },
            ],
          },
        }),
      },
      { pods: web, to: 'ready', on: 'a' },
      { patch: a, with: { spec: { taints: [{ key: 'maintenance', effect: 'NoExecute' }] } } },
      { read: 'still there' },
      { passSeconds: 5 },
      { read: 'it must leave' },
    ],
  },
  {
    name: 'sets the pods of an unready node to unready',
    kinds,
    steps: [
      both,
      { create: pod('web') },
      { pods: web, to: 'ready', on: 'a' },
      afterOneCheck,
      report(condition('Ready', 'False')),
      afterTwoChecks,
      { read: 'unready' },
    ],
  },
  {
    name: 'deletes the pods of a deleted node',
    kinds: ['Pod'],
    steps: [
      { create: pod('web') },
      { pods: web, to: 'ready', on: 'gone' },
      { until: 'Pod/web', is: 'absent', withinSeconds: 120 },
      { read: 'deleted' },
    ],
  },
]
