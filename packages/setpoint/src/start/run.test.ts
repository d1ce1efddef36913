import { createCluster } from '@setpoint/cluster'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { Client, connectionFromKubeconfig } from '../client/index.ts'
import { defineResource } from '../definition/index.ts'
import { virtualHost } from '../host/index.ts'
import { ConfigMap, CustomResourceDefinition, Lease } from '../kinds/index.ts'
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
  const users = [{ name: 'nobody' }]
  const cluster = await createCluster({ host, workloads: 'off', users })
  const kubeconfig = cluster.kubeconfig()
  const connection = await connectionFromKubeconfig(host, kubeconfig)
  const client = new Client(host, connection)
  await client.create(CustomResourceDefinition, Widget.crd() as never)
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

test('it works until a signal, lets runs finish, and ends with 0', async () => {
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

test('a second signal ends it at once', async () => {
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

test('a run that heeds nothing does not hold up the end for ever', async () => {
  await using it = await world()
  const hanging = operator(Widget).reconcile(() => new Promise(() => undefined))
  const ran = it.run({ probes: false, graceMs: 2_000 }, [hanging])
  await it.create('a')
  await it.host.sleep(1000)
  const startMs = it.host.monotonicMs()
  it.host.raise('SIGTERM')
  await ran
  expect(it.host.monotonicMs() - startMs).toBe(7_000)
  expect(it.host.exitCode).toBe(1)
})

test('a promise that somebody forgot is logged, an error that nobody caught ends it', async () => {
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

test('with replicas the Lease is named after the operators', async () => {
  await using it = await world({ HOSTNAME: 'pod-0' })
  const ran = it.run({ replicas: 2 })
  await it.host.sleep(10_000)
  const lease = await it.client.get(Lease, 'widgets.example.com')
  expect(lease.spec.holderIdentity).toBe('pod-0')
  it.host.raise('SIGTERM')
  await ran
  expect(it.host.exitCode).toBe(0)
})

test('the port of the probes comes from the option, else from the environment', async () => {
  await using it = await world({ PROBES_PORT: '9000' })
  const first = it.run()
  const second = it.run({ probes: { port: 9001 } })
  await it.host.sleep(1000)
  expect([await it.status(9000), await it.status(9001)]).toEqual([200, 200])
  it.host.raise('SIGTERM')
  await Promise.all([first, second])
})

test('what keeps it from starting is one clear line, and the end', async () => {
  const cannot = async (env: Record<string, string>, options: object = {}): Promise<string[]> => {
    await using it = await world(env)
    await it.run(options)
    expect(it.host.exitCode).toBe(1)
    return it.messages()
  }
  expect(await cannot({ PROBES_PORT: 'x' })).toEqual([
    'cannot start: PROBES_PORT is "x", not a port; give a number up to 65535, or leave it out for 8081',
  ])
  expect(await cannot({ HOME: '/root' }, { connection: undefined })).toEqual([
    expect.stringMatching(/^cannot start: there is no kubeconfig at \/root\/\.kube\/config/),
  ])
})

test('without rights, or without a server, it does not start', async () => {
  await using it = await world()
  const connection = await connectionFromKubeconfig(it.host, it.kubeconfig, { context: 'nobody' })
  await it.run({ connection })
  expect(it.host.exitCode).toBe(1)
  expect(it.messages()).toEqual([
    expect.stringMatching(/^cannot start: .*widgets.*forbidden.*give the user .* a role/),
  ])
  await it.cluster.dispose()
  await it.run()
  expect(it.messages().at(-1)).toMatch(/^cannot start: .*127\.0\.0\.1/)
})
