import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { Cache } from '../cache/index.ts'
import { Client, connectionFromKubeconfig } from '../client/index.ts'
import { type Intercept, virtualHost } from '../host/index.ts'
import { ConfigMap } from '../kinds/index.ts'
import { Controller, GiveUpError, RetryLaterError, type RunReport } from './index.ts'

type ControllerOptions = ConstructorParameters<typeof Controller>[0]
type Reconcile = ControllerOptions['reconcile']

/** A cluster, and a controller that runs the keys of its config maps. */
async function world(
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

test('a change runs its key, and the run knows what happened', async () => {
  await using it = await world({})
  await it.create('a')
  await it.patch('a', { x: '1' })
  await it.host.settle()
  const reasons = it.reports.flatMap(({ run }) => run.reasons.map(String))
  expect(reasons).toEqual(['ConfigMap default/a added', 'ConfigMap default/a changed (data)'])
})

test('2,000 updates of one object with a slow handler cause few runs, never two at once', async () => {
  let active = 0
  let mostActive = 0
  let last = ''
  let runs = 0
  await using it = await world({
    reconcile: async ({ key }) => {
      runs += 1
      active += 1
      mostActive = Math.max(mostActive, active)
      const seen = it.maps.get(key)?.data?.['count'] ?? ''
      await it.host.sleep(10_000)
      expect(Number(seen)).toBeGreaterThanOrEqual(Number(last))
      last = seen
      active -= 1
    },
  })
  await it.create('a')
  for (let count = 1; count <= 2000; count += 1) await it.patch('a', { count: String(count) })
  await it.host.sleep(60_000)
  expect(mostActive).toBe(1)
  expect(last).toBe('2000')
  expect(runs).toBeLessThanOrEqual(3)
}, 30_000)

test('a change that a run sees anyway, because it came before the run looked, causes no other run', async () => {
  const seen: unknown[] = []
  const reconcile: Reconcile = async ({ key }) => void seen.push(it.maps.get(key)?.data)
  await using it = await world({ reconcile })
  await it.create('a')
  await it.host.settle()
  // Both are due at once, as after a watch that was away for a moment.
  it.controller.trigger('default/a', 'one')
  it.controller.trigger('default/a', 'two')
  await it.host.settle()
  expect(seen).toHaveLength(2)
  expect(it.reports.at(-1)?.run.reasons.map(String)).toEqual(['one', 'two'])
})

test('an own write causes no run, whether its event comes before or after the run ended', async () => {
  let writes = 0
  await using it = await world({
    reconcile: async ({ key, wrote }) => {
      writes += 1
      const name = key.split('/')[1] ?? ''
      const written = await it.patch(name, { count: String(writes) })
      if (writes % 2 === 0) await it.host.sleep(50)
      wrote(it.maps, written)
    },
  })
  for (const name of ['a', 'b', 'c', 'd']) await it.create(name)
  await it.host.sleep(60_000)
  expect(writes).toBe(4)
})

test('a write that changed nothing does not hide the change of somebody else', async () => {
  let isFirst = true
  await using it = await world({
    reconcile: async ({ wrote }) => {
      if (!isFirst) return undefined
      isFirst = false
      // Somebody writes, and before its event is here we are told the same revision for our own write.
      wrote(it.maps, await it.patch('a', { theirs: '1' }), ['metadata.annotations'])
      await it.host.sleep(50)
      return undefined
    },
  })
  await it.create('a')
  await it.host.sleep(1000)
  expect(it.reports).toHaveLength(2)
})

test('a run sees what the one before it wrote', async () => {
  const seen: (string | undefined)[] = []
  await using it = await world({
    reconcile: async ({ key, wrote }) => {
      const before = it.maps.get(key)?.data?.['count']
      seen.push(before)
      if (seen.length >= 5) return undefined
      wrote(it.maps, await it.patch('a', { count: String(seen.length) }))
      it.controller.trigger(key, 'again')
      return undefined
    },
  })
  await it.create('a')
  await it.host.sleep(60_000)
  expect(seen).toEqual([undefined, '1', '2', '3', '4'])
})

test('what a run wrote and the next one could not wait for is news when it comes', async () => {
  let isSlow = false
  const seen: unknown[] = []
  await using it = await world(
    {
      reconcile: async ({ wrote }) => {
        seen.push(it.maps.get('default/a')?.data)
        if (seen.length > 1) return
        isSlow = true
        wrote(it.maps, await it.patch('a', { own: '1' }))
      },
    },
    ({ kind, url = '' }) =>
      isSlow && kind === 'response-chunk' && url.includes('watch=') ? { delay: 60_000 } : undefined,
  )
  await it.create('a')
  await it.host.sleep(1_000)
  it.controller.trigger('default/a', 'somebody asks')
  await it.host.sleep(30_000)
  expect(seen).toEqual([undefined, undefined])
  await it.host.sleep(60_000)
  expect(seen).toEqual([undefined, undefined, { own: '1' }])
})

test('a run that throws is tried again, waiting longer each time; giving up ends that', async () => {
  await using it = await world({
    reconcile: async ({ failures }) => {
      if (failures === 3) throw new GiveUpError('hopeless')
      throw new Error('no')
    },
  })
  await it.create('a')
  await it.host.sleep(600_000)
  expect(it.reports.map(({ result }) => result)).toEqual(['failed', 'failed', 'failed', 'gave-up'])
  expect(String(it.reports[1]?.run.reasons[0])).toBe('retry after: no')
})

test('a run can say when to come back, in peace or in trouble', async () => {
  const times: number[] = []
  await using it = await world({
    reconcile: async () => {
      times.push(it.host.monotonicMs())
      if (times.length === 1) throw new RetryLaterError('not yet', { after: '30s' })
      return times.length === 2 ? { recheckAfter: '5m' } : undefined
    },
  })
  await it.create('a')
  await it.host.sleep(3_600_000)
  expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 30_000, 330_000])
  expect(it.reports.map(({ result }) => result)).toEqual(['later', 'recheck', 'done'])
})

