import type { Node } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import type { PodObject } from '../pods/pod-state.ts'
import { isAbandoned, surplusPods } from './garbage-pods.ts'

const pod = (name: string, more: { spec?: object; status?: object; metadata?: object } = {}) =>
  ({
    metadata: { name, creationTimestamp: '2026-01-01T00:00:00Z', ...more.metadata },
    spec: more.spec ?? {},
    status: more.status ?? {},
  }) as unknown as PodObject

const node = (status: string, key: string): Node =>
  ({
    spec: { taints: [{ key: `node.kubernetes.io/${key}`, effect: 'NoExecute' }] },
    status: { conditions: [{ type: 'Ready', status }] },
  }) as unknown as Node

const deleted = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }
const placed = { spec: { nodeName: 'a' } }

test.each<[string, PodObject, Node | undefined, boolean]>([
  ['an unscheduled pod that is not terminating', pod('a'), undefined, false],
  ['a terminating pod without a node', pod('a', deleted), undefined, true],
  ['a node that does not exist', pod('a', { ...deleted, ...placed }), undefined, false],
  ['a ready node', pod('a', { ...deleted, ...placed }), node('True', 'other'), false],
  ['a node that is not ready', pod('a', { ...deleted, ...placed }), node('False', 'other'), false],
  [
    'a node that is out of service',
    pod('a', { ...deleted, ...placed }),
    node('False', 'out-of-service'),
    true,
  ],
  [
    'a ready node with the taint out-of-service',
    pod('a', { ...deleted, ...placed }),
    node('True', 'out-of-service'),
    false,
  ],
])('decides whether a pod is abandoned: %s', (_, given, ...[on, expected]) => {
  expect(isAbandoned(given, on)).toBe(expected)
})

test('deletes surplus finished pods: evicted pods first, then the oldest', () => {
  const ended = (name: string, second: number, reason = '') =>
    pod(name, {
      metadata: { creationTimestamp: `2026-01-01T00:00:0${second}Z` },
      status: { phase: 'Failed', reason },
    })
  const pods = [
    ended('young', 9),
    ended('old', 1),
    ended('b', 3),
    ended('a', 3),
    ended('evicted', 9, 'Evicted'),
    pod('at-work', { status: { phase: 'Running' } }),
  ]
  const names = (most: number) => surplusPods(pods, most).map(({ metadata }) => metadata.name)
  expect(names(5)).toEqual([])
  expect(names(1)).toEqual(['evicted', 'old', 'a', 'b'])
})
