import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { ConfigMap, Namespace } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { createIdleWorld } from './testdata/world.ts'

const Box = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Box',
  spec: z.object({}),
})

const labels = { team: 'a' }

test('requires a name for a kind that the program does not define', () => {
  // @ts-expect-error The name is required.
  expect(() => operator(Namespace)).toThrow(
    'the operator for Namespace needs a name. Other programs may serve this kind, too, and would share its state on objects',
  )
  // @ts-expect-error The name is required.
  expect(() => operator(Namespace, { labelSelector: 'team' })).toThrow('needs a name')
  expect(operator(Box).declaration.options.name).toBe('boxes.example.com')
})

test.for([
  [{ name: 'my operator' }, 'has the name "my operator", which is not up to 63 letters'],
  [{ name: 'a'.repeat(64) }, 'which is not up to 63 letters'],
  [{ name: '-a' }, 'with a letter or digit at both ends'],
  [{ formerNames: ['a b'] }, 'has the name "a b"'],
  [{ fieldManager: 'a\nb' }, 'has a fieldManager that is not up to 128 printable characters'],
  [{ fieldManager: 'a'.repeat(129) }, 'has a fieldManager that is not up to 128'],
  [{ namespaces: ['team-*'] }, 'serves "team-*", which is not a namespace name'],
  [{ namespaces: [] }, 'is restricted to an empty list of namespaces'],
] as const)('refuses options that could not work: %j', ([options, problem]) => {
  expect(() => operator(Box, options)).toThrow(`the operator for Box ${problem}`.slice(0, 20))
  expect(() => operator(Box, options)).toThrow(problem)
})

test('two programs that serve the same objects keep their children and call their handlers', async () => {
  await using world = await createIdleWorld([])
  const { client, host, cluster } = world
  const called: string[] = []
  const programs = ['quotas', 'greetings'].map((name) =>
    operator(Namespace, { name, labelSelector: 'team' })
      .child('map', ConfigMap, () => ({ metadata: { name }, data: {} }))
      .onCreate(async function welcome() {
        called.push(`${name} created`)
      })
      .onDelete(async () => void called.push(`${name} deleted`)),
  )
  const running = await Promise.all(programs.map(async (one) => world.start([one])))
  await client.create(Namespace, { metadata: { name: 'shop', labels } })
  await host.sleep(60_000)
  expect(called.sort()).toEqual(['greetings created', 'quotas created'])
  const maps = await client.listAll(ConfigMap, { namespace: 'shop' })
  expect(maps.map(({ metadata }) => metadata.name)).toEqual(['greetings', 'quotas'])
  expect(cluster.trace.filter(({ verb }) => verb === 'delete')).toEqual([])
  // The finalizer of the program that is stopped keeps the object for it.
  await running[1]?.stop()
  await client.delete(Namespace, 'shop')
  await host.sleep(60_000)
  const { metadata } = await client.get(Namespace, 'shop')
  expect(metadata.finalizers).toEqual(['setpoint.dev/greetings'])
  const again = await world.start(programs.slice(1))
  await host.sleep(60_000)
  expect(called.slice(2)).toEqual(['quotas deleted', 'greetings deleted'])
  expect((await client.get(Namespace, 'shop')).metadata.finalizers).toBeUndefined()
  await Promise.all([running[0], again].map(async (one) => one?.stop()))
})

test('takes over finalizers, children and handler memory of its former names', async () => {
  await using world = await createIdleWorld([])
  const { client, host } = world
  const called: string[] = []
  const named = (name: string, formerNames: readonly string[] = []) =>
    operator(Namespace, { name, formerNames, labelSelector: 'team' })
      .child('map', ConfigMap, ({ metadata }) =>
        metadata.labels?.['team'] === 'a' ? { metadata: { name: 'kept' }, data: { name } } : null,
      )
      .onCreate(async function welcome() {
        called.push(`${name} created`)
      })
      .every('2h', async function look() {
        called.push(`${name} looked`)
      })
      .onDelete(async () => void called.push(`${name} deleted`))
  const before = await world.start([named('namespaces')])
  await client.create(Namespace, { metadata: { name: 'shop', labels } })
  await host.sleep(60_000)
  await before.stop()
  const after = await world.start([named('quotas', ['namespaces'])])
  await host.sleep(60_000)
  expect(called.splice(0)).toEqual(['namespaces looked', 'namespaces created'])
  await host.sleep(2 * 3_600_000)
  expect(called.splice(0)).toEqual(['quotas looked'])
  const { metadata } = await client.get(Namespace, 'shop')
  expect(metadata.finalizers).toEqual(['setpoint.dev/quotas'])
  expect(Object.keys(metadata.annotations ?? {})).toEqual([
    'setpoint.dev/handlers.quotas',
    'setpoint.dev/timers.quotas',
  ])
  const kept = { name: 'kept', namespace: 'shop' }
  expect((await client.get(ConfigMap, kept)).data).toEqual({ name: 'quotas' })
  await client.patch(Namespace, 'shop', { merge: { metadata: { labels: { team: 'b' } } } })
  await host.sleep(60_000)
  expect(await client.find(ConfigMap, kept)).toBeUndefined()
  await client.delete(Namespace, 'shop')
  await host.sleep(60_000)
  expect(called).toEqual(['quotas deleted'])
  await after.stop()
})

test('writes finalizers and handler memory as its field manager', async () => {
  await using world = await createIdleWorld([Box])
  const { client, host } = world
  const mine = operator(Box, { fieldManager: 'mine' })
    .onCreate(async function welcome() {
      return { said: 'hello' }
    })
    .every('2h', async () => undefined)
    .onDelete(async () => undefined)
  const running = await world.start([mine])
  await client.create(Box, { metadata: { name: 'a' }, spec: {} }, { fieldManager: 'user' })
  await host.sleep(10_000)
  const { metadata } = await client.get(Box, 'a')
  const managers = new Set(metadata.managedFields?.map(({ manager }) => manager))
  expect([...managers].sort()).toEqual(['mine', 'user'])
  await running.stop()
})

test('cleans up objects of a kind whose plural is as long as it can be', async () => {
  const plural = `${'a'.repeat(60)}s`
  const Long = defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Long',
    plural,
    spec: z.object({}),
  })
  await using world = await createIdleWorld([Long])
  const { client, host } = world
  let calls = 0
  const running = await world.start([operator(Long).onDelete(async () => void (calls += 1))])
  await client.create(Long, { metadata: { name: 'a' }, spec: {} })
  await host.sleep(10_000)
  await client.delete(Long, 'a')
  await host.sleep(10_000)
  expect([calls, await client.find(Long, 'a')]).toEqual([1, undefined])
  await running.stop()
})
