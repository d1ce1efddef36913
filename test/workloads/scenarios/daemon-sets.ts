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
/** One at a time: how far an update gets between two pods would be left to chance. */
const pendingReady: Step = { pods: { ...agent, which: 'pending', first: 1 }, to: 'ready' }
const nodes = (...names: string[]): Step => ({
  together: names.map((name) => ({ create: node(name) })),
})
const taint = (effect: string): JsonObject => ({ key: 'dedicated', value: 'x', effect })

/** Daemon sets: a pod for each node that fits. */
export const daemonSetScenarios: readonly Scenario[] = [
  {
    name: 'every node that is selected has a pod',
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
    name: 'without a node that fits there is no pod',
    kinds,
    steps: [create(), { read: 'created' }],
  },
  {
    name: 'a new node gets a pod, and one that is deleted loses it',
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
    name: 'a node that no longer fits loses its pod',
    kinds: ['DaemonSet', 'Pod'],
    steps: [
      nodes('a', 'b'),
      create(),
      { patch: 'Node/{ns}-a', with: { metadata: { labels: { scenario: 'other' } } } },
      { read: 'relabelled' },
    ],
  },
  {
    name: 'a taint keeps pods away unless they tolerate it',
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
    name: 'a NoSchedule taint leaves pods that are there, a NoExecute one does not',
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
    name: 'a node that is cordoned keeps and gets pods',
    kinds: ['DaemonSet', 'Pod'],
    steps: [
      { create: node('a', { spec: { unschedulable: true } }) },
      create(),
      { read: 'cordoned' },
    ],
  },
  {
    name: 'a node that is not ready gets pods too',
    kinds: ['DaemonSet', 'Pod'],
    steps: [{ create: node('a', {}, 'False') }, create(), { read: 'not ready' }],
  },
  {
    name: 'node affinity of the template narrows the nodes',
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
    name: 'a rolling update may take several pods at once',
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
    name: 'with surge new pods come before old ones go',
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
    name: 'pods that were not ready are updated at once',
    kinds: ['DaemonSet', 'Pod'],
    steps: [nodes('any-1', 'any-2'), create(), toImage('app:2'), { read: 'updated' }],
  },
  {
    name: 'a pod on its node is replaced when it has ended',
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
    name: 'with surge an old pod on its node stays until the new one is ready',
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
    name: 'a pod on its node leaves when the node no longer fits',
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
    name: 'a pod on its node stays under a NoSchedule taint',
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
    name: 'a pod on its node that succeeded is made again',
    kinds: ['DaemonSet', 'Pod'],
    steps: [
      nodes('a'),
      create(),
      { pods: agent, to: 'succeeded', on: 'a' },
      { read: 'made again' },
    ],
  },
  {
    name: 'OnDelete updates a pod when somebody deletes it',
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
    name: 'a failed pod is deleted and made again',
    kinds: ['DaemonSet', 'Pod'],
    steps: [nodes('a'), create(), { pods: agent, to: 'failed' }, { read: 'made again' }],
  },
  {
    name: 'a pod is available after it was ready for a while',
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
    name: 'going back to an old template takes its revision again',
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
    name: 'old revisions beyond the history limit are deleted',
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
    name: 'deleting a daemon set takes its pods along',
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
