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
  status: z.object({ notes: z.array(z.string()) }),
})

/** Its ConfigMaps are in two caches: all of them, as children, and those with a label. */
const board = operator(Board)
  .watch(ConfigMap, () => ['default/wall'], { labelSelector: 'note' })
  .child('settings', ConfigMap, () => ({ data: { size: '1' } }))
  .status((_, __, { list }) => ({
    notes: list(ConfigMap, 'default')
      .filter(({ metadata }) => metadata.labels?.['note'] !== undefined)
      .map(({ metadata }) => metadata.name),
  }))

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'a reconcile for a change of a selected object reads a cache that has this change (seed %s)',
  async (seed) => {
    await using world = await testWorld({ operators: [board], workloads: 'off', seed })
    const { client, host } = world
    const notes = async () => (await client.get(Board, 'wall')).status?.notes
    await client.create(Board, { metadata: { name: 'wall' }, spec: {} })
    await client.create(ConfigMap, { metadata: { name: 'memo' } })
    await host.settle()
    await client.patch(ConfigMap, 'memo', { merge: { metadata: { labels: { note: 'yes' } } } })
    await host.settle()
    const selected = await notes()
    await client.patch(ConfigMap, 'memo', { merge: { metadata: { labels: { note: null } } } })
    await host.settle()
    const deselected = await notes()
    await client.create(ConfigMap, { metadata: { name: 'todo', labels: { note: 'yes' } } })
    await host.settle()
    await client.delete(ConfigMap, 'todo')
    await host.settle()
    expect([selected, deselected, await notes()]).toEqual([['memo'], [], []])
  },
)
