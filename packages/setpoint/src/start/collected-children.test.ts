import { testWorld } from '@setpoint/cluster'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { ConfigMap } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'

const Board = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Board',
  spec: z.object({}),
})

const board = operator(Board).child('settings', ConfigMap, () => ({ data: { size: '1' } }))

test('a child that was collected with its owner is not created again while the owner seems to exist', async () => {
  await using world = await testWorld({ operators: [board] })
  const { client, cluster, host } = world
  const creations = () =>
    cluster.trace.filter(({ verb, path }) => verb === 'create' && path.endsWith('/configmaps'))
  await client.create(Board, { metadata: { name: 'wall' }, spec: {} })
  await host.settle()
  const before = creations().length
  const hold = cluster.faults.holdEvents({ kind: Board })
  await client.delete(Board, 'wall')
  await host.sleep(30_000)
  expect(await client.find(ConfigMap, 'wall')).toBeUndefined()
  hold[Symbol.dispose]()
  await host.sleep(30_000)
  expect(creations().length - before).toBe(0)
})

test('a child that a user deleted is created again', async () => {
  await using world = await testWorld({ operators: [board] })
  const { client, host } = world
  await client.create(Board, { metadata: { name: 'wall' }, spec: {} })
  await host.settle()
  await client.delete(ConfigMap, 'wall')
  await host.settle()
  expect((await client.get(ConfigMap, 'wall')).data).toEqual({ size: '1' })
})
