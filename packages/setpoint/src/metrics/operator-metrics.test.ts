import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { Cache } from '../cache/index.ts'
import { Client, connectionFromKubeconfig } from '../client/index.ts'
import { Controller, GiveUpError, RetryLaterError } from '../controller/index.ts'
import { virtualHost } from '../host/index.ts'
import { ConfigMap, Secret } from '../kinds/index.ts'
import { OperatorMetrics } from './index.ts'

type ControllerOptions = ConstructorParameters<typeof Controller>[0]

/** A cluster and a controller of ConfigMaps, with metrics. */
async function createWorld(options: Partial<ControllerOptions> = {}) {
  const host = virtualHost({ seed: 1 })
  const cluster = await createCluster({ host, workloads: 'off' })
  const metrics = new OperatorMetrics(host)
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const client = new Client(host, connection, { onRequest: metrics.requestEnded })
  const cache = new Cache({ host, transport: client.transport })
  metrics.addCaches(() => cache.health())
  const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
  const controller = new Controller({
    name: 'maps',
    host,
    reconcile: async () => undefined,
    onRunEnd: metrics.runEnded,
    ...options,
  })
  const remove = metrics.addController(controller)
  await maps.whenSynced()
  controller.watch(maps, ({ key }) => [key])
  const running = controller.run()
  return {
    host,
    cache,
    controller,
    metrics,
    remove,
    server: connection.server.replace('https://', ''),
    create: (name: string) => client.create(ConfigMap, { metadata: { name } }),
    /** The values of all samples whose name and labels contain this text. */
    samples: (part: string): Record<string, number> =>
      Object.fromEntries(
        metrics.registry
          .text()
          .split('\n')
          .filter((line) => line.includes(part) && !line.startsWith('#'))
          .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
      ),
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

test('shows zeros before the first reconcile', async () => {
  await using world = await createWorld()
  expect(world.samples('controller_runtime_reconcile_total')).toEqual({
    'controller_runtime_reconcile_total{controller="maps",result="error"}': 0,
    'controller_runtime_reconcile_total{controller="maps",result="requeue_after"}': 0,
    'controller_runtime_reconcile_total{controller="maps",result="requeue"}': 0,
    'controller_runtime_reconcile_total{controller="maps",result="success"}': 0,
  })
  expect(world.samples('_errors_total')).toEqual({
    'controller_runtime_reconcile_errors_total{controller="maps"}': 0,
    'controller_runtime_terminal_reconcile_errors_total{controller="maps"}': 0,
  })
  expect(world.samples('workqueue_')).toMatchObject({
    'workqueue_depth{name="maps",controller="maps",priority=""}': 0,
    'workqueue_adds_total{name="maps",controller="maps"}': 0,
    'workqueue_retries_total{name="maps",controller="maps"}': 0,
    'workqueue_queue_duration_seconds_count{name="maps",controller="maps"}': 0,
    'workqueue_work_duration_seconds_count{name="maps",controller="maps"}': 0,
    'workqueue_unfinished_work_seconds{name="maps",controller="maps"}': 0,
    'workqueue_longest_running_processor_seconds{name="maps",controller="maps"}': 0,
  })
  expect(world.samples('leader_election')).toEqual({})
})

test('writes the bounds of buckets as Go does', async () => {
  await using world = await createWorld()
  const bounds = (name: string): string[] =>
    Object.keys(world.samples(`${name}_bucket`)).map((key) => /le="(.*)"/.exec(key)?.[1] ?? '')
  expect(bounds('workqueue_queue_duration_seconds').join(' ')).toBe(
    '1e-08 1e-07 1e-06 9.999999999999999e-06 9.999999999999999e-05 0.001 0.01 0.1 1 10 100 1000 +Inf',
  )
  expect(bounds('controller_runtime_reconcile_time_seconds').join(' ')).toBe(
    '0.005 0.01 0.025 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.6 0.7 0.8 0.9 1 1.25 1.5 1.75 2 ' +
      '2.5 3 3.5 4 4.5 5 6 7 8 9 10 15 20 25 30 40 50 60 +Inf',
  )
})

test('counts every result of a reconcile as controller-runtime does', async () => {
  const tries = new Map<string, number>()
  await using world = await createWorld({
    reconcile: async ({ key }) => {
      const count = tries.get(key) ?? 0
      tries.set(key, count + 1)
      if (count > 0 || key === 'default/fine') return undefined
      if (key === 'default/again') return { recheckAfter: '1s' }
      if (key === 'default/later') throw new RetryLaterError('not yet', { after: '1s' })
      if (key === 'default/backoff') throw new RetryLaterError('not yet')
      if (key === 'default/never') throw new GiveUpError('no')
      if (key === 'default/wrong') throw new TypeError('x is not a function')
      if (key === 'default/far') throw new TypeError('fetch failed', { cause: 'no network' })
      throw new Error('oops')
    },
  })
  const names = ['fine', 'again', 'later', 'backoff', 'never', 'broken', 'wrong', 'far']
  for (const name of names) await world.create(name)
  await world.host.sleep(10_000)
  expect(world.samples('controller_runtime_reconcile')).toMatchObject({
    'controller_runtime_reconcile_total{controller="maps",result="success"}': 7,
    'controller_runtime_reconcile_total{controller="maps",result="requeue_after"}': 2,
    'controller_runtime_reconcile_total{controller="maps",result="requeue"}': 1,
    'controller_runtime_reconcile_total{controller="maps",result="error"}': 4,
    'controller_runtime_reconcile_errors_total{controller="maps"}': 4,
    'controller_runtime_reconcile_time_seconds_count{controller="maps"}': 14,
  })
  expect(world.samples('terminal')).toEqual({
    'controller_runtime_terminal_reconcile_errors_total{controller="maps"}': 1,
  })
  expect(world.samples('panics')).toEqual({
    'controller_runtime_reconcile_panics_total{controller="maps"}': 1,
  })
  expect(world.samples('workqueue_')).toMatchObject({
    'workqueue_adds_total{name="maps",controller="maps"}': 14,
    'workqueue_retries_total{name="maps",controller="maps"}': 6,
    'workqueue_queue_duration_seconds_count{name="maps",controller="maps"}': 14,
  })
  expect(world.samples('setpoint_run_reasons_total')).toEqual({
    'setpoint_run_reasons_total{controller="maps",cause="change"}': 8,
    'setpoint_run_reasons_total{controller="maps",cause="recheck"}': 1,
    'setpoint_run_reasons_total{controller="maps",cause="retry"}': 5,
    'setpoint_run_reasons_total{controller="maps",cause="external"}': 0,
  })
})

test('shows active, queued and overdue reconciles', async () => {
  await using world = await createWorld({
    concurrency: 1,
    deadlineMs: 20_000,
    reconcile: async () => world.host.sleep(40_000),
  })
  await world.create('a')
  await world.create('b')
  await world.host.sleep(10_000)
  expect(world.samples('controller_runtime_')).toMatchObject({
    'controller_runtime_max_concurrent_reconciles{controller="maps"}': 1,
    'controller_runtime_active_workers{controller="maps"}': 1,
  })
  const queue = world.samples('workqueue_')
  const of = (name: string): number | undefined =>
    queue[`workqueue_${name}{name="maps",controller="maps"}`]
  expect(queue['workqueue_depth{name="maps",controller="maps",priority=""}']).toBe(1)
  expect(of('unfinished_work_seconds')).toBeCloseTo(10, 1)
  expect(of('longest_running_processor_seconds')).toBeCloseTo(10, 1)
  // The first reconcile is past its deadline and grace period, and still runs at the same time as
  // the second one.
  await world.host.sleep(20_000)
  expect(world.samples('timeouts')).toEqual({
    'controller_runtime_reconcile_timeouts_total{controller="maps"}': 1,
  })
  const later = world.samples('workqueue_')
  const longest = 'workqueue_longest_running_processor_seconds{name="maps",controller="maps"}'
  const unfinished = 'workqueue_unfinished_work_seconds{name="maps",controller="maps"}'
  expect(later[longest]).toBeCloseTo(30, 1)
  expect(later[unfinished]).toBeCloseTo(35, 1)
  expect(later['workqueue_queue_duration_seconds_sum{name="maps",controller="maps"}']).toBe(0)
})

test('counts requests by code, method and host, and requests without a response as errors', async () => {
  await using world = await createWorld()
  await world.create('a')
  await expect(world.create('a')).rejects.toThrow()
  world.metrics.requestEnded({ method: 'GET', host: 'x:443', code: undefined, durationMs: 1 })
  expect(world.samples('rest_client_requests_total')).toEqual({
    [`rest_client_requests_total{code="200",method="GET",host="${world.server}"}`]: 1,
    [`rest_client_requests_total{code="201",method="POST",host="${world.server}"}`]: 1,
    [`rest_client_requests_total{code="409",method="POST",host="${world.server}"}`]: 1,
    'rest_client_requests_total{code="<error>",method="GET",host="x:443"}': 1,
  })
})

test('shows open caches per kind, with all scopes together', async () => {
  await using world = await createWorld()
  const inSystem = world.cache.open(ConfigMap, { namespaces: ['kube-system'] })
  const secrets = world.cache.open(Secret)
  expect(world.samples('setpoint_cache_synced')).toMatchObject({
    'setpoint_cache_synced{group="",version="v1",kind="Secret"}': 0,
  })
  await Promise.all([inSystem.cache.whenSynced(), secrets.cache.whenSynced()])
  await world.create('a')
  await world.host.sleep(30_000)
  const labels = '{group="",version="v1",kind="ConfigMap"}'
  const both = world.cache.health().filter(({ kind }) => kind.kind === 'ConfigMap')
  expect(both).toHaveLength(2)
  expect(world.samples('setpoint_cache_')).toMatchObject({
    [`setpoint_cache_objects${labels}`]: both.reduce((sum, { objects }) => sum + objects, 0),
    [`setpoint_cache_bytes${labels}`]: both.reduce((sum, { bytes }) => sum + bytes, 0),
    [`setpoint_cache_silent_seconds${labels}`]:
      Math.max(...both.map(({ silentMs }) => silentMs)) / 1000,
    [`setpoint_cache_synced${labels}`]: 1,
  })
  secrets[Symbol.dispose]()
  expect(Object.keys(world.samples('setpoint_cache_objects'))).toEqual([
    `setpoint_cache_objects${labels}`,
  ])
})

test('keeps the counters of a removed controller and drops its gauges', async () => {
  await using world = await createWorld()
  await world.create('a')
  await world.host.settle()
  world.remove()
  world.remove()
  expect(world.samples('workqueue_depth')).toEqual({})
  expect(world.samples('active_workers')).toEqual({})
  const adds = { 'workqueue_adds_total{name="maps",controller="maps"}': 1 }
  expect(world.samples('workqueue_adds_total')).toEqual(adds)
  world.metrics.addController(world.controller)
  expect(world.samples('workqueue_adds_total')).toEqual(adds)
})

test('refuses two controllers with the same name', async () => {
  await using world = await createWorld()
  expect(() => world.metrics.addController(world.controller)).toThrow(
    expect.objectContaining({ code: 'METRIC_INVALID' }),
  )
})

test('shows the leader by the name of the Lease', async () => {
  await using world = await createWorld()
  world.metrics.setLeader('my-lease', true)
  const name = 'leader_election_master_status{name="my-lease"}'
  expect(world.samples('leader_election')).toEqual({ [name]: 1 })
  world.metrics.setLeader('my-lease', false)
  expect(world.samples('leader_election')).toEqual({ [name]: 0 })
})

test('measures the process itself, if there is one', async () => {
  const usage = {
    cpuSeconds: 1.5,
    residentBytes: 100,
    heapUsedBytes: 30,
    heapTotalBytes: 40,
    startedMs: 12_500,
    openFiles: 7,
  }
  const { registry } = new OperatorMetrics({ usage: () => usage })
  const text = (): string[] =>
    registry
      .text()
      .split('\n')
      .filter((line) => /^(?:process|nodejs)_/.test(line))
  expect(text()).toEqual([
    'process_cpu_seconds_total 1.5',
    'process_resident_memory_bytes 100',
    'process_start_time_seconds 12.5',
    'process_open_fds 7',
    'nodejs_heap_size_used_bytes 30',
    'nodejs_heap_size_total_bytes 40',
  ])
  usage.cpuSeconds = 2
  expect(text()[0]).toBe('process_cpu_seconds_total 2')
  const simulated = new OperatorMetrics({ usage: () => undefined })
  expect(simulated.registry.text()).not.toMatch(/^(?:process|nodejs)_/m)
})
