import { testWorld, type TestWorld } from '@setpoint/cluster'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { GiveUpError, RetryLaterError } from '../controller/index.ts'
import { defineResource } from '../definition/index.ts'
import { ConfigMap, CustomResourceDefinition, EventsEvent } from '../kinds/index.ts'
import { type AnyOperator, operator, rbacFor } from '../operator/index.ts'

const Volume = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Volume',
  spec: z.object({ size: z.string(), node: z.string().optional() }),
  status: z.object({ made: z.record(z.string(), z.string()).optional() }),
})

/** Starts operators on an API server that has the definition. */
async function createWorld(...operators: AnyOperator[]): Promise<TestWorld> {
  const world = await testWorld({ operators: [], seed: 5, workloads: 'off' })
  await world.client.create(CustomResourceDefinition, Volume.crd())
  await world.restart(...operators)
  return world
}

const data = { metadata: { name: 'data' }, spec: { size: '1G' } }

test('runs a daemon while its object exists, shows it changes, and delays the deletion until it ends', async () => {
  const calls: string[] = []
  const volume = operator(Volume).daemon(async ({ spec }, ctx) => {
    calls.push(`begins with ${spec.size}`)
    while (!ctx.signal.aborted) {
      await ctx.sleep('10s').catch(() => undefined)
      calls.push(ctx.current()?.spec.size ?? 'gone')
    }
    await world.host.sleep(3_000)
    calls.push('ended')
  })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(15_000)
  expect(calls.splice(0)).toEqual(['begins with 1G', '1G'])
  await world.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await world.host.sleep(10_000)
  expect(calls.splice(0)).toEqual(['2G'])
  await world.client.delete(Volume, 'data')
  await world.host.sleep(2_000)
  expect(await world.client.find(Volume, 'data')).toBeDefined()
  await world.host.sleep(2_000)
  expect(await world.client.find(Volume, 'data')).toBeUndefined()
  expect(calls).toEqual(['2G', 'ended'])
})

test('stops waiting for a daemon that does not end within stopTimeout', async () => {
  const volume = operator(Volume).daemon(async () => world.host.sleep(3_600_000), {
    stopTimeout: 20_000,
  })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(1_000)
  await world.client.delete(Volume, 'data')
  await world.host.sleep(19_000)
  expect(await world.client.find(Volume, 'data')).toBeDefined()
  await world.host.sleep(2_000)
  expect(await world.client.find(Volume, 'data')).toBeUndefined()
  expect(world.host.logged.join()).toContain('no longer waiting for it')
})

test('limits how long the end of the process waits for a daemon', async () => {
  const volume = operator(Volume).daemon(async () => world.host.sleep(3_600_000), {
    stopTimeout: 3_600_000,
  })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(1_000)
  const startMs = world.host.monotonicMs()
  await world.stop()
  expect(world.host.monotonicMs() - startMs).toBeLessThanOrEqual(20_000)
})

test('restarts a daemon that throws after its backoff, not one that returns or gives up', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .daemon(
      async (_, { attempt }) => {
        calls.push(`failing ${attempt}`)
        throw new Error('the pipe broke')
      },
      { id: 'failing', backoff: { first: '10s', max: '30s' }, retries: 4 },
    )
    .daemon(async () => void calls.push('returning'))
    .daemon(async () => {
      calls.push('giving up')
      throw new GiveUpError('no')
    })
    .daemon(async (_, { attempt }) => {
      calls.push(`later ${attempt}`)
      if (attempt === 1) throw new RetryLaterError('wait', { after: '45s' })
    })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(65_000)
  expect(calls.splice(0)).toEqual([
    'failing 1',
    'returning',
    'giving up',
    'later 1',
    'failing 2',
    'failing 3',
    'later 2',
    'failing 4',
  ])
  await world.host.sleep(3_600_000)
  expect(calls).toEqual(['failing 5'])
  const notes = (await world.client.listAll(EventsEvent, { namespace: 'default' })).map(
    ({ note }) => note,
  )
  expect(notes.sort()).toEqual(['daemon-2: no', 'failing: the pipe broke'])
})

