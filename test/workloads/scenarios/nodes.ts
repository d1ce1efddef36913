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

/** One of two stays ready: where no node is ready at all, nobody is made to leave. */
const both: Step = { together: [{ create: node('a') }, { create: node('b') }] }
/** Nodes are looked at every five seconds; only one that was seen ready can become unready. */
const seen: Step = { passSeconds: 7 }
const judged: Step = { passSeconds: 12 }

/** Nodes: taints that follow from what they report, and pods that must leave. */
export const nodeScenarios: readonly Scenario[] = [
  {
    name: 'a node that is ready has no taints',
    kinds: ['Node'],
    steps: [{ create: node('a') }, { read: 'ready' }],
  },
  {
    name: 'a node that is not ready is tainted, until it is',
    kinds: ['Node'],
    steps: [
      both,
      seen,
      report(condition('Ready', 'False')),
      judged,
      { read: 'not ready' },
      report(condition('Ready', 'True')),
      judged,
      { read: 'ready' },
    ],
  },
  {
    name: 'a node whose machine nobody heard of is tainted',
    kinds: ['Node'],
    steps: [both, seen, report(condition('Ready', 'Unknown')), judged, { read: 'unreachable' }],
  },
  {
    name: 'a cordoned node is tainted',
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
    name: 'every pressure that a node reports is a taint',
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
    name: 'a pod that does not tolerate a taint must leave',
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
    name: 'a pod may tolerate a taint for some time',
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
    name: 'pods of a node that becomes unready are no longer ready',
    kinds,
    steps: [
      both,
      { create: pod('web') },
      { pods: web, to: 'ready', on: 'a' },
      seen,
      report(condition('Ready', 'False')),
      judged,
      { read: 'unready' },
    ],
  },
  {
    name: 'pods of a node that is gone are deleted',
    kinds: ['Pod'],
    steps: [
      { create: pod('web') },
      { pods: web, to: 'ready', on: 'gone' },
      { until: 'Pod/web', is: 'absent', withinSeconds: 120 },
      { read: 'deleted' },
    ],
  },
]
