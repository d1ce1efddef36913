import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { ConfigMap, Lease, Namespace } from '../kinds/index.ts'
import { type AnyOperator, operator } from '../operator/index.ts'
import { run, type RunOptions } from './index.ts'
import { createIdleWorld } from './testdata/world.ts'

const Widget = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  spec: z.object({ text: z.string() }),
})

const widgets = operator(Widget).child('config', ConfigMap, ({ spec }) => ({ data: spec }))

async function createWorld(env: Record<string, string> = {}) {
  const world = await createIdleWorld([Widget], { seed: 3, env })
  const { host, client, connection } = world
  return {
    ...world,
    run: (options: RunOptions = {}, operators: AnyOperator[] = [widgets]) =>
      run(operators, { host, connection, ...options }),
    create: (name: string) => client.create(Widget, { metadata: { name }, spec: { text: name } }),
    messages: () => host.logged.map((line) => (JSON.parse(line) as { msg: string }).msg),
    status: async (port: number) => {
      const url = `http://127.0.0.1:${port}/readyz`
      return (await host.request({ method: 'GET', url })).status
    },
  }
}

test('works until a signal, lets reconciles finish, and exits with 0', async () => {
  await using world = await createWorld()
  const ends: string[] = []
  const slow = operator(Widget).reconcile(async (_, { signal }) => {
    await world.host.sleep(5_000, signal)
    ends.push('finished')
  })
  const ran = world.run({}, [slow])
  await world.host.sleep(1000)
  await world.create('a')
  await world.host.sleep(1000)
  expect(await world.status(8081)).toBe(200)
  world.host.raise('SIGTERM')
  await ran
  expect(ends).toEqual(['finished'])
  expect(world.host.exitCode).toBe(0)
  await expect(world.status(8081)).rejects.toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
})

test('exits immediately on a second signal', async () => {
  await using world = await createWorld()
  const hanging = operator(Widget).reconcile(() => new Promise(() => undefined))
  void world.run({ probes: false }, [hanging])
  await world.create('a')
  await world.host.sleep(1000)
  world.host.raise('SIGINT')
  await world.host.sleep(1000)
  expect(world.host.exitCode).toBeUndefined()
  world.host.raise('SIGTERM')
  await world.host.settle()
  expect(world.host.exitCode).toBe(143)
})

test('exits although a reconcile ignores its signal', async () => {
  await using world = await createWorld()
  const hanging = operator(Widget).reconcile(() => new Promise(() => undefined))
  const ran = world.run({ probes: false, gracePeriod: 2_000 }, [hanging])
  await world.create('a')
  await world.host.sleep(1000)
  const startMs = world.host.monotonicMs()
  world.host.raise('SIGTERM')
  await ran
  expect(world.host.monotonicMs() - startMs).toBe(4_000)
  expect(world.host.exitCode).toBe(0)
})

test('logs an unhandled rejection, and exits on an uncaught exception', async () => {
  await using world = await createWorld()
  const ran = world.run()
  await world.host.sleep(1000)
  world.host.raiseUncaught(new Error('forgotten'), 'rejection')
  await world.host.sleep(1000)
  await world.create('a')
  await world.host.sleep(1000)
  expect((await world.client.get(ConfigMap, 'a')).data).toEqual({ text: 'a' })
  expect(world.host.logged.join()).toContain('forgotten')
  world.host.raiseUncaught(new Error('thrown'), 'exception')
  await ran
  expect(world.host.exitCode).toBe(1)
  expect(world.host.logged.join()).toContain('thrown')
})

test('exits when the log is closed, without logging that', async () => {
  await using world = await createWorld()
  const ran = world.run()
  await world.host.sleep(1000)
  const closed = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  world.host.raiseUncaught(closed, 'exception')
  await ran
  expect(world.host.exitCode).toBe(1)
  expect(world.host.logged.join()).not.toContain('EPIPE')
})

test('names the Lease after the operators when there are replicas', async () => {
  await using world = await createWorld({ HOSTNAME: 'pod-0' })
  const ran = world.run({ replicas: 2 })
  await world.host.sleep(10_000)
  const lease = await world.client.get(Lease, 'widgets.example.com')
  expect(lease.spec.holderIdentity).toBe('pod-0')
  world.host.raise('SIGTERM')
  await ran
  expect(world.host.exitCode).toBe(0)
})

test('enables leader election by the environment, unless the options say otherwise', async () => {
  const leaseOf = async (env: Record<string, string>, options: RunOptions): Promise<unknown> => {
    await using world = await createWorld({ HOSTNAME: 'pod-0', ...env })
    const ran = world.run(options)
    await world.host.sleep(10_000)
    const lease = await world.client.find(Lease, 'widgets.example.com')
    world.host.raise('SIGTERM')
    await ran
    expect(world.host.exitCode).toBe(0)
    return lease?.spec.holderIdentity
  }
  expect(await leaseOf({ LEADER_ELECTION: 'true' }, {})).toBe('pod-0')
  expect(await leaseOf({ LEADER_ELECTION: 'false' }, {})).toBeUndefined()
  expect(await leaseOf({ LEADER_ELECTION: 'true' }, { election: false })).toBeUndefined()
  expect(await leaseOf({ LEADER_ELECTION: 'true' }, { replicas: 1 })).toBeUndefined()
  expect(await leaseOf({ LEADER_ELECTION: 'false' }, { election: {} })).toBe('pod-0')
})

