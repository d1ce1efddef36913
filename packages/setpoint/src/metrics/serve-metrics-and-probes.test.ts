import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { Cache, type CacheHealth } from '../cache/index.ts'
import { Client, connectionFromKubeconfig } from '../client/index.ts'
import { SetpointError } from '../errors/index.ts'
import { type HttpPayload, type Intercept, nodeHost, readText, virtualHost } from '../host/index.ts'
import { ConfigMap, Deployment } from '../kinds/index.ts'
import { hostLogger } from '../log/index.ts'
import { cacheReadiness, MetricsRegistry, serveMetricsAndProbes } from './index.ts'

type Probes = Parameters<typeof serveMetricsAndProbes>[0]

/** Probes on a separate host, and a function that requests them. */
async function probes(options: Partial<Probes> = {}) {
  const host = options.host ?? virtualHost({ seed: 1 })
  const server = await serveMetricsAndProbes({
    host,
    log: hostLogger(virtualHost({ seed: 1 })),
    isAlive: () => true,
    readiness: () => [],
    metrics: new MetricsRegistry(),
    ...options,
  })
  const ask = async (path: string, method = 'GET', upload?: HttpPayload) => {
    const url = server.url + path
    const { status, headers, body } = await host.request({ method, url, body: upload })
    return { status, headers, text: await readText(body, 1_000_000) }
  }
  return { ask, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const live: CacheHealth = {
  kind: ConfigMap,
  state: 'live',
  isSynced: true,
  objects: 0,
  bytes: 0,
  silentMs: 40_000,
  lastError: undefined,
  isOptional: false,
}

test('responds ok when healthy, and lists the checks with verbose', async () => {
  await using world = await probes({ readiness: () => cacheReadiness([live]) })
  for (const path of ['/healthz', '/livez', '/readyz', '/readyz?timeout=5s']) {
    expect(await world.ask(path)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      text: 'ok',
    })
  }
  expect((await world.ask('/readyz?verbose')).text).toBe(
    '[+]cache configmaps ok\nreadyz check passed\n',
  )
  expect((await world.ask('/livez?verbose=1')).text).toBe('[+]alive ok\nlivez check passed\n')
})

test('names the problem when not ready, with and without verbose', async () => {
  const syncing = { ...live, kind: Deployment, state: 'syncing', isSynced: false } as const
  await using world = await probes({ readiness: () => cacheReadiness([live, syncing]) })
  expect(await world.ask('/readyz')).toMatchObject({
    status: 500,
    text: '[+]cache configmaps ok\n[-]cache deployments: syncing, silent for 40 s\nreadyz check failed\n',
  })
  expect((await world.ask('/healthz')).status).toBe(200)
})

test('reports a process that is not alive on both paths', async () => {
  await using world = await probes({ isAlive: () => false })
  expect(await world.ask('/livez')).toMatchObject({
    status: 500,
    text: '[-]alive: not alive\nlivez check failed\n',
  })
  expect((await world.ask('/healthz')).status).toBe(500)
  expect((await world.ask('/readyz')).status).toBe(200)
})

test('serves metrics in their format, and responds to HEAD without a body', async () => {
  const metrics = new MetricsRegistry()
  metrics.gauge({ name: 'g', help: 'h' }).set({}, 1)
  await using world = await probes({ metrics })
  expect(await world.ask('/metrics')).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    text: '# HELP g h\n# TYPE g gauge\ng 1\n',
  })
  expect(await world.ask('/metrics', 'HEAD')).toMatchObject({ status: 200, text: '' })
})

test('refuses other paths and methods', async () => {
  await using world = await probes({ metrics: undefined })
  for (const path of ['/', '/metrics', '/healthz/', '/readyz/x', '//livez', '/%6divez']) {
    expect((await world.ask(path)).status).toBe(404)
  }
  expect((await world.ask('/nothing', 'POST')).status).toBe(404)
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    expect(await world.ask('/livez', method)).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
    })
  }
})

test('limits the size of a response with many checks', async () => {
  const check = (problem: string | undefined) => (_: unknown, index: number) => ({
    name: `c${index}`,
    problem,
  })
  const many = [
    ...Array.from({ length: 5_000 }, check(undefined)),
    ...Array.from({ length: 5_000 }, check(`one\ntwo ${'x'.repeat(10_000)}`)),
  ]
  await using world = await probes({ readiness: () => many })
  const { status, text } = await world.ask('/readyz')
  expect(status).toBe(500)
  expect(text).toMatch(/^\[-\]c0: one two xxx/)
  expect(text).toContain('\n9800 more checks\nreadyz check failed\n')
  expect(text.length).toBeLessThan(50_000)
})

