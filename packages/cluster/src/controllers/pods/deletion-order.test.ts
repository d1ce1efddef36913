import { expect, test } from 'vitest'
import { inDeletionOrder, neighboursOf } from './deletion-order.ts'
import type { PodObject } from './pod-state.ts'

interface Traits {
  readonly node?: string
  readonly phase?: string
  readonly readyAt?: string
  readonly cost?: string
  readonly restarts?: number
  readonly createdAt?: string
}

const nowMs = Date.UTC(2030, 0, 1, 12)

const pod = (name: string, traits: Traits): PodObject =>
  ({
    metadata: {
      name,
      uid: name,
      creationTimestamp: traits.createdAt ?? '2030-01-01T00:00:00Z',
      ...(traits.cost === undefined
        ? {}
        : { annotations: { 'controller.kubernetes.io/pod-deletion-cost': traits.cost } }),
    },
    spec: { nodeName: 'node' in traits ? traits.node : 'n' },
    status: {
      phase: traits.phase ?? 'Running',
      conditions:
        traits.readyAt === undefined
          ? []
          : [{ type: 'Ready', status: 'True', lastTransitionTime: traits.readyAt }],
      containerStatuses: [{ restartCount: traits.restarts ?? 0 }],
    },
  }) as unknown as PodObject

const ready = '2030-01-01T01:00:00Z'

test.each<[string, first: Traits, second: Traits]>([
  ['a pod without a node', { node: undefined as never }, {}],
  ['a pending pod', { phase: 'Pending' }, {}],
  ['a pod that is not ready', {}, { readyAt: ready }],
  ['a pod with a lower deletion cost', { readyAt: ready, cost: '-1' }, { readyAt: ready }],
  [
    'a pod that has been ready for a shorter time',
    { readyAt: '2030-01-01T11:59:00Z' },
    { readyAt: ready },
  ],
  ['a pod with more restarts', { readyAt: ready, restarts: 3 }, { readyAt: ready }],
  ['the younger pod', { createdAt: '2030-01-01T11:00:00Z' }, {}],
])('of two pods, deletes %s first', (_, first, second) => {
  const pods = [pod('b', second), pod('a', first)]
  const order = inDeletionOrder(pods, { neighbours: () => 0, nowMs })
  expect(order.map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
})

test('orders pods of about the same age by uid', () => {
  const pods = [pod('b', { createdAt: '2030-01-01T00:00:01Z' }), pod('a', {})]
  const order = inDeletionOrder(pods, { neighbours: () => 0, nowMs })
  expect(order.map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
})

test('first deletes a pod on a node that also has another ready pod of the workload', () => {
  const [one, two, three] = [
    pod('a', { node: 'x', readyAt: ready }),
    pod('b', { node: 'y', readyAt: ready }),
    pod('c', { node: 'y', readyAt: ready }),
  ]
  const neighbours = neighboursOf([one, two, three])
  const order = inDeletionOrder([one, two, three], { neighbours, nowMs })
  expect(order.map(({ metadata }) => metadata.name)).toEqual(['b', 'c', 'a'])
})