test('a run that never settles holds up its own key only', async () => {
  const done: string[] = []
  await using it = await world({
    concurrency: 1,
    deadlineMs: 1000,
    reconcile: ({ key }) => {
      if (key === 'default/stuck') return new Promise(() => undefined)
      done.push(key)
      return Promise.resolve(undefined)
    },
  })
  await it.create('stuck')
  await it.host.settle()
  await it.create('other')
  await it.patch('stuck', { x: '1' })
  await it.host.sleep(60_000)
  expect(done).toEqual(['default/other'])
  expect(it.reports[0]).toMatchObject({ result: 'failed', error: { code: 'RUN_OVERDUE' } })
  expect(it.reports.filter(({ run }) => run.key === 'default/stuck')).toHaveLength(1)
})

test('a run that heeds its signal is tried again', async () => {
  let runs = 0
  await using it = await world({
    deadlineMs: 1000,
    reconcile: async ({ signal }) => {
      runs += 1
      if (runs === 1) await it.host.sleep(1_000_000, signal)
    },
  })
  await it.create('a')
  await it.host.sleep(60_000)
  expect(it.reports.map(({ result }) => result)).toEqual(['failed', 'done'])
})

test('what existed before comes after what just happened', async () => {
  const order: string[] = []
  await using it = await world({ concurrency: 1 })
  for (const name of ['a', 'b', 'c']) await it.create(name)
  await it.host.settle()
  const later = new Controller({
    name: 'later',
    host: it.host,
    concurrency: 1,
    reconcile: async ({ key }) => {
      order.push(key)
      await it.host.sleep(1000)
    },
  })
  later.watch(it.maps, ({ key }) => [key])
  const running = later.run()
  await it.create('new')
  await it.host.sleep(60_000)
  later.stop()
  await running
  expect(order).toEqual(['default/a', 'default/new', 'default/b', 'default/c'])
})

test('a run that does not heed its deadline is still seen, though its worker works on', async () => {
  await using it = await world({
    concurrency: 1,
    deadlineMs: 1_000,
    reconcile: async ({ key }) => {
      if (key === 'default/slow') await it.host.sleep(60_000)
    },
  })
  await it.create('slow')
  await it.create('quick')
  await it.host.sleep(30_000)
  expect(it.reports).toMatchObject([
    { controller: 'test', run: { key: 'default/slow' }, result: 'failed' },
    { controller: 'test', run: { key: 'default/quick' }, result: 'done' },
  ])
  expect(it.controller).toMatchObject({ name: 'test', concurrency: 1, active: 0, added: 2 })
  expect(it.controller.runningMs).toHaveLength(1)
  expect(it.controller.runningMs[0]).toBeGreaterThan(29_000)
  await it.host.sleep(31_000)
  expect(it.controller.runningMs.every((ms) => ms < 29_000)).toBe(true)
})

test.each(['5 minutes', NaN, -1, Infinity])(
  'a run that asks for %s has failed, and others go on',
  async (recheckAfter) => {
    await using it = await world({
      concurrency: 1,
      reconcile: async ({ key }) => (key === 'default/a' ? { recheckAfter } : undefined),
    })
    await it.create('a')
    await it.create('b')
    await it.host.settle()
    expect(it.reports[0]).toMatchObject({ result: 'failed', error: { code: 'DURATION_INVALID' } })
    expect(it.reports.map(({ run }) => run.key)).toContain('default/b')
  },
)

test('a run that took too long is told with a signal that still counts', async () => {
  const told: [string, boolean][] = []
  await using it = await world({
    deadlineMs: 1_000,
    reconcile: () => new Promise(() => undefined),
    onOverdue: async ({ key, signal }) => {
      told.push([key, signal.aborted])
    },
  })
  await it.create('a')
  await it.host.sleep(7_000)
  expect(told).toEqual([['default/a', false]])
})

test('runs that heed nothing hold up the end for two seconds and no longer', async () => {
  const it = await world({ reconcile: () => new Promise(() => undefined) })
  await it.create('a')
  await it.host.settle()
  const startMs = it.host.monotonicMs()
  await it[Symbol.asyncDispose]()
  expect(it.host.monotonicMs() - startMs).toBe(2_000)
})

test('a write that changed nothing does not hide what somebody else wrote', async () => {
  const seen: (string | undefined)[] = []
  await using it = await world({
    reconcile: async (run) => {
      const map = it.maps.get(run.key)
      seen.push(map?.data?.['b'])
      if (seen.length > 1) return undefined
      await it.patch('a', { b: 'foreign' })
      const answer = await it.patch('a', { a: '1' })
      run.wrote(it.maps, answer, ['data.a'])
      return undefined
    },
  })
  await it.client.create(ConfigMap, { metadata: { name: 'a' }, data: { a: '1', b: '1' } })
  await it.host.settle()
  expect(seen).toEqual(['1', 'foreign'])
})
