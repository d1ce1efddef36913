import { testWorld } from '@setpoint/cluster'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { ConfigMap, Namespace, Secret } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'

const Box = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Box',
  spec: z.object({}),
  conditions: ['Ready'],
})

test('stops creating children where the namespace is being deleted, and begins again in a new one', async () => {
  const boxes = operator(Box)
    .child('map', ConfigMap, () => ({ data: {} }))
    .child('secret', Secret, () => ({}))
  await using world = await testWorld({ operators: [boxes] })
  const { client, host, cluster } = world
  const metadata = { name: 'shop' }
  const create = async (): Promise<void> => {
    await client.create(Namespace, { metadata })
    for (let index = 0; index < 20; index += 1) {
      const name = `box-${index}`
      await client.create(Box, { metadata: { name, namespace: 'shop' }, spec: {} })
    }
    await host.sleep(20_000)
    expect(await client.listAll(Secret, { namespace: 'shop' })).toHaveLength(20)
  }
  await create()
  // Keeps one object, so that the namespace terminates for a while.
  const held = { name: 'box-0', namespace: 'shop' }
  await client.patch(Box, held, { merge: { metadata: { finalizers: ['example.com/held'] } } })
  const seen = cluster.trace.length
  await client.delete(Namespace, 'shop')
  await host.sleep(30_000)
  await client.patch(Box, held, { merge: { metadata: { finalizers: null } } })
  await host.sleep(30_000)
  const refused = cluster.trace
    .slice(seen)
    .filter(({ code, method, path }) => code === 403 && method === 'POST' && /maps|secr/.test(path))
  expect(refused.length).toBeLessThan(15)
  expect(await client.find(Namespace, 'shop')).toBeUndefined()
  await create()
})
