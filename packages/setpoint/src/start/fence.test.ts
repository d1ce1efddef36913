import { createCluster } from '@setpoint/cluster'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { Client, connectionFromKubeconfig } from '../client/index.ts'
import { defineResource } from '../definition/index.ts'
import { virtualHost } from '../host/index.ts'
import { ConfigMap, CustomResourceDefinition, Lease } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { start, type StartOptions } from './index.ts'

const Lamp = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Lamp',
  spec: z.object({ watts: z.int32().default(5) }),
})

/** How long a run takes that does not heed its signal. */
const stubbornMs = 60_000

async function world() {
  let lists = 0
  const host = virtualHost({
    seed: 7,
    intercept: ({ kind, url = '' }) => {
      const isList = url.includes('/v1/lamps?') && url.includes('sendInitialEvents=true')
      if (kind === 'request' && isList) lists += 1
      return undefined
    },
  })
  const cluster = await createCluster({ host, workloads: 'off' })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const client = new Client(host, connection)
  await client.create(CustomResourceDefinition, Lamp.crd())
  const refusals: unknown[] = []
  let runs = 0
  const lamps = operator(Lamp).reconcile(async (_, ctx) => {
    runs += 1
    const name = `run-${runs}`
    await host.sleep(stubbornMs)
    await ctx.client
      .create(ConfigMap, { metadata: { name } })
      .catch((e: unknown) => refusals.push(e))
  })
  return {
    host,
    client,
    refusals,
    /** How often all lamps were read. */
    lists: () => lists,
    start: (options: StartOptions = {}) => start([lamps], { host, connection, ...options }),
    create: () => client.create(Lamp, { metadata: { name: 'l' }, spec: {} }),
    /** The runs whose write came through. */
    written: async () =>
      (await client.listAll(ConfigMap, { namespace: 'default' }))
        .map(({ metadata }) => metadata.name)
        .filter((name) => name.startsWith('run-')),
    hold: async (holderIdentity: string, leaseDurationSeconds: number) => {
      const merge = { spec: { holderIdentity, leaseDurationSeconds } }
      await client.patch(Lease, 'lamps', { merge })
    },
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}

test('a run that goes on after the Lease was lost cannot write, not even when it is held again', async () => {
  await using it = await world()
  await using running = await it.start({ election: { name: 'lamps', identity: 'one' } })
  await it.create()
  await it.host.sleep(10_000)
  expect(running.isLeader).toBe(true)
  await it.hold('two', 15)
  await it.host.sleep(10_000)
  expect(running.isLeader).toBe(false)
  await it.hold('', 1)
  await it.host.sleep(20_000)
  expect(running.isLeader).toBe(true)
  // The first run ends now, in the time of the second.
  await it.host.sleep(stubbornMs - 39_000)
  expect(await it.written()).toEqual([])
  expect(it.refusals).toMatchObject([
    {
      code: 'ABORTED',
      message: expect.stringContaining('create of ConfigMap default/run-1 was not sent') as string,
    },
  ])
  await it.host.sleep(stubbornMs)
  expect(await it.written()).toEqual(['run-2'])
})

test('who lost the Lease goes on watching: nothing is read again for the next time it works', async () => {
  await using it = await world()
  await using running = await it.start({ election: { name: 'lamps', identity: 'one' } })
  await it.host.sleep(10_000)
  expect(it.lists()).toBe(1)
  await it.hold('two', 15)
  await it.host.sleep(10_000)
  expect(running.isLeader).toBe(false)
  await it.hold('', 1)
  await it.host.sleep(10_000)
  expect(running.isLeader).toBe(true)
  expect(it.lists()).toBe(1)
  await it.create()
  await it.host.sleep(stubbornMs + 1_000)
  expect(await it.written()).toEqual(['run-1'])
})

test('a run that outlives the end of its process cannot write', async () => {
  await using it = await world()
  const running = await it.start({ gracePeriod: 1_000 })
  await it.create()
  await it.host.sleep(10_000)
  await running.stop()
  await it.host.sleep(stubbornMs)
  expect(await it.written()).toEqual([])
  expect(it.refusals).toHaveLength(1)
  // Who started it still has a client.
  await running.client.create(ConfigMap, { metadata: { name: 'after' } })
})

test('the Lease is renewed in time whatever the work does with its rate limit', async () => {
  await using it = await world()
  const rateLimit = { requestsPerSecond: 0.1, burst: 5 }
  await using running = await it.start({
    election: {
      name: 'lamps',
      identity: 'one',
      leaseDuration: '6s',
      renewDeadline: '4s',
      retryPeriod: '1s',
    },
    rateLimit,
  })
  await it.create()
  for (let passed = 0; passed < 60; passed += 1) {
    await it.host.sleep(1_000)
    if (passed > 5) expect(running.isLeader).toBe(true)
    void running.client.find(ConfigMap, 'x').catch(() => undefined)
  }
  expect((await it.client.get(Lease, 'lamps')).spec.leaseDurationSeconds).toBe(6)
})