test('fails the probe when a check throws', async () => {
  await using world = await probes({
    readiness: () => {
      throw new Error('oops')
    },
  })
  expect((await world.ask('/readyz')).status).toBe(500)
  expect((await world.ask('/livez')).status).toBe(200)
})

test('serves the same on the real host', async () => {
  await using world = await probes({ host: nodeHost(), readiness: () => cacheReadiness([live]) })
  expect(await world.ask('/readyz?verbose')).toMatchObject({
    status: 200,
    text: '[+]cache configmaps ok\nreadyz check passed\n',
  })
  expect(await world.ask('/metrics', 'HEAD')).toMatchObject({ status: 200, text: '' })
  expect((await world.ask('/livez', 'POST')).status).toBe(405)
})

test('names a watch that is broken, silent or stopped, and accepts a kind that is not served', () => {
  const problem = (change: Partial<CacheHealth>): string | undefined =>
    cacheReadiness([{ ...live, ...change }])[0]?.problem
  const lastError = new SetpointError('API_FORBIDDEN', 'secret words')
  expect(problem({ state: 'broken', lastError })).toBe('broken, silent for 40 s (API_FORBIDDEN)')
  expect(problem({ state: 'broken', isSynced: false, lastError: new Error('secret words') })).toBe(
    'broken, silent for 40 s',
  )
  expect(problem({ silentMs: 160_000 })).toBe('live, silent for 160 s')
  expect(problem({ state: 'stopped' })).toBe('stopped, silent for 40 s')
  expect(problem({ state: 'absent', silentMs: 1e9 })).toBeUndefined()
  expect(problem({ state: 'absent', isSynced: false })).toBe('syncing, silent for 40 s')
  expect(problem({})).toBeUndefined()
  expect(cacheReadiness([live], { silentMsMax: 10_000 })[0]?.problem).toBe('live, silent for 40 s')
})

test('makes one check of all scopes of a kind, and two of a plural in two groups', () => {
  const other = { ...ConfigMap, group: 'example.com' }
  const broken = { ...live, state: 'broken' } as const
  expect(cacheReadiness([live, broken, live, { ...live, kind: other }])).toEqual([
    { name: 'cache configmaps', problem: 'broken, silent for 40 s' },
    { name: 'cache configmaps.example.com', problem: undefined },
  ])
})

test('follows the watch of a real cache: syncing, ready, broken, ready again', async () => {
  let isNetworkCut = false
  const intercept: Intercept = ({ kind }) =>
    isNetworkCut && kind === 'connect' ? 'cut' : undefined
  const host = virtualHost({ seed: 1, intercept })
  const cluster = await createCluster({ host, workloads: 'off' })
  const client = new Client(host, await connectionFromKubeconfig(host, cluster.kubeconfig()))
  const cache = new Cache({ host, transport: client.transport })
  const words = (): string | undefined => cacheReadiness(cache.health())[0]?.problem
  const { cache: maps } = cache.open(ConfigMap)
  expect(words()).toBe('syncing, silent for 0 s')
  await maps.whenSynced()
  expect(words()).toBeUndefined()
  // Idle for an hour: bookmarks are enough.
  for (let minute = 0; minute < 60; minute += 1) {
    await host.sleep(60_000)
    expect(words()).toBeUndefined()
  }
  isNetworkCut = true
  await host.sleep(3_600_000)
  expect(words()).toMatch(/^broken, silent for \d+ s \(NETWORK_CONNECT_FAILED\)$/)
  isNetworkCut = false
  await host.sleep(60_000)
  expect(words()).toBeUndefined()
  await cache.stop()
  await cluster.dispose()
  host.stop()
})

test('closes an unfinished request to a probe', async () => {
  await using world = await probes()
  async function* unfinished(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(10)
    await new Promise(() => undefined)
  }
  // The response comes before the body; then the rest of the body has little time.
  expect((await world.ask('/healthz', 'POST', unfinished())).status).toBe(405)
  await using hanging = await probes({ metrics: { text: () => new Promise(() => undefined) } })
  await expect(hanging.ask('/metrics')).rejects.toMatchObject({ code: 'NETWORK_CONNECTION_LOST' })
})