test('ends tasks when the process stops, the object is paused or no longer matches', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .daemon(
      async (_, ctx) => {
        calls.push('begins')
        await ctx.sleep('1d').catch(() => undefined)
        calls.push('ends')
      },
      { labels: { on: 'yes' } },
    )
    .every('1m', async () => void calls.push('tick'), { labels: { on: 'yes' } })
  await using world = await createWorld(volume)
  const label = async (on: string) =>
    world.client.patch(Volume, 'data', { merge: { metadata: { labels: { on } } } })
  const pause = async (paused: string | null) =>
    world.client.patch(Volume, 'data', {
      merge: { metadata: { annotations: { 'setpoint.dev/paused': paused } } },
    })
  await world.client.create(Volume, data)
  await world.host.sleep(90_000)
  expect(calls).toEqual([])
  expect((await world.client.get(Volume, 'data')).metadata.finalizers).toBeUndefined()
  await label('yes')
  await world.host.sleep(90_000)
  expect(calls.splice(0)).toEqual(['begins', 'tick', 'tick'])
  await label('no')
  await world.host.sleep(90_000)
  expect(calls.splice(0)).toEqual(['ends'])
  await label('yes')
  await world.host.sleep(1_000)
  expect(calls.splice(0)).toEqual(['begins', 'tick'])
  await pause('true')
  await world.host.sleep(90_000)
  expect(calls.splice(0)).toEqual(['ends'])
  await pause(null)
  await world.host.sleep(1_000)
  expect(calls.splice(0)).toEqual(['begins', 'tick'])
  await world.stop()
  expect(calls.splice(0)).toEqual(['ends'])
  await world.host.sleep(600_000)
  expect(calls).toEqual([])
})

test('starts new tasks for an object that is recreated under the same name', async () => {
  const calls: string[] = []
  const volume = operator(Volume).daemon(async ({ spec }, ctx) => {
    await ctx
      .sleep('1d')
      .catch(() => calls.push(`${spec.size} ended, ${ctx.current() === undefined}`))
  })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(1_000)
  await world.client.delete(Volume, 'data')
  await world.host.sleep(1_000)
  await world.client.create(Volume, { ...data, spec: { size: '2G' } })
  await world.host.sleep(1_000)
  expect(calls).toEqual(['1G ended, false'])
  await world.stop()
  expect(calls).toEqual(['1G ended, false', '2G ended, false'])
})

test('removes the finalizer after the last retry of a failing cleanup', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .onDelete(
      async (_, { signal }) => {
        calls.push('slow')
        await world.host.sleep(3_600_000, signal)
      },
      { timeout: 1_000, retries: 2 },
    )
    .onDelete(async () => void calls.push('next'))
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(1_000)
  await world.client.delete(Volume, 'data')
  await world.host.sleep(60_000)
  expect(calls).toEqual(['slow', 'slow', 'slow', 'next'])
  expect(await world.client.find(Volume, 'data')).toBeUndefined()
  const notes = (await world.client.listAll(EventsEvent, { namespace: 'default' })).map(
    ({ note }) => note,
  )
  expect(notes.join()).toContain(
    'finalizer removed although its cleanup failed: delete: delete for default/data took',
  )
})

test('does not count RetryLaterError of a cleanup as a retry', async () => {
  const calls: string[] = []
  const volume = operator(Volume).onDelete(
    async () => {
      calls.push('tried')
      if (calls.length <= 5) throw new RetryLaterError('it is in use', { after: '10s' })
      throw new Error('broken')
    },
    { retries: 1 },
  )
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(1_000)
  await world.client.delete(Volume, 'data')
  await world.host.sleep(45_000)
  expect(calls).toHaveLength(5)
  expect(await world.client.find(Volume, 'data')).toBeDefined()
  await world.host.sleep(60_000)
  expect(calls).toHaveLength(7)
  expect(await world.client.find(Volume, 'data')).toBeUndefined()
})

