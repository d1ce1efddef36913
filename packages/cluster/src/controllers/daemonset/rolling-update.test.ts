import { expect, test } from 'vitest'
import type { PodObject } from '../pods/pod-state.ts'
import { podsByNode } from './node-plan.ts'
import { rollingUpdate } from './rolling-update.ts'
import { aNode, aPod, aSet } from './testdata/daemon-objects.ts'

type Amount = number | string

const nowMs = Date.UTC(2026, 0, 2)
const nodes = ['a', 'b', 'c', 'd']

function updated(maxUnavailable: Amount, maxSurge: Amount, pods: readonly PodObject[]) {
  const set = aSet({
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable, maxSurge } },
  })
  const state = { set, nodes: nodes.map((name) => aNode(name)), podsOn: podsByNode(pods), nowMs }
  const { create, remove } = rollingUpdate({ ...state, hash: 'new' })
  return [...create.map((node) => `+${node}`), ...remove.map(({ metadata }) => metadata.name)]
}

/**
 * One string for each node: O for an old pod, N for a new one, in lower case if it is not ready.
 */
function pods(...states: readonly string[]): PodObject[] {
  return states.flatMap((state, index) =>
    [...state].map((letter) =>
      aPod(`${letter}${nodes[index] ?? ''}`, nodes[index] ?? '', {
        hash: letter.toLowerCase() === 'o' ? 'old' : 'new',
        isReady: letter !== letter.toLowerCase(),
      }),
    ),
  )
}

test.each([
  ['replaces one pod at a time', 1, 0, ['O', 'O', 'O', 'O'], ['Oa']],
  ['replaces a percentage of the pods', '50%', 0, ['O', 'O', 'O', 'O'], ['Oa', 'Ob']],
  ['rounds the percentage up', '30%', 0, ['O', 'O', 'O', 'O'], ['Oa', 'Ob']],
  ['counts a new pod that is not ready as unavailable', 1, 0, ['n', 'O', 'O', 'O'], []],
  ['counts a node without a pod as unavailable', 1, 0, ['', 'O', 'O', 'O'], []],
  [
    'deletes unready old pods regardless of maxUnavailable',
    1,
    0,
    ['o', 'o', 'O', 'O'],
    ['oa', 'ob'],
  ],
  ['replaces ready pods next', 1, 0, ['N', 'O', 'O', 'N'], ['Ob']],
  ['does nothing when all pods are new', 1, 0, ['N', 'N', 'N', 'N'], []],
  ['replaces one pod when the strategy allows none', 0, 0, ['O', 'O', 'O', 'O'], ['Oa']],
  [
    'counts several pods of the same revision on a node as unavailable',
    1,
    0,
    ['OO', 'O', 'O', 'O'],
    [],
  ],
  ['with surge, creates the new pod first', 0, 1, ['O', 'O', 'O', 'O'], ['+a']],
  ['with surge, waits until the new pod is ready', 0, 1, ['On', 'O', 'O', 'O'], []],
  [
    'with surge, deletes the old pod when the new one is ready',
    0,
    1,
    ['ON', 'O', 'O', 'O'],
    ['+b', 'Oa'],
  ],
  [
    'with surge, replaces unready pods regardless of maxSurge',
    0,
    1,
    ['o', 'o', 'O', 'O'],
    ['+a', '+b', '+c'],
  ],
  ['counts several pods of the same revision on a node as surge', 0, 1, ['OO', 'O', 'O', 'O'], []],
])('%s', (...[, maxUnavailable, maxSurge, states, expected]) => {
  expect(updated(maxUnavailable, maxSurge, pods(...states))).toEqual(expected)
})

test('with surge, deletes pods of nodes that should have none when enough others are available', () => {
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
  const set = aSet({ updateStrategy: strategy as never }, { nodeSelector: { disk: 'ssd' } })
  const [a, b] = [aNode('a'), aNode('b', {}, { disk: 'ssd' })]
  const names = (states: readonly string[]): string[] => {
    const podsOn = podsByNode(pods(...states))
    const { create, remove } = rollingUpdate({ set, nodes: [a, b], podsOn, hash: 'new', nowMs })
    return [...create, ...remove.map(({ metadata }) => metadata.name)]
  }
  expect(names(['O', 'n'])).toEqual([])
  expect(names(['O', 'N'])).toEqual(['Oa'])
  expect(names(['o', 'n'])).toEqual(['oa'])
})
