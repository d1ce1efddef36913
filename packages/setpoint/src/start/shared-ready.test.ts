import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { ConfigMap, Secret } from '../kinds/index.ts'
import { operator, when } from '../operator/index.ts'
import { createIdleWorld, createWorld, type World } from './testdata/world.ts'

const Tenant = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Tenant',
  spec: z.object({ size: z.number().default(1) }),
  conditions: ['Ready'],
})

const acme = { metadata: { name: 'acme' }, spec: {} }

/** The final Ready condition, and the number of status writes until then. */
async function ready(world: World, size: number): Promise<[string | undefined, number]> {
  await world.client.patch(Tenant, 'acme', { merge: { spec: { size } } })
  await world.host.sleep(60_000)
  const [condition] = (await world.client.get(Tenant, 'acme')).status?.conditions ?? []
  const writes = world.writes().filter((write) => write.endsWith('/status')).length
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
  await using world = await createWorld(maps, stating)
  await world.client.create(Tenant, acme)
  const [failing, writes] = await ready(world, 2)
  expect(failing).toBe('False: no room for maps')
  expect(writes).toBeLessThan(6)
  world.writes()
  await world.host.sleep(600_000)
  expect(world.writes().filter((write) => !write.includes('events'))).toEqual([])
  await world.restart()
  await world.host.sleep(60_000)
  expect((await ready(world, 3))[0]).toBe('False: no room for maps')
  expect((await ready(world, 1))[0]).toBe('True: size 1')
})

test('reports the failures of all operators, and clears them with the last one', async () => {
  const secrets = operator(Tenant, { name: 'secrets' }).child('secret', Secret, ({ spec }) => {
    if (spec.size > 2) throw new Error('no room for secrets')
    return { data: {} }
  })
  // This operator never sees the object.
  const elsewhere = operator(Tenant, { name: 'elsewhere', labelSelector: 'far' })
  await using world = await createWorld(maps, secrets, elsewhere)
  await world.client.create(Tenant, acme)
  expect((await ready(world, 2))[0]).toBe('False: no room for maps')
  expect((await ready(world, 3))[0]).toBe('False: no room for maps; no room for secrets')
  await world.restart()
  await world.host.sleep(1_000)
  expect((await ready(world, 2))[0]).toBe('False: no room for maps')
  expect((await ready(world, 1))[0]).toBe('True: all children are ready')
})

const waiting = operator(Tenant, { name: 'waiting' }).child(
  'map',
  ConfigMap,
  { readyWhen: () => false },
  () => ({ data: {} }),
)
const secretive = operator(Tenant, { name: 'secretive' }).child('secret', Secret, () => ({}))
const stating = operator(Tenant, { name: 'zealous' }).status(() => ({
  conditions: { Ready: when(true, 'Stated', 'by the author') },
}))
const silent = operator(Tenant, { name: 'silent', setsReady: false }).child('more', Secret, () => ({
  metadata: { name: 'more' },
}))

test.for([
  ['both derive it', [waiting, secretive], 'True: all children are ready'],
  ['one derives it and one states it', [waiting, stating], 'True: by the author'],
  ['one does not set it', [silent, waiting], 'False: waiting for map: not ready yet'],
] as const)(
  'programs that serve one resource agree who sets Ready: %s',
  async ([, programs, expected]) => {
    await using world = await createIdleWorld([Tenant])
    const { client, host, cluster } = world
    const running = await Promise.all(programs.map(async (one) => world.start([one])))
    let seen = 0
    const statusWrites = async (durationMs: number): Promise<number> => {
      await host.sleep(durationMs)
      const writes = cluster.trace.slice(seen).filter(({ path }) => path.endsWith('/acme/status'))
      seen = cluster.trace.length
      return writes.length
    }
    const ready = async (): Promise<string> => {
      const [condition, ...others] = (await client.get(Tenant, 'acme')).status?.conditions ?? []
      expect(others).toEqual([])
      return `${condition?.status}: ${condition?.message}`
    }
    await client.create(Tenant, acme)
    expect(await statusWrites(60_000)).toBeLessThan(20)
    expect(await statusWrites(600_000)).toBe(0)
    expect(await ready()).toBe(expected)
    await client.patch(Tenant, 'acme', { merge: { spec: { size: 5 } } })
    expect(await statusWrites(60_000)).toBeLessThan(4)
    expect(await statusWrites(600_000)).toBe(0)
    await Promise.all(running.map(async (one) => one.stop()))
  },
)

test('corrects a Ready condition that someone edits by hand', async () => {
  await using world = await createWorld(maps)
  await world.client.create(Tenant, acme)
  for (let edit = 0; edit < 5; edit += 1) {
    await world.host.sleep(120_000)
    const { status } = await world.client.get(Tenant, 'acme')
    const [condition] = status?.conditions ?? []
    expect(condition?.message).toBe('all children are ready')
    const conditions = [{ ...condition, message: 'edited' }]
    const patch = { merge: { status: { conditions } }, subresource: 'status' as const }
    await world.client.patch(Tenant, 'acme', { ...patch, fieldManager: 'aaa-edit' })
  }
})
