import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { Cache } from '../cache/index.ts'
import { Client, connectionFromKubeconfig } from '../client/index.ts'
import { type Intercept, virtualHost } from '../host/index.ts'
import { ConfigMap } from '../kinds/index.ts'
import { Controller, GiveUpError, RetryLaterError, type RunReport } from './index.ts'

type ControllerOptions = ConstructorParameters<typeof Controller>[0]
type Reconcile = ControllerOptions['reconcile']

/** A cluster, and a controller that reconciles its ConfigMaps. */
async function createWorld(
  options: Partial<ControllerOptions> & { readonly reconcile?: Reconcile },
  intercept?: Intercept,
) {
  const host = virtualHost({ seed: 1, intercept })
  const cluster = await createCluster({ host, workloads: 'off' })
  const client = new Client(host, await connectionFromKubeconfig(host, cluster.kubeconfig()))
  const cache = new Cache({ host, transport: client.transport }, { freeze: true })
  const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
  const reports: RunReport[] = []
  const controller = new Controller({
    name: 'test',
    host,
    reconcile: async () => undefined,
    onRunEnd: (report) => reports.push(report),
    ...options,
  })
  await maps.whenSynced()
  controller.watch(maps, ({ key }) => [key])
  const running = controller.run()
  return {
    host,
    client,
    maps,
    controller,
    reports,
    create: (name: string) => client.create(ConfigMap, { metadata: { name } }),
    patch: (name: string, data: Record<string, string>) =>
      client.patch(ConfigMap, name, { merge: { data } }),
    [Symbol.asyncDispose]: async () => {
      controller.stop()
      controller.abort(new Error('the test is over'))
      await running
      await cache.stop()
      await cluster.dispose()
      host.stop()
    },
  }
}

test('reconciles the key of a change with its reason', async () => {
  await using world = await createWorld({})
  await world.create('a')
  await world.patch('a', { x: '1' })
  await world.host.settle()
  const reasons = world.reports.flatMap(({ run }) => run.reasons.map(String))
  expect(reasons).toEqual(['ConfigMap default/a added', 'ConfigMap default/a changed (data)'])
})

test('causes few reconciles for 2,000 updates of one object, never two at the same time', async () => {
  let active = 0
  let mostActive = 0
  const seenCounts: number[] = []
  await using world = await createWorld({
    reconcile: async ({ key }) => {
      active += 1
      mostActive = Math.max(mostActive, active)
      seenCounts.push(Number(world.maps.get(key)?.data?.['count'] ?? ''))
      await world.host.sleep(10_000)
      active -= 1
    },
  })
  await world.create('a')
  for (let count = 1; count <= 2000; count += 1) await world.patch('a', { count: String(count) })
  await world.host.sleep(60_000)
  expect(mostActive).toBe(1)
  expect(seenCounts).toEqual(seenCounts.toSorted((a, b) => a - b))
  expect(seenCounts.at(-1)).toBe(2000)
  expect(seenCounts.length).toBeLessThanOrEqual(3)
})

test('causes one reconcile for reasons that arrive before it reads the cache', async () => {
  const seen: unknown[] = []
  const reconcile: Reconcile = async ({ key }) => void seen.push(world.maps.get(key)?.data)
  await using world = await createWorld({ reconcile })
  await world.create('a')
  await world.host.settle()
  // Both are due together, as after an interrupted watch.
  world.controller.trigger('default/a', 'one')
  world.controller.trigger('default/a', 'two')
  await world.host.settle()
  expect(seen).toHaveLength(2)
  expect(world.reports.at(-1)?.run.reasons.map(String)).toEqual(['one', 'two'])
})

test('causes no reconcile for an own write, whether its echo arrives before or after the end', async () => {
  let writes = 0
  await using world = await createWorld({
    reconcile: async ({ key, wrote }) => {
      writes += 1
      const name = key.split('/')[1] ?? ''
      const written = await world.patch(name, { count: String(writes) })
      if (writes % 2 === 0) await world.host.sleep(50)
      wrote(world.maps, written)
    },
  })
  for (const name of ['a', 'b', 'c', 'd']) await world.create(name)
  await world.host.sleep(60_000)
  expect(writes).toBe(4)
})

