import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { ConfigMap, Lease } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import type { StartOptions } from './index.ts'
import { createIdleWorld } from './testdata/world.ts'

const Lamp = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Lamp',
  spec: z.object({ watts: z.int32().default(5) }),
})

/** How long a reconcile that ignores its signal takes. */
const ignoringSignalMs = 60_000

async function createWorld() {
  let lists = 0
  const world = await createIdleWorld([Lamp], {
    seed: 7,
    intercept: ({ kind, url = '' }) => {
      const isList = url.includes('/v1/lamps?') && url.includes('sendInitialEvents=true')
      if (kind === 'request' && isList) lists += 1
      return undefined
    },
  })
  const { host, client } = world
  const refusals: unknown[] = []
  let runs = 0
  const lamps = operator(Lamp).reconcile(async (_, ctx) => {
    runs += 1
    const name = `run-${runs}`
    await host.sleep(ignoringSignalMs)
    await ctx.client
      .create(ConfigMap, { metadata: { name } })
      .catch((e: unknown) => refusals.push(e))
  })
  return {
    ...world,
    refusals,
    /** How often all lamps were listed. */
    lists: () => lists,
    start: (options: StartOptions = {}) => world.start([lamps], options),
    create: () => client.create(Lamp, { metadata: { name: 'l' }, spec: {} }),
    /** The reconciles whose write succeeded. */
    written: async () =>
      (await client.listAll(ConfigMap, { namespace: 'default' }))
        .map(({ metadata }) => metadata.name)
        .filter((name) => name.startsWith('run-')),
    hold: async (holderIdentity: string, leaseDurationSeconds: number) => {
      const merge = { spec: { holderIdentity, leaseDurationSeconds } }
      await client.patch(Lease, 'lamps', { merge })
    },
  }
}

test('refuses writes of a reconcile after the Lease was lost, even when it is held again', async () => {
  await using world = await createWorld()
  await using running = await world.start({ election: { name: 'lamps', identity: 'one' } })
  await world.create()
  await world.host.sleep(10_000)
  expect(running.isLeader).toBe(true)
  await world.hold('two', 15)
  await world.host.sleep(10_000)
  expect(running.isLeader).toBe(false)
  await world.hold('', 1)
  await world.host.sleep(20_000)
  expect(running.isLeader).toBe(true)
  // The first reconcile ends now, in the term of the second.
  await world.host.sleep(ignoringSignalMs - 39_000)
  expect(await world.written()).toEqual([])
  expect(world.refusals).toMatchObject([
    {
      code: 'ABORTED',
      message: expect.stringContaining('create of ConfigMap default/run-1 was not sent') as string,
    },
  ])
  await world.host.sleep(ignoringSignalMs)
  expect(await world.written()).toEqual(['run-2'])
})

test('keeps watching after the Lease was lost, without another list in the next term', async () => {
  await using world = await createWorld()
  await using running = await world.start({ election: { name: 'lamps', identity: 'one' } })
  await world.host.sleep(10_000)
  expect(world.lists()).toBe(1)
  await world.hold('two', 15)
  await world.host.sleep(10_000)
  expect(running.isLeader).toBe(false)
  await world.hold('', 1)
  await world.host.sleep(10_000)
  expect(running.isLeader).toBe(true)
  expect(world.lists()).toBe(1)
  await world.create()
  await world.host.sleep(ignoringSignalMs + 1_000)
  expect(await world.written()).toEqual(['run-1'])
})

test('refuses writes of a reconcile that outlives its process', async () => {
  await using world = await createWorld()
  const running = await world.start({ gracePeriod: 1_000 })
  await world.create()
  await world.host.sleep(10_000)
  await running.stop()
  await world.host.sleep(ignoringSignalMs)
  expect(await world.written()).toEqual([])
  expect(world.refusals).toHaveLength(1)
  // The client of the caller still works.
  await running.client.create(ConfigMap, { metadata: { name: 'after' } })
})

test('renews the Lease in time although the work exhausts its rate limit', async () => {
  await using world = await createWorld()
  const rateLimit = { requestsPerSecond: 0.1, burst: 5 }
  await using running = await world.start({
    election: {
      name: 'lamps',
      identity: 'one',
      leaseDuration: '6s',
      renewDeadline: '4s',
      retryPeriod: '1s',
    },
    rateLimit,
  })
  await world.create()
  for (let passed = 0; passed < 60; passed += 1) {
    await world.host.sleep(1_000)
    if (passed > 5) expect(running.isLeader).toBe(true)
    void running.client.find(ConfigMap, 'x').catch(() => undefined)
  }
  expect((await world.client.get(Lease, 'lamps')).spec.leaseDurationSeconds).toBe(6)
})