test('does not count RetryLaterError of a daemon or timer as a retry', async () => {
  const calls: string[] = []
  const patient =
    (what: string) =>
    async (_: unknown, { attempt }: { attempt: number }): Promise<void> => {
      calls.push(`${what} ${attempt}`)
      if (attempt <= 3) throw new RetryLaterError('wait', { after: '1s' })
      throw new Error('broken')
    }
  const volume = operator(Volume)
    .daemon(patient('daemon'), { retries: 1, backoff: '1s' })
    .every('1h', patient('timer'), { retries: 1, backoff: '1s' })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(60_000)
  for (const what of ['daemon', 'timer']) {
    expect(calls.filter((call) => call.startsWith(what))).toEqual(
      [1, 2, 3, 4, 5].map((attempt) => `${what} ${attempt}`),
    )
  }
})

test('runs a timer immediately, then from start to start, never twice at the same time', async () => {
  const calls: number[] = []
  const volume = operator(Volume)
    .every('30s', async (_, { sleep }) => {
      calls.push(world.host.monotonicMs() - beginMs)
      await sleep(calls.length === 2 ? '70s' : '10s')
    })
    .every({ every: '1h', startAfter: '5m' }, async () => {
      late.push(world.host.monotonicMs() - beginMs)
    })
  const late: number[] = []
  let beginMs = 0
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  beginMs = world.host.monotonicMs()
  await world.host.sleep(170_000)
  const seconds = (times: number[]) => times.map((ms) => Math.round(ms / 1000))
  expect(seconds(calls)).toEqual([0, 30, 100, 130, 160])
  await world.host.sleep(3_800_000)
  expect(seconds(late)).toEqual([300, 3900])
})

test('reads a cron expression in UTC or in its time zone', async () => {
  const calls: string[] = []
  const log = (name: string) => async () => {
    calls.push(`${name} ${new Date(world.host.now()).toISOString().slice(5, 16)}`)
  }
  const volume = operator(Volume)
    .every('0 3 * * *', log('utc'))
    .every({ every: '30 3 * * *', timeZone: 'Europe/Berlin' }, log('berlin'))
    .every('*/20 * * * *', log('often'), { labels: { often: 'yes' } })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(48 * 3_600_000)
  expect(calls.splice(0)).toEqual([
    'berlin 01-01T02:30',
    'utc 01-01T03:00',
    'berlin 01-02T02:30',
    'utc 01-02T03:00',
  ])
  await world.client.patch(Volume, 'data', { merge: { metadata: { labels: { often: 'yes' } } } })
  await world.host.sleep(3_660_000)
  expect(calls).toEqual(['often 01-03T00:20', 'often 01-03T00:40', 'often 01-03T01:00'])
})

test('delays a timer until the object has not changed for a while', async () => {
  let calls = 0
  const volume = operator(Volume).every(
    { every: '1m', idleFor: '10m' },
    async () => void (calls += 1),
  )
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  for (const size of ['2G', '3G', '4G']) {
    await world.host.sleep(500_000)
    await world.client.patch(Volume, 'data', { merge: { spec: { size } } })
  }
  expect(calls).toBe(0)
  await world.host.sleep(601_000)
  expect(calls).toBe(1)
})

test('retries a failing timer after its backoff, then continues; GiveUpError ends it', async () => {
  const calls: string[] = []
  let beginMs = 0
  const volume = operator(Volume).every(
    '10m',
    async (_, { attempt }) => {
      calls.push(`${Math.round((world.host.monotonicMs() - beginMs) / 1000)} ${attempt}`)
      if (calls.length === 7) throw new GiveUpError('enough')
      if (calls.length !== 4) throw new Error('no')
    },
    { backoff: '5s', retries: 1 },
  )
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  beginMs = world.host.monotonicMs()
  await world.host.sleep(7_200_000)
  expect(calls).toEqual(['0 1', '5 2', '605 1', '610 2', '1210 1', '1215 2', '1815 1'])
})

test('delivers raw events in order, and only logs their failures', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .onEvent(async ({ type, object, previous, isInitial }, ctx) => {
      await world.host.sleep(calls.length === 1 ? 100 : 0)
      const was = previous?.spec.size ?? 'nothing'
      calls.push(`${type} ${was}-${object.spec.size} ${isInitial} ${ctx.list(Volume).length}`)
    })
    .onEvent(async () => {
      throw new Error('not an event I know')
    })
  await using world = await createWorld()
  await world.client.create(Volume, data)
  await world.restart(volume)
  await world.host.sleep(1_000)
  await world.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await world.client.delete(Volume, 'data')
  await world.host.sleep(1_000)
  expect(calls).toEqual([
    'added nothing-1G true 1',
    'changed 1G-2G false 0',
    'removed 2G-2G false 0',
  ])
  expect(world.host.logged.join()).toContain('not an event I know')
  const writes = world.cluster.trace.filter(
    ({ verb, path }) => verb === 'patch' && /volumes/.test(path),
  )
  expect(writes).toHaveLength(1)
})

