import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { readText, type VirtualHost } from '../host/index.ts'
import { ConfigMap, Lease } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import type { StartOptions } from './index.ts'
import { createIdleWorld } from './testdata/world.ts'

const Widget = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  spec: z.object({ text: z.string() }),
})

const widgets = operator(Widget).child('config', ConfigMap, ({ spec }) => ({ data: spec }))

async function createWorld() {
  const world = await createIdleWorld([Widget], { seed: 3 })
  return {
    ...world,
    replica: (options: StartOptions) => world.start([widgets], options),
    create: (name: string) =>
      world.client.create(Widget, { metadata: { name }, spec: { text: name } }),
  }
}

async function get(host: VirtualHost, url: string): Promise<{ status: number; text: string }> {
  const { status, body } = await host.request({ method: 'GET', url })
  return { status, text: await readText(body, 1_000_000) }
}

test('serves readiness, and metrics with the names of controller-runtime', async () => {
  await using world = await createWorld()
  await using running = await world.replica({ probes: { port: 8081 } })
  await world.create('a')
  await world.host.sleep(1000)
  const ready = await get(world.host, `${running.probesUrl ?? ''}/readyz?verbose`)
  expect(ready.status).toBe(200)
  expect(ready.text).toMatch(/widgets.*ok/i)
  const { text } = await get(world.host, `${running.probesUrl ?? ''}/metrics`)
  expect(text).toContain(
    'controller_runtime_reconcile_total{controller="widgets.example.com",result="success"} 1',
  )
  expect(text).toMatch(/rest_client_requests_total\{code="20[01]",method="POST",host="[^"]+"\} 1/)
})

test('has one working replica, and another one takes over when it stops', async () => {
  await using world = await createWorld()
  const election = (identity: string) => ({ election: { name: 'widgets', identity } })
  const one = await world.replica(election('one'))
  const two = await world.replica(election('two'))
  await world.host.sleep(10_000)
  expect([one.isLeader, two.isLeader].filter((isLeader) => isLeader)).toHaveLength(1)
  await world.create('a')
  await world.host.sleep(1000)
  expect((await world.client.get(ConfigMap, 'a')).data).toEqual({ text: 'a' })
  const [first, second] = one.isLeader ? [one, two] : [two, one]
  await first.stop()
  await world.create('b')
  await world.host.sleep(10_000)
  expect(second.isLeader).toBe(true)
  expect((await world.client.get(ConfigMap, 'b')).data).toEqual({ text: 'b' })
  await second.stop()
  expect((await world.client.get(Lease, 'widgets')).spec.holderIdentity ?? '').toBe('')
})

test('lets a reconcile finish at a stop, and aborts one that does not', async () => {
  await using world = await createWorld()
  const ends: string[] = []
  const slow = (ms: number) =>
    operator(Widget, { name: `slow-${ms}` }).reconcile(async (_, { signal }) => {
      try {
        await world.host.sleep(ms, signal)
        ends.push(`${ms} done`)
      } catch {
        ends.push(`${ms} aborted`)
      }
    })
  const running = await world.start([slow(5000), slow(500_000)])
  await world.create('a')
  await world.host.sleep(100)
  const startMs = world.host.monotonicMs()
  await running.stop()
  expect(ends).toEqual(['5000 done', '500000 aborted'])
  expect(world.host.monotonicMs() - startMs).toBeLessThanOrEqual(20_000)
})

test("logs errors of the author's functions without breaking a watch or the process", async () => {
  await using world = await createWorld()
  const watching = operator(Widget)
    .child('config', ConfigMap, ({ spec }) => ({ data: spec }))
    .watch(Lease, () => {
      throw new Error('not a lease I know')
    })
  await using running = await world.start([watching], {
    onRunEnd: () => {
      throw new Error('not a report I know')
    },
  })
  await world.client.create(Lease, { metadata: { name: 'l' }, spec: {} })
  await world.create('a')
  await world.host.sleep(1000)
  await world.create('b')
  await world.host.sleep(1000)
  expect((await world.client.get(ConfigMap, 'b')).data).toEqual({ text: 'b' })
  expect(world.host.logged.join()).toContain(
    'the mapping function of .watch(Lease) threw for default/l',
  )
  expect(world.host.logged.join()).toContain('the callback onRunEnd threw')
  expect(running.isLeader).toBe(true)
})

test('adds operators to a process, which share its caches and stop with it', async () => {
  await using world = await createWorld()
  await using running = await world.replica({})
  await world.create('a')
  await world.host.sleep(1000)
  const seen: string[] = []
  const copies = operator(ConfigMap, { name: 'copies', namespaces: ['default'] }).reconcile(
    async ({ metadata }) => void seen.push(metadata.name),
  )
  running.add([copies])
  await world.host.sleep(1000)
  await world.create('b')
  await world.host.sleep(1000)
  expect(seen).toEqual(['a', 'b'])
  expect(running.activity().map(({ name }) => name)).toContain('copies')
  await running.stop()
  await world.create('c')
  await world.host.sleep(1000)
  expect(seen).toEqual(['a', 'b'])
})

test('adds operators in every term of a leader', async () => {
  await using world = await createWorld()
  const election = (identity: string) => ({ election: { name: 'widgets', identity } })
  const seen: string[] = []
  const replica = async (identity: string) => {
    const running = await world.replica(election(identity))
    running.add([
      operator(ConfigMap, { name: 'copies', namespaces: ['default'] }).reconcile(
        async () => void seen.push(identity),
      ),
    ])
    await world.host.sleep(10_000)
    return running
  }
  const first = await replica('one')
  await using _ = await replica('two')
  await world.create('a')
  await world.host.sleep(1000)
  await first.stop()
  await world.host.sleep(30_000)
  expect(seen).toEqual(['one', 'two'])
})

test('refuses to add operators that need the start of a process', async () => {
  await using world = await createWorld()
  await using running = await world.replica({})
  expect(() => running.add([widgets])).toThrow('two operators have the name')
  const checked = operator(Widget, { name: 'checked' }).validate(() => [])
  expect(() => running.add([checked])).toThrow(/checked has webhooks.* cannot be added/)
})
