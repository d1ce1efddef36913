import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { ConfigMap, Secret } from '../kinds/index.ts'
import { operator, when } from '../operator/index.ts'
import { world, type World } from './testdata/world.ts'

const Tenant = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Tenant',
  spec: z.object({ size: z.number().default(1) }),
  conditions: ['Ready'],
})

const acme = { metadata: { name: 'acme' }, spec: {} }

/** The Ready condition in the end, and how many status writes it took. */
async function ready(it: World, size: number): Promise<[string | undefined, number]> {
  await it.client.patch(Tenant, 'acme', { merge: { spec: { size } } })
  await it.host.sleep(60_000)
  const [condition] = (await it.client.get(Tenant, 'acme')).status?.conditions ?? []
  const writes = it.writes().filter((write) => write.endsWith('/status')).length
  return [condition && `${condition.status}: ${condition.message}`, writes]
}

const maps = operator(Tenant, { name: 'maps' }).child('map', ConfigMap, ({ spec }) => {
  if (spec.size > 1) throw new Error('no room for maps')
  return { data: {} }
})

test('does not overwrite a stated Ready with the failure of another operator', async () => {
  const stating = operator(Tenant, { name: 'stating' }).status(({ spec }) => ({
    conditions: { Ready: when(true, 'Sized', `size ${spec.size}`) },
  }))
  await using it = await world(maps, stating)
  await it.client.create(Tenant, acme)
  const [failing, writes] = await ready(it, 2)
  expect(failing).toBe('False: no room for maps')
  expect(writes).toBeLessThan(6)
  it.writes()
  await it.host.sleep(600_000)
  expect(it.writes().filter((write) => !write.includes('events'))).toEqual([])
  await it.restart()
  await it.host.sleep(60_000)
  expect((await ready(it, 3))[0]).toBe('False: no room for maps')
  expect((await ready(it, 1))[0]).toBe('True: size 1')
})

test('reports the failures of all operators, and clears them with the last one', async () => {
  const secrets = operator(Tenant, { name: 'secrets' }).child('secret', Secret, ({ spec }) => {
    if (spec.size > 2) throw new Error('no room for secrets')
    return { data: {} }
  })
  // This operator never sees the object.
  const elsewhere = operator(Tenant, { name: 'elsewhere', labelSelector: 'far' })
  await using it = await world(maps, secrets, elsewhere)
  await it.client.create(Tenant, acme)
  expect((await ready(it, 2))[0]).toBe('False: no room for maps')
  expect((await ready(it, 3))[0]).toBe('False: no room for maps; no room for secrets')
  await it.restart()
  await it.host.sleep(1_000)
  expect((await ready(it, 2))[0]).toBe('False: no room for maps')
  expect((await ready(it, 1))[0]).toBe('True: all children are ready')
})
