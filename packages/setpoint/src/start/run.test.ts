import { createCluster } from '@setpoint/cluster'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { Client, connectionFromKubeconfig } from '../client/index.ts'
import { defineResource } from '../definition/index.ts'
import { virtualHost } from '../host/index.ts'
import { ConfigMap, CustomResourceDefinition, Lease, Namespace } from '../kinds/index.ts'
import { type AnyOperator, operator } from '../operator/index.ts'
import { run, type RunOptions } from './index.ts'

const Widget = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  spec: z.object({ text: z.string() }),
})

const widgets = operator(Widget).child('config', ConfigMap, ({ spec }) => ({ data: spec }))

async function world(env: Record<string, string> = {}) {
  const host = virtualHost({ seed: 3, env })
  const users = [{ name: 'guest' }]
  const cluster = await createCluster({ host, workloads: 'off', users })
  const kubeconfig = cluster.kubeconfig()
  const connection = await connectionFromKubeconfig(host, kubeconfig)
  const client = new Client(host, connection)
  await client.create(CustomResourceDefinition, Widget.crd())
  return {
    host,
    client,
    cluster,
    kubeconfig,
    run: (options: RunOptions = {}, operators: AnyOperator[] = [widgets]) =>
      run(operators, { host, connection, ...options }),
    create: (name: string) => client.create(Widget, { metadata: { name }, spec: { text: name } }),
    messages: () => host.logged.map((line) => (JSON.parse(line) as { msg: string }).msg),
    status: async (port: number) => {
      const url = `http://127.0.0.1:${port}/readyz`
      return (await host.request({ method: 'GET', url })).status
    },
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}

test('works until a signal, lets reconciles finish, and exits with 0', async () => {
  await using it = await world()
  const ends: string[] = []
  const slow = operator(Widget).reconcile(async (_, { signal }) => {
    await it.host.sleep(5_000, signal)
    ends.push('finished')
  })
  const ran = it.run({}, [slow])
  await it.host.sleep(1000)
  await it.create('a')
  await it.host.sleep(1000)
  expect(await it.status(8081)).toBe(200)
  it.host.raise('SIGTERM')
  await ran
  expect(ends).toEqual(['finished'])
  expect(it.host.exitCode).toBe(0)
  await expect(it.status(8081)).rejects.toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
})

test('exits immediately on a second signal', async () => {
  await using it = await world()
  const hanging = operator(Widget).reconcile(() => new Promise(() => undefined))
  void it.run({ probes: false }, [hanging])
  await it.create('a')
  await it.host.sleep(1000)
  it.host.raise('SIGINT')
  await it.host.sleep(1000)
  expect(it.host.exitCode).toBeUndefined()
  it.host.raise('SIGTERM')
  await it.host.settle()
  expect(it.host.exitCode).toBe(143)
})

test('exits although a reconcile ignores its signal', async () => {
  await using it = await world()
  const hanging = operator(Widget).reconcile(() => new Promise(() => undefined))
  const ran = it.run({ probes: false, gracePeriod: 2_000 }, [hanging])
  await it.create('a')
  await it.host.sleep(1000)
  const startMs = it.host.monotonicMs()
  it.host.raise('SIGTERM')
  await ran
  expect(it.host.monotonicMs() - startMs).toBe(4_000)
  expect(it.host.exitCode).toBe(0)
})

test('logs an unhandled rejection, and exits on an uncaught exception', async () => {
  await using it = await world()
  const ran = it.run()
  await it.host.sleep(1000)
  it.host.raiseUncaught(new Error('forgotten'), 'rejection')
  await it.host.sleep(1000)
  await it.create('a')
  await it.host.sleep(1000)
  expect((await it.client.get(ConfigMap, 'a')).data).toEqual({ text: 'a' })
  expect(it.host.logged.join()).toContain('forgotten')
  it.host.raiseUncaught(new Error('thrown'), 'exception')
  await ran
  expect(it.host.exitCode).toBe(1)
  expect(it.host.logged.join()).toContain('thrown')
})

test('exits when the log is closed, without logging that', async () => {
  await using it = await world()
  const ran = it.run()
  await it.host.sleep(1000)
  const closed = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  it.host.raiseUncaught(closed, 'exception')
  await ran
  expect(it.host.exitCode).toBe(1)
  expect(it.host.logged.join()).not.toContain('EPIPE')
})

test('names the Lease after the operators when there are replicas', async () => {
  await using it = await world({ HOSTNAME: 'pod-0' })
  const ran = it.run({ replicas: 2 })
  await it.host.sleep(10_000)
  const lease = await it.client.get(Lease, 'widgets.example.com')
  expect(lease.spec.holderIdentity).toBe('pod-0')
  it.host.raise('SIGTERM')
  await ran
  expect(it.host.exitCode).toBe(0)
})

test('enables leader election by the environment, unless the options say otherwise', async () => {
  const leaseOf = async (env: Record<string, string>, options: RunOptions): Promise<unknown> => {
    await using it = await world({ HOSTNAME: 'pod-0', ...env })
    const ran = it.run(options)
    await it.host.sleep(10_000)
    const lease = await it.client.find(Lease, 'widgets.example.com')
    it.host.raise('SIGTERM')
    await ran
    expect(it.host.exitCode).toBe(0)
    return lease?.spec.holderIdentity
  }
  expect(await leaseOf({ LEADER_ELECTION: 'true' }, {})).toBe('pod-0')
  expect(await leaseOf({ LEADER_ELECTION: 'false' }, {})).toBeUndefined()
  expect(await leaseOf({ LEADER_ELECTION: 'true' }, { election: false })).toBeUndefined()
  expect(await leaseOf({ LEADER_ELECTION: 'true' }, { replicas: 1 })).toBeUndefined()
  expect(await leaseOf({ LEADER_ELECTION: 'false' }, { election: {} })).toBe('pod-0')
})

test('works only in the namespaces of the options, whatever the operators declare', async () => {
  const servedIn = async (
    env: Record<string, string>,
    options: RunOptions = {},
  ): Promise<string[]> => {
    await using it = await world(env)
    const namespaces = ['a', 'b', 'c']
    for (const name of namespaces) {
      await it.client.create(Namespace, { metadata: { name } })
      await it.client.create(Widget, {
        metadata: { name: 'w', namespace: name },
        spec: { text: '' },
      })
    }
    const own = operator(Widget, { namespaces: ['c'] })
    const ran = it.run(options, [own.child('config', ConfigMap, ({ spec }) => ({ data: spec }))])
    await it.host.sleep(10_000)
    const made = await it.client.listAll(ConfigMap)
    it.host.raise('SIGTERM')
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
  await using it = await world({ HTTP_SOURCES_PORT: '8082' })
  const ran = it.run({}, [operator(Widget).httpSource('/hook', () => [])])
  await it.host.sleep(1000)
  const { status } = await it.host.request({ method: 'POST', url: 'http://127.0.0.1:8082/hook' })
  expect(status).toBeLessThan(300)
  it.host.raise('SIGTERM')
  await ran
})

test('takes the port of the probes from the option, or from the environment', async () => {
  await using it = await world({ PROBES_PORT: '9000' })
  const first = it.run()
  const second = it.run({ probes: { port: 9001 } })
  await it.host.sleep(1000)
  expect([await it.status(9000), await it.status(9001)]).toEqual([200, 200])
  it.host.raise('SIGTERM')
  await Promise.all([first, second])
})

test('serves probes at the address in the environment and no other', async () => {
  await using it = await world({ LISTEN_HOST: '127.0.0.7' })
  const ran = it.run()
  await it.host.sleep(1000)
  const { status } = await it.host.request({ method: 'GET', url: 'http://127.0.0.7:8081/readyz' })
  expect(status).toBe(200)
  await expect(it.status(8081)).rejects.toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
  it.host.raise('SIGTERM')
  await ran
})

test('logs one clear line and exits when it cannot start', async () => {
  const cannot = async (env: Record<string, string>, options: object = {}): Promise<string[]> => {
    await using it = await world(env)
    await it.run(options)
    expect(it.host.exitCode).toBe(1)
    return it.messages()
  }
  expect(await cannot({ PROBES_PORT: 'x' })).toEqual([
    'cannot start: PROBES_PORT is "x", not a port; give a number up to 65535, or leave it out for 8081',
  ])
  expect(await cannot({ LEADER_ELECTION: 'yes' })).toEqual([
    'cannot start: LEADER_ELECTION is "yes"; give true or false, or leave it out',
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
  await using it = await world()
  const connection = await connectionFromKubeconfig(it.host, it.kubeconfig, { context: 'guest' })
  await it.run({ connection })
  expect(it.host.exitCode).toBe(1)
  expect(it.messages()).toEqual([
    expect.stringMatching(/^cannot start: .*widgets.*forbidden.*give the user .* a role/),
  ])
  await it.cluster.dispose()
  await it.run()
  expect(it.messages().at(-1)).toMatch(/^cannot start: .*127\.0\.0\.1/)
})
