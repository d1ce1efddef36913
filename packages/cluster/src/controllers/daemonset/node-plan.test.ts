import { expect, test } from 'vitest'
import type { NodeView } from '../placement/node-selector.ts'
import type { PodObject } from '../pods/pod-state.ts'
import { FailedPodBackoff } from './failed-pod-backoff.ts'
import { fitnessOf } from './node-fitness.ts'
import { nodePlan, podsByNode } from './node-plan.ts'
import { aNode, aPod, aSet } from './testdata/daemon-objects.ts'
import type { DaemonSetObject } from './daemon-pod.ts'

const nowMs = Date.UTC(2026, 0, 2)
const surge = aSet({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
})

function planned(set: DaemonSetObject, nodes: readonly NodeView[], pods: readonly PodObject[]) {
  const plan = nodePlan({ set, nodes, podsOn: podsByNode(pods), hash: 'new', nowMs })
  return {
    create: plan.create,
    remove: plan.remove.map(({ metadata }) => metadata.name),
    ended: plan.ended.map(({ pod }) => pod.metadata.name),
  }
}
const nothing = { create: [], remove: [], ended: [] }
const taint = (effect: 'NoSchedule' | 'NoExecute' | 'PreferNoSchedule', key = 'dedicated') => ({
  taints: [{ key, effect }],
})

test.each([
  ['a plain node', aSet(), aNode('a'), true, true],
  ['a node of another name', aSet({}, { nodeName: 'b' }), aNode('a'), false, false],
  ['a node without a label', aSet({}, { nodeSelector: { disk: 'ssd' } }), aNode('a'), false, false],
  ['a NoSchedule taint', aSet(), aNode('a', taint('NoSchedule')), false, true],
  ['a NoExecute taint', aSet(), aNode('a', taint('NoExecute')), false, false],
  ['a PreferNoSchedule taint', aSet(), aNode('a', taint('PreferNoSchedule')), true, true],
  [
    'a tolerated taint',
    aSet({}, { tolerations: [{ key: 'dedicated', operator: 'Exists' }] }),
    aNode('a', taint('NoExecute')),
    true,
    true,
  ],
  [
    'an unschedulable node',
    aSet(),
    aNode('a', taint('NoSchedule', 'node.kubernetes.io/unschedulable')),
    true,
    true,
  ],
])('%s', (...row) => {
  const [, set, node, shouldRun, mayStay] = row
  expect(fitnessOf(set, node)).toEqual({ shouldRun, mayStay })
})

test.each([
  ['creates a pod on a node without one', aSet(), [], { ...nothing, create: ['a'] }],
  ['leaves a node with a pod alone', aSet(), [aPod('p', 'a')], nothing],
  [
    'creates no pod while a pod is terminating',
    aSet(),
    [aPod('p', 'a', { isTerminating: true })],
    nothing,
  ],
  [
    'replaces a terminating pod that is finished',
    aSet(),
    [aPod('p', 'a', { phase: 'Failed', isTerminating: true })],
    { ...nothing, create: ['a'] },
  ],
  [
    'keeps the oldest of several pods',
    aSet(),
    [aPod('young', 'a', { second: 2 }), aPod('old', 'a')],
    { ...nothing, remove: ['young'] },
  ],
  [
    'reports a failed pod as ended',
    aSet(),
    [aPod('p', 'a', { phase: 'Failed' })],
    { ...nothing, ended: ['p'] },
  ],
  [
    'deletes an unscheduled pod whose node no longer exists',
    aSet({}, { nodeSelector: { disk: 'ssd' } }),
    [aPod('lost', 'gone', { isUnplaced: true }), aPod('left', 'gone')],
    { ...nothing, remove: ['lost'] },
  ],
  [
    'with surge, replaces a terminating pod immediately',
    surge,
    [aPod('p', 'a', { isTerminating: true })],
    { ...nothing, create: ['a'] },
  ],
  [
    'with surge, allows an old and a new pod',
    surge,
    [aPod('old', 'a', { hash: 'old' }), aPod('new', 'a', { isReady: false })],
    nothing,
  ],
  [
    'with surge, deletes the old pod when the new one is ready',
    surge,
    [aPod('old', 'a', { hash: 'old' }), aPod('new', 'a')],
    { ...nothing, remove: ['old'] },
  ],
  [
    'with surge, deletes an old pod that is not ready',
    surge,
    [aPod('old', 'a', { hash: 'old', isReady: false }), aPod('new', 'a', { isReady: false })],
    { ...nothing, remove: ['old'] },
  ],
  [
    'with surge, deletes a second pod of the same revision',
    surge,
    [aPod('one', 'a'), aPod('two', 'a', { second: 1 })],
    { ...nothing, remove: ['two'] },
  ],
])('%s', (...[, set, pods, expected]) => {
  expect(planned(set, [aNode('a')], pods)).toEqual(expected)
})

test('deletes pods from a node with a NoExecute taint, and keeps them with NoSchedule', () => {
  const pods = [aPod('p', 'a'), aPod('q', 'a', { isTerminating: true })]
  expect(planned(aSet(), [aNode('a', taint('NoExecute'))], pods).remove).toEqual(['p'])
  expect(planned(aSet(), [aNode('a', taint('NoSchedule'))], pods)).toEqual(nothing)
})

test('replaces a failed pod immediately, backs off for the next one, and resets after half an hour', () => {
  const backoff = new FailedPodBackoff()
  expect(backoff.tryNow('a', 0)).toBe(0)
  expect(backoff.tryNow('a', 400)).toBe(600)
  expect(backoff.tryNow('b', 400)).toBe(0)
  expect(backoff.tryNow('a', 1_000)).toBe(0)
  expect(backoff.tryNow('a', 1_500)).toBe(1_500)
  expect(backoff.tryNow('a', 4_000)).toBe(0)
  expect(backoff.tryNow('a', 5_000)).toBe(3_000)
  expect(backoff.tryNow('a', 4_000 + 30 * 60_000 + 1)).toBe(0)
  expect(backoff.tryNow('a', 4_000 + 30 * 60_000 + 2)).toBe(999)
})