test('LEASE_NAME names the Lease, unless the program names one', async () => {
  const leasesOf = async (options: RunOptions): Promise<string[]> => {
    await using world = await createWorld({ LEADER_ELECTION: 'true', LEASE_NAME: 'of-chart' })
    const ran = world.run(options)
    await world.host.sleep(10_000)
    const leases = await world.client.listAll(Lease, { namespace: 'default' })
    world.host.raise('SIGTERM')
    await ran
    return leases.map(({ metadata }) => metadata.name)
  }
  expect(await leasesOf({})).toEqual(['of-chart'])
  expect(await leasesOf({ election: { name: 'of-program' } })).toEqual(['of-program'])
})

test('works only in the namespaces of the options, even when operators declare others', async () => {
  const servedIn = async (
    env: Record<string, string>,
    options: RunOptions = {},
  ): Promise<string[]> => {
    await using world = await createWorld(env)
    const namespaces = ['a', 'b', 'c']
    for (const name of namespaces) {
      await world.client.create(Namespace, { metadata: { name } })
      await world.client.create(Widget, {
        metadata: { name: 'w', namespace: name },
        spec: { text: '' },
      })
    }
    const own = operator(Widget, { namespaces: ['c'] })
    const ran = world.run(options, [own.child('config', ConfigMap, ({ spec }) => ({ data: spec }))])
    await world.host.sleep(10_000)
    const made = await world.client.listAll(ConfigMap)
    world.host.raise('SIGTERM')
    await ran
    return made
      .filter(({ metadata }) => metadata.name === 'w')
      .map(({ metadata }) => metadata.namespace)
  }
  expect(await servedIn({})).toEqual(['c'])
  expect(await servedIn({ WATCH_NAMESPACES: 'a, b' })).toEqual(['a', 'b'])
  expect(await servedIn({ WATCH_NAMESPACES: 'a' }, { namespaces: ['b'] })).toEqual(['b'])
})

test('serves HTTP sources on the port HTTP_SOURCES_PORT', async () => {
  await using world = await createWorld({ HTTP_SOURCES_PORT: '8082' })
  const ran = world.run({}, [operator(Widget).httpSource('/hook', () => [])])
  await world.host.sleep(1000)
  const { status } = await world.host.request({ method: 'POST', url: 'http://127.0.0.1:8082/hook' })
  expect(status).toBeLessThan(300)
  world.host.raise('SIGTERM')
  await ran
})

test('takes the port of the probes from the option, or from the environment', async () => {
  await using world = await createWorld({ PROBES_PORT: '9000' })
  const first = world.run()
  const second = world.run({ probes: { port: 9001 } })
  await world.host.sleep(1000)
  expect([await world.status(9000), await world.status(9001)]).toEqual([200, 200])
  world.host.raise('SIGTERM')
  await Promise.all([first, second])
})

test('serves probes at the address in the environment and no other', async () => {
  await using world = await createWorld({ LISTEN_HOST: '127.0.0.7' })
  const ran = world.run()
  await world.host.sleep(1000)
  const { status } = await world.host.request({
    method: 'GET',
    url: 'http://127.0.0.7:8081/readyz',
  })
  expect(status).toBe(200)
  await expect(world.status(8081)).rejects.toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
  world.host.raise('SIGTERM')
  await ran
})

test('logs one clear line and exits when it cannot start', async () => {
  const cannot = async (env: Record<string, string>, options: object = {}): Promise<string[]> => {
    await using world = await createWorld(env)
    await world.run(options)
    expect(world.host.exitCode).toBe(1)
    return world.messages()
  }
  expect(await cannot({ PROBES_PORT: 'x' })).toEqual([
    'cannot start: PROBES_PORT is "x", not a port; give a number up to 65535, or leave it out for 8081',
  ])
  expect(await cannot({ LEADER_ELECTION: 'yes' })).toEqual([
    'cannot start: LEADER_ELECTION is "yes"; give true or false, or leave it out',
  ])
  expect(await cannot({ LEADER_ELECTION: 'true', LEASE_NAME: 'A' })).toEqual([
    'cannot start: LEASE_NAME is "A", not the name of a Lease; give lower-case letters, digits, hyphens and dots, or leave it out',
  ])
  expect(await cannot({ WATCH_NAMESPACES: 'a,B' })).toEqual([
    'cannot start: "B" is not a namespace name; give names of namespaces (WATCH_NAMESPACES=a,b), or omit them for all namespaces',
  ])
  expect(await cannot({}, { namespaces: [] })).toEqual([
    expect.stringMatching(/^cannot start: the list of namespaces is empty/),
  ])
  expect(await cannot({ HTTP_SOURCES_PORT: '-1' })).toEqual([
    'cannot start: HTTP_SOURCES_PORT is "-1", not a port; give a number up to 65535',
  ])
  expect(await cannot({ HOME: '/root' }, { connection: undefined })).toEqual([
    expect.stringMatching(/^cannot start: there is no kubeconfig at \/root\/\.kube\/config/),
  ])
})

test('does not start without permission or without a server', async () => {
  await using world = await createWorld()
  await world.run({ connection: await world.connectAs([]) })
  expect(world.host.exitCode).toBe(1)
  expect(world.messages()).toEqual([
    expect.stringMatching(/^cannot start: .*widgets.*forbidden.*give the user .* a role/),
  ])
  await world.cluster.dispose()
  await world.run()
  expect(world.messages().at(-1)).toMatch(/^cannot start: .*127\.0\.0\.1/)
})
