import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { conditionOf, ConfigMap, EventsEvent } from '../kinds/index.ts'
import { type AnyOperator, operator } from '../operator/index.ts'
import { createWorld } from './testdata/world.ts'

const App = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'App',
  spec: z.object({}),
  conditions: ['Ready'],
})

const app = { metadata: { name: 'prod' }, spec: {} }
const precious = { metadata: { name: 'prod' }, data: { text: 'precious' } }
const desired = () => ({ data: { text: 'ours' } })

const byChild = operator(App).child('map', ConfigMap, desired)
const byApply = operator(App)
  .owns(ConfigMap)
  .reconcile(async (_, ctx) => void (await ctx.apply(ConfigMap, desired())))
const createdOnce = operator(App).child('map', ConfigMap, { createOnly: true }, desired)

test.for([
  ['a child', byChild],
  ['a child that is only created', createdOnce],
  ['ctx.apply', byApply],
] as [string, AnyOperator][])(
  '%s does not take over an object that someone else created',
  async ([, apps]) => {
    await using world = await createWorld(apps)
    const { client, host } = world
    await client.create(ConfigMap, precious)
    await client.create(App, app)
    await host.sleep(60_000)
    const ready = conditionOf(await client.get(App, 'prod'), 'Ready')
    const problem =
      'ConfigMap default/prod exists, and App default/prod did not create it. To adopt it: kubectl annotate configmaps prod setpoint.dev/adopt=App/prod'
    expect([ready?.status, ready?.message]).toEqual(['False', expect.stringContaining(problem)])
    const [event] = await client.listAll(EventsEvent)
    expect(event?.note).toContain('setpoint.dev/adopt=App/prod')
    await client.delete(App, 'prod')
    await host.sleep(60_000)
    const { data, metadata } = await client.get(ConfigMap, 'prod')
    expect([data, metadata.ownerReferences]).toEqual([{ text: 'precious' }, undefined])
  },
)

test.for([
  ['the child adopts', operator(App).child('map', ConfigMap, { adopt: true }, desired), {}],
  [
    'ctx.apply adopts',
    operator(App)
      .owns(ConfigMap)
      .reconcile(async (_, ctx) => {
        await ctx.apply(ConfigMap, desired(), { adopt: true })
      }),
    {},
  ],
  ['the object allows it', byChild, { 'setpoint.dev/adopt': 'App/prod' }],
] as [string, AnyOperator, Record<string, string>][])(
  'takes over an object without a controller: %s',
  async ([, apps, annotations]) => {
    await using world = await createWorld(apps)
    const { client, host } = world
    await client.create(ConfigMap, { ...precious, metadata: { name: 'prod', annotations } })
    await client.create(App, app)
    await host.sleep(60_000)
    const { data, metadata } = await client.get(ConfigMap, 'prod')
    expect(data).toEqual({ text: 'ours' })
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'App', controller: true }])
  },
)

test('the permission of an object is for one owner only', async () => {
  await using world = await createWorld(byChild)
  const annotations = { 'setpoint.dev/adopt': 'App/other' }
  await world.client.create(ConfigMap, { ...precious, metadata: { name: 'prod', annotations } })
  await world.client.create(App, app)
  await world.host.sleep(60_000)
  expect((await world.client.get(ConfigMap, 'prod')).data).toEqual({ text: 'precious' })
})

test.for([
  ['a child', byChild, {}],
  ['a child, and its mark', byChild, { 'setpoint.dev/child': null }],
  ['ctx.apply', byApply, {}],
] as [string, AnyOperator, Record<string, null>][])(
  'restores a lost owner reference of %s',
  async ([, apps, annotations]) => {
    await using world = await createWorld(apps)
    const { client, host } = world
    await client.create(App, app)
    await host.sleep(5_000)
    const before = await client.get(ConfigMap, 'prod')
    await client.patch(ConfigMap, 'prod', {
      merge: { metadata: { ownerReferences: null, annotations } },
    })
    await host.sleep(5_000)
    const { metadata } = await client.get(ConfigMap, 'prod')
    expect(metadata.ownerReferences).toEqual(before.metadata.ownerReferences)
    expect(metadata.annotations).toEqual(before.metadata.annotations)
  },
)
