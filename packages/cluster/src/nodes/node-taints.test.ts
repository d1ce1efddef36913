import type { Node } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { nextTaints } from './node-taints.ts'

const notReady = 'node.kubernetes.io/not-ready'
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
  [{ ready: 'False', taints: ['mine'] }, [notReady, 'mine']],
  [{ ready: 'Unknown', taints: [notReady] }, ['node.kubernetes.io/unreachable']],
  [{ ready: 'True', unschedulable: true }, [closed]],
  [{ ready: 'True', taints: [closed, 'mine'] }, ['mine']],
  [{ ready: 'True', taints: ['mine'] }, undefined],
] as [Given, string[] | undefined][])('a node with %j gets the taints %j', (given, expected) => {
  const { ready, unschedulable = false, taints = [] } = given
  const node = {
    spec: { unschedulable, taints: taints.map((key) => ({ key, effect: 'NoSchedule' })) },
    status: { conditions: ready === undefined ? [] : [{ type: 'Ready', status: ready }] },
  } as unknown as Node
  expect(nextTaints(node, 0)?.map(({ key }) => key)).toEqual(expected)
})