test('does not mistake the change of another client for the echo of a write without effect', async () => {
  let isFirst = true
  await using world = await createWorld({
    reconcile: async ({ wrote }) => {
      if (!isFirst) return undefined
      isFirst = false
      // Another client writes, and before its event arrives the server returns that revision for
      // our own write.
      wrote(world.maps, await world.patch('a', { theirs: '1' }), ['metadata.annotations'])
      await world.host.sleep(50)
      return undefined
    },
  })
  await world.create('a')
  await world.host.sleep(1000)
  expect(world.reports).toHaveLength(2)
})

test('sees the own writes of the reconcile before', async () => {
  const seen: (string | undefined)[] = []
  await using world = await createWorld({
    reconcile: async ({ key, wrote }) => {
      const before = world.maps.get(key)?.data?.['count']
      seen.push(before)
      if (seen.length >= 5) return undefined
      wrote(world.maps, await world.patch('a', { count: String(seen.length) }))
      world.controller.trigger(key, 'again')
      return undefined
    },
  })
  await world.create('a')
  await world.host.sleep(60_000)
  expect(seen).toEqual([undefined, '1', '2', '3', '4'])
})

test('treats an own write as a change when it arrives after the timeout', async () => {
  let isSlow = false
  const seen: unknown[] = []
  await using world = await createWorld(
    {
      reconcile: async ({ wrote }) => {
        seen.push(world.maps.get('default/a')?.data)
        if (seen.length > 1) return
        isSlow = true
        wrote(world.maps, await world.patch('a', { own: '1' }))
      },
    },
    ({ kind, url = '' }) =>
      isSlow && kind === 'response-chunk' && url.includes('watch=') ? { delay: 60_000 } : undefined,
  )
  await world.create('a')
  await world.host.sleep(1_000)
  world.controller.trigger('default/a', 'external event')
  await world.host.sleep(30_000)
  expect(seen).toEqual([undefined, undefined])
  await world.host.sleep(60_000)
  expect(seen).toEqual([undefined, undefined, { own: '1' }])
})

test('retries a failed reconcile with a growing delay until GiveUpError', async () => {
  await using world = await createWorld({
    reconcile: async ({ failures }) => {
      if (failures === 3) throw new GiveUpError('hopeless')
      throw new Error('no')
    },
  })
  await world.create('a')
  await world.host.sleep(600_000)
  expect(world.reports.map(({ result }) => result)).toEqual([
    'failed',
    'failed',
    'failed',
    'gave-up',
  ])
  expect(String(world.reports[1]?.run.reasons[0])).toBe('retry after: no')
})

test('requeues after the delay of recheckAfter or RetryLaterError', async () => {
  const times: number[] = []
  await using world = await createWorld({
    reconcile: async () => {
      times.push(world.host.monotonicMs())
      if (times.length === 1) throw new RetryLaterError('not yet', { after: '30s' })
      return times.length === 2 ? { recheckAfter: '5m' } : undefined
    },
  })
  await world.create('a')
  await world.host.sleep(3_600_000)
  expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 30_000, 330_000])
  expect(world.reports.map(({ result }) => result)).toEqual(['later', 'recheck', 'done'])
})

test('delays only its own key when a reconcile never ends', async () => {
  const done: string[] = []
  await using world = await createWorld({
    concurrency: 1,
    deadlineMs: 1000,
    reconcile: ({ key }) => {
      if (key === 'default/stuck') return new Promise(() => undefined)
      done.push(key)
      return Promise.resolve(undefined)
    },
  })
  await world.create('stuck')
  await world.host.settle()
  await world.create('other')
  await world.patch('stuck', { x: '1' })
  await world.host.sleep(60_000)
  expect(done).toEqual(['default/other'])
  expect(world.reports[0]).toMatchObject({ result: 'failed', error: { code: 'RUN_OVERDUE' } })
  expect(world.reports.filter(({ run }) => run.key === 'default/stuck')).toHaveLength(1)
})

