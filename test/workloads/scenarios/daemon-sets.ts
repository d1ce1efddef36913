import type { JsonObject } from 'setpoint/schema'
import { newImage, podTemplate, workload } from '../manifests.ts'
import { node, pickNode } from '../nodes.ts'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['DaemonSet', 'ControllerRevision', 'Pod']
const agent = { of: 'app=agent' }
const set = 'DaemonSet/agent'

const create = (spec: JsonObject = {}, template: JsonObject = {}): Step => ({
  create: workload('DaemonSet', 'agent', {
    template: podTemplate('agent', { spec: { nodeSelector: pickNode, ...template } }),
    ...spec,
  }),
})
const toImage = (image: string): Step => ({ patch: set, type: 'strategic', with: newImage(image) })
/** One pod at a time: the state of an update between two pods would depend on timing. */
const pendingReady: Step = { pods: { ...agent, which: 'pending', first: 1 }, to: 'ready' }
const nodes = (...names: string[]): Step => ({
  together: names.map((name) => ({ create: node(name) })),
})
const taint = (effect: string): JsonObject => ({ key: 'dedicated', value: 'x', effect })

/** DaemonSets: a pod for each matching node. */
export const daemonSetScenarios: readonly Scenario[] = [
  {
    name: 'creates a pod on every selected node',
    kinds,
    steps: [
      nodes('any-1', 'any-2'),
      create(),
      { read: 'created' },
      { pods: { ...agent, first: 1 }, to: 'ready' },
      { read: 'one ready' },
      pendingReady,
      { read: 'all ready' },
    ],
  },
  {
    name: 'creates no pod without a matching node',
    kinds,
    steps: [create(), { read: 'created' }],
  },
  {
    name: 'creates a pod on a new node and deletes the pod of a deleted node',
    kinds: ['DaemonSet', 'Pod'],
    steps: [
      nodes('a'),
      create(),
      nodes('b'),
      { read: 'two nodes' },
      { remove: 'Node/{ns}-a' },
      { read: 'one node' },
    ],
  },
  {
    name: 'deletes the pod of a node that no longer matches',
    kinds: ['DaemonSet', 'Pod'],
    steps: [
      nodes('a', 'b'),
      create(),
      { patch: 'Node/{ns}-a', with: { metadata: { labels: { scenario: 'other' } } } },
      { read: 'relabelled' },
    ],
  },
  {
    name: 'respects taints and tolerations',
    kinds: ['DaemonSet', 'Pod'],
    steps: [
      { create: node('a', { spec: { taints: [taint('NoSchedule')] } }) },
      create(),
      { read: 'kept away' },
      {
        patch: set,
        with: {
          spec: { template: { spec: { tolerations: [{ key: 'dedicated', operator: 'Exists' }] } } },
        },
      },
      { read: 'tolerated' },
    ],
  },
  {
    name: 'keeps pods under a NoSchedule taint and deletes them under NoExecute',
    kinds: ['DaemonSet', 'Pod'],
    steps: [
      nodes('a'),
      create(),
      { pods: agent, to: 'ready' },
      { patch: 'Node/{ns}-a', with: { spec: { taints: [taint('NoSchedule')] } } },
      { read: 'NoSchedule' },
      { patch: 'Node/{ns}-a', with: { spec: { taints: [taint('NoExecute')] } } },
      { read: 'NoExecute' },
    ],
  },
  {
    name: 'keeps and creates pods on a cordoned node',
    kinds: ['DaemonSet', 'Pod'],
    steps: [
      { create: node('a', { spec: { unschedulable: true } }) },
      create(),
      { read: 'cordoned' },
    ],
  },
  {
    name: 'creates pods on an unready node',
    kinds: ['DaemonSet', 'Pod'],
    steps: [{ create: node('a', {}, 'False') }, create(), { read: 'not ready' }],
  },
  {
    name: 'respects the node affinity of the template',
    kinds: ['DaemonSet', 'Pod'],
    steps: [
      nodes('a', 'b'),
      create(
        {},
        {
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [
                  { matchExpressions: [{ key: 'letter', operator: 'In', values: ['b'] }] },
                ],
              },
            },
          },
        },
      ),
      { read: 'one of two' },
    ],
  },
  {
    name: 'a rolling update replaces one pod after the other',
    kinds,
    steps: [
      nodes('any-1', 'any-2', 'any-3'),
      create(),
      { pods: agent, to: 'ready' },
      toImage('app:2'),
      { read: 'the first' },
      pendingReady,
      { read: 'the second' },
      pendingReady,
      pendingReady,
      { read: 'all' },
    ],
  },
  {
    name: 'a rolling update replaces several pods together',
    kinds,
    steps: [
      nodes('any-1', 'any-2', 'any-3'),
      create({ updateStrategy: { rollingUpdate: { maxUnavailable: '67%' } } }),
      { pods: agent, to: 'ready' },
      toImage('app:2'),
      { read: 'first wave' },
      pendingReady,
      { read: 'second wave' },
    ],
  },
  {
    name: 'surge creates new pods before it deletes old ones',
    kinds,
    steps: [
      nodes('any-1', 'any-2'),
      create({ updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }),
      { pods: agent, to: 'ready' },
      toImage('app:2'),
      { read: 'surge' },
      pendingReady,
      { read: 'the first is replaced' },
      pendingReady,
      { read: 'all' },
    ],
  },
  {
    name: 'updates unready pods immediately',
    kinds: ['DaemonSet', 'Pod'],
    steps: [nodes('any-1', 'any-2'), create(), toImage('app:2'), { read: 'updated' }],
  },
  {
    name: 'replaces a finished pod of a node',
    kinds: ['DaemonSet', 'Pod'],
    steps: [
      nodes('a'),
      create(),
      { pods: agent, to: 'ready', on: 'a' },
      toImage('app:2'),
      { read: 'terminating' },
      { pods: { ...agent, which: 'terminating' }, to: 'gone' },
      { read: 'replaced' },
    ],
  },
  {
    name: 'surge keeps an old pod until the new one is ready',
    kinds: ['DaemonSet', 'Pod'],
    steps: [
      nodes('a'),
      create({ updateStrategy: { rollingUpdate: { maxSurge: '50%', maxUnavailable: 0 } } }),
      { pods: agent, to: 'ready', on: 'a' },
      toImage('app:2'),
      { read: 'surge' },
      { pods: { ...agent, which: 'pending' }, to: 'ready', on: 'a' },
      { read: 'both' },
      { pods: { ...agent, which: 'terminating' }, to: 'gone' },
      { read: 'the new one' },
    ],
  },
  {
    name: 'deletes a scheduled pod when the node no longer matches',
    kinds: ['DaemonSet', 'Pod'],
    steps: [
      nodes('a'),
      create(),
      { pods: agent, to: 'ready', on: 'a' },
      { patch: 'Node/{ns}-a', with: { metadata: { labels: { scenario: 'other' } } } },
      { read: 'terminating' },
      { pods: { ...agent, which: 'terminating' }, to: 'gone' },
      { read: 'gone' },
    ],
  },
  {
    name: 'keeps a scheduled pod under a NoSchedule taint',
    kinds: ['DaemonSet', 'Pod'],
    steps: [
      nodes('a'),
      create(),
      { pods: agent, to: 'ready', on: 'a' },
      { patch: 'Node/{ns}-a', with: { spec: { taints: [taint('NoSchedule')] } } },
      { read: 'tainted' },
      { patch: set, with: { metadata: { labels: { touched: 'yes' } } } },
      { read: 'counted again' },
      { patch: 'Node/{ns}-a', with: { spec: { taints: null } } },
      { read: 'free again' },
    ],
  },
  {
    name: 'recreates a succeeded pod of a node',
    kinds: ['DaemonSet', 'Pod'],
    steps: [
      nodes('a'),
      create(),
      { pods: agent, to: 'succeeded', on: 'a' },
      { read: 'made again' },
    ],
  },
  {
    name: 'OnDelete updates a pod when a user deletes it',
    kinds,
    steps: [
      nodes('a'),
      create({ updateStrategy: { type: 'OnDelete' } }),
      { pods: agent, to: 'ready' },
      toImage('app:2'),
      { read: 'nothing happens' },
      { pods: agent, to: 'deleted' },
      { read: 'it is new' },
    ],
  },
  {
    name: 'deletes and recreates a failed pod',
    kinds: ['DaemonSet', 'Pod'],
    steps: [nodes('a'), create(), { pods: agent, to: 'failed' }, { read: 'made again' }],
  },
  {
    name: 'counts a pod as available after minReadySeconds',
    kinds: ['DaemonSet'],
    steps: [
      nodes('a'),
      create({ minReadySeconds: 4 }),
      { pods: agent, to: 'ready' },
      { read: 'ready' },
      { until: set, path: 'status.numberAvailable', is: 1 },
      { read: 'available' },
    ],
  },
  {
    name: 'reuses the revision of an old template',
    kinds: ['DaemonSet', 'ControllerRevision'],
    steps: [
      nodes('a'),
      create(),
      { pods: agent, to: 'ready' },
      toImage('app:2'),
      pendingReady,
      toImage('app:1'),
      pendingReady,
      { read: 'back' },
    ],
  },
  {
    name: 'deletes old revisions above the history limit',
    kinds: ['DaemonSet', 'ControllerRevision'],
    steps: [
      nodes('a'),
      create({ revisionHistoryLimit: 1 }),
      { pods: agent, to: 'ready' },
      toImage('app:2'),
      pendingReady,
      toImage('app:3'),
      pendingReady,
      { read: 'the third' },
    ],
  },
  {
    name: 'deleting a daemon set deletes its pods',
    kinds,
    steps: [
      nodes('a'),
      create(),
      { remove: set },
      { until: set, is: 'absent' },
      { read: 'deleted' },
    ],
  },
]