test('aborts a hanging event handler, and limits the queued events', async () => {
  const seen: string[] = []
  let isStuck = true
  const volume = operator(Volume).onEvent(
    async ({ object }) => {
      seen.push(object.spec.size)
      if (isStuck) await new Promise(() => undefined)
    },
    { timeout: 60_000 },
  )
  await using world = await createWorld()
  await world.client.create(Volume, data)
  await world.restart(volume)
  for (let size = 1; size <= 150; size += 1) {
    await world.client.patch(Volume, 'data', { merge: { spec: { size: `${size}M` } } })
  }
  isStuck = false
  await world.host.sleep(120_000)
  const latest = Array.from({ length: 100 }, (_, index) => `${index + 51}M`)
  expect(seen).toEqual(['1G', ...latest])
  expect(world.host.logged.join()).toContain('took longer than 60000 ms')
  expect(world.host.logged.join()).toContain('event handlers are too slow')
})

test('completes an index before the first handler, keeps it current and survives errors', async () => {
  const seen: unknown[] = []
  const volume = operator(Volume)
    .index('byNode', ({ metadata, spec }) => {
      if (spec.node === 'bad') throw new Error('no such node')
      return spec.node === undefined ? [] : [[spec.node, metadata.name] as const]
    })
    .onResume(async (_, ctx) => void seen.push([...ctx.index('byNode').get('n1')].sort()))
    .onUpdate(async (_, ctx) => {
      const index = ctx.index('byNode')
      seen.push([[...index.get('n1')].sort(), index.get('n2'), [...index.keys()].sort()])
    })
    .reconcile(async (_, ctx) => void ctx.index('byNode').get('n1'))
  await using world = await createWorld()
  for (const name of ['a', 'b', 'c']) {
    await world.client.create(Volume, { metadata: { name }, spec: { size: '1G', node: 'n1' } })
  }
  await world.restart(volume)
  await world.host.settle()
  expect(seen.splice(0)).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ])
  await world.client.patch(Volume, 'a', { merge: { spec: { node: 'n2' } } })
  await world.host.settle()
  expect(seen.splice(0)).toEqual([[['b', 'c'], ['a'], ['n1', 'n2']]])
  await world.client.delete(Volume, 'b')
  await world.client.patch(Volume, 'a', { merge: { spec: { node: 'bad' } } })
  await world.host.settle()
  expect(seen.splice(0)).toEqual([[['c'], [], ['n1']]])
  expect(world.host.logged.join()).toContain('no such node')
})

test('derives sufficient RBAC rules for handlers', async () => {
  const operators = [
    operator(Volume)
      .owns(ConfigMap)
      .onCreate(
        async (_, ctx) => {
          await ctx.apply(ConfigMap, { data: { a: 'b' } })
          return { a: 'b' }
        },
        { id: 'made' },
      )
      .onUpdate(async () => undefined)
      .daemon(async (_, ctx) => ctx.sleep('1d')),
  ]
  const rules = rbacFor(operators)
  await using world = await testWorld({ operators, rules, seed: 5, workloads: 'off' })
  const { host, client, cluster } = world
  await client.create(Volume, data)
  await host.sleep(5_000)
  expect((await client.get(Volume, 'data')).status).toEqual({ made: { a: 'b' } })
  await client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await host.sleep(5_000)
  await client.delete(Volume, 'data')
  await host.sleep(15_000)
  expect(await client.find(Volume, 'data')).toBeUndefined()
  const refused = cluster.trace.filter(({ code, user }) => code === 403 && user === 'operator')
  expect(refused.filter(({ path }) => !path.includes('customresourcedefinitions'))).toEqual([])
})