test('retries a reconcile that ends when its deadline aborts its signal', async () => {
  let runs = 0
  await using world = await createWorld({
    deadlineMs: 1000,
    reconcile: async ({ signal }) => {
      runs += 1
      if (runs === 1) await world.host.sleep(1_000_000, signal)
    },
  })
  await world.create('a')
  await world.host.sleep(60_000)
  expect(world.reports.map(({ result }) => result)).toEqual(['failed', 'done'])
})

test('reconciles fresh changes before objects that existed', async () => {
  const order: string[] = []
  await using world = await createWorld({ concurrency: 1 })
  for (const name of ['a', 'b', 'c']) await world.create(name)
  await world.host.settle()
  const later = new Controller({
    name: 'later',
    host: world.host,
    concurrency: 1,
    reconcile: async ({ key }) => {
      order.push(key)
      await world.host.sleep(1000)
    },
  })
  later.watch(world.maps, ({ key }) => [key])
  const running = later.run()
  await world.create('new')
  await world.host.sleep(60_000)
  later.stop()
  await running
  expect(order).toEqual(['default/a', 'default/new', 'default/b', 'default/c'])
})

test('reports a reconcile past its deadline as running while its worker continues', async () => {
  await using world = await createWorld({
    concurrency: 1,
    deadlineMs: 1_000,
    reconcile: async ({ key }) => {
      if (key === 'default/slow') await world.host.sleep(60_000)
    },
  })
  await world.create('slow')
  await world.create('quick')
  await world.host.sleep(30_000)
  expect(world.reports).toMatchObject([
    { controller: 'test', run: { key: 'default/slow' }, result: 'failed' },
    { controller: 'test', run: { key: 'default/quick' }, result: 'done' },
  ])
  expect(world.controller).toMatchObject({ name: 'test', concurrency: 1, active: 0, added: 2 })
  expect(world.controller.runningMs).toHaveLength(1)
  expect(world.controller.runningMs[0]).toBeGreaterThan(29_000)
  await world.host.sleep(31_000)
  expect(world.controller.runningMs.every((ms) => ms < 29_000)).toBe(true)
})

test.each(['5 minutes', NaN, -1, Infinity])(
  'fails a reconcile with recheckAfter %s without affecting other keys',
  async (recheckAfter) => {
    await using world = await createWorld({
      concurrency: 1,
      reconcile: async ({ key }) => (key === 'default/a' ? { recheckAfter } : undefined),
    })
    await world.create('a')
    await world.create('b')
    await world.host.settle()
    expect(world.reports[0]).toMatchObject({
      result: 'failed',
      error: { code: 'DURATION_INVALID' },
    })
    expect(world.reports.map(({ run }) => run.key)).toContain('default/b')
  },
)

test('reports an overdue reconcile with a signal that is not aborted', async () => {
  const reported: [string, boolean][] = []
  await using world = await createWorld({
    deadlineMs: 1_000,
    reconcile: () => new Promise(() => undefined),
    onOverdue: async ({ key, signal }) => {
      reported.push([key, signal.aborted])
    },
  })
  await world.create('a')
  await world.host.sleep(7_000)
  expect(reported).toEqual([['default/a', false]])
})

test('stops after two seconds although a reconcile ignores its signal', async () => {
  const world = await createWorld({ reconcile: () => new Promise(() => undefined) })
  await world.create('a')
  await world.host.settle()
  const startMs = world.host.monotonicMs()
  await world[Symbol.asyncDispose]()
  expect(world.host.monotonicMs() - startMs).toBe(2_000)
})

test('reconciles after a change of another client that the own write returned', async () => {
  const seen: (string | undefined)[] = []
  await using world = await createWorld({
    reconcile: async (run) => {
      const map = world.maps.get(run.key)
      seen.push(map?.data?.['b'])
      if (seen.length > 1) return undefined
      await world.patch('a', { b: 'foreign' })
      const answer = await world.patch('a', { a: '1' })
      run.wrote(world.maps, answer, ['data.a'])
      return undefined
    },
  })
  await world.client.create(ConfigMap, { metadata: { name: 'a' }, data: { a: '1', b: '1' } })
  await world.host.settle()
  expect(seen).toEqual(['1', 'foreign'])
})
