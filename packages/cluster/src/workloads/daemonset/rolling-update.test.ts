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
  const sight = { set, nodes: nodes.map((name) => aNode(name)), podsOn: podsByNode(pods), nowMs }
  const { create, remove } = rollingUpdate({ ...sight, hash: 'new' })
  return [...create.map((node) => `+${node}`), ...remove.map(({ metadata }) => metadata.name)]
}

/** One letter for each node: Old, New, in small letters if not ready; both; nothing. */
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
  ['one at a time', 1, 0, ['O', 'O', 'O', 'O'], ['Oa']],
  ['a share of them', '50%', 0, ['O', 'O', 'O', 'O'], ['Oa', 'Ob']],
  ['a share is rounded up', '30%', 0, ['O', 'O', 'O', 'O'], ['Oa', 'Ob']],
  ['one that is new and not ready uses the allowance', 1, 0, ['n', 'O', 'O', 'O'], []],
  ['so does a node without a pod', 1, 0, ['', 'O', 'O', 'O'], []],
  ['pods of no use go whatever the allowance', 1, 0, ['o', 'o', 'O', 'O'], ['oa', 'ob']],
  ['ready ones are next', 1, 0, ['N', 'O', 'O', 'N'], ['Ob']],
  ['nothing is left to do', 1, 0, ['N', 'N', 'N', 'N'], []],
  ['a strategy that permits nothing permits one', 0, 0, ['O', 'O', 'O', 'O'], ['Oa']],
  ['several of a sort on a node count as missing', 1, 0, ['OO', 'O', 'O', 'O'], []],
  ['with surge a new one comes first', 0, 1, ['O', 'O', 'O', 'O'], ['+a']],
  ['and uses the allowance until it is ready', 0, 1, ['On', 'O', 'O', 'O'], []],
  ['then the old one goes', 0, 1, ['ON', 'O', 'O', 'O'], ['+b', 'Oa']],
  [
    'pods of no use are replaced whatever the allowance',
    0,
    1,
    ['o', 'o', 'O', 'O'],
    ['+a', '+b', '+c'],
  ],
  ['several of a sort use the allowance', 0, 1, ['OO', 'O', 'O', 'O'], []],
])('%s', (...[, maxUnavailable, maxSurge, states, wanted]) => {
  expect(updated(maxUnavailable, maxSurge, pods(...states))).toEqual(wanted)
})

test('with surge, pods where none should be go when there are enough elsewhere', () => {
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
