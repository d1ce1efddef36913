import type { Node } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { nextTaints, type EvictionTaint } from './node-taints.ts'

const notReady = 'node.kubernetes.io/not-ready'
const unreachable = 'node.kubernetes.io/unreachable'
const closed = 'node.kubernetes.io/unschedulable'

interface Given {
  readonly ready?: string
  readonly unschedulable?: boolean
  readonly taints?: readonly string[]
}

test.each([
  [{ ready: 'True', taints: [notReady] }, []],
  [{ taints: [notReady] }, []],
  [{ ready: 'False', taints: [notReady] }, undefined],
  [{ ready: 'False', taints: ['mine'] }, ['mine', notReady]],
  [{ ready: 'Unknown', taints: [notReady] }, ['node.kubernetes.io/unreachable']],
  [{ ready: 'True', unschedulable: true }, [closed]],
  [{ ready: 'True', taints: [closed, 'mine'] }, ['mine']],
  [{ ready: 'True', taints: ['mine'] }, undefined],
] as [Given, string[] | undefined][])('gives a node with %j the taints %j', (given, expected) => {
  const { ready, unschedulable = false, taints = [] } = given
  const node = {
    spec: { unschedulable, taints: taints.map((key) => ({ key, effect: 'NoSchedule' })) },
    status: { conditions: ready === undefined ? [] : [{ type: 'Ready', status: ready }] },
  } as unknown as Node
  expect(nextTaints(node, 'keep', 0)?.map(({ key }) => key)).toEqual(expected)
})

test.each<[string, EvictionTaint, string[], string[]]>([
  ['False', 'set', [], [`${notReady}:NoSchedule`, `${notReady}:NoExecute`]],
  [
    'False',
    'keep',
    [`${unreachable}:NoExecute`],
    [`${unreachable}:NoExecute`, `${notReady}:NoSchedule`],
  ],
  [
    'False',
    'set',
    [`${unreachable}:NoExecute`],
    [`${notReady}:NoSchedule`, `${notReady}:NoExecute`],
  ],
  ['True', 'clear', [`${notReady}:NoExecute`, 'mine:NoExecute'], ['mine:NoExecute']],
  [
    'False',
    'clear',
    [`${notReady}:NoSchedule`, `${notReady}:NoExecute`],
    [`${notReady}:NoSchedule`],
  ],
])(
  'gives a node with ready=%s, eviction taint %s and the taints %j the taints %j',
  (ready, ...[evictionTaint, taints, expected]) => {
    const node = {
      spec: {
        taints: taints.map((taint) => {
          const [key, effect] = taint.split(':')
          return { key, effect }
        }),
      },
      status: { conditions: [{ type: 'Ready', status: ready }] },
    } as unknown as Node
    const next = nextTaints(node, evictionTaint, 0)?.map(({ key, effect }) => `${key}:${effect}`)
    expect(next).toEqual(expected)
  },
)
