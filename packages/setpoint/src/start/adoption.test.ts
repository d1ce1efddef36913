import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import type { Intercept } from '../host/index.ts'
import { conditionOf, ConfigMap, CustomResourceDefinition, EventsEvent } from '../kinds/index.ts'
import { type AnyOperator, operator } from '../operator/index.ts'
import { createWorld, createWorldWith } from './testdata/world.ts'

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

const Text = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Text',
  spec: z.object({ data: z.record(z.string(), z.string()) }),
})

const Copy = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Copy',
  spec: z.object({ data: z.record(z.string(), z.string()) }),
})

const toMap = operator(Text).child('copy', ConfigMap, ({ spec: { data } }) => ({ data }))
const toCopy = operator(Text).child('copy', Copy, ({ spec }) => ({ spec }))

test.for([
  ['of a built-in kind', toMap, ConfigMap, { data: { text: 'precious' } }, { text: 'new' }],
  ['of a built-in kind', toMap, ConfigMap, { data: { text: 'precious' } }, { text: 'a', b: 'c' }],
  ['of a custom kind', toCopy, Copy, { spec: { data: { text: 'precious' } } }, { text: 'new' }],
  ['of a custom kind', toCopy, Copy, { spec: { data: { text: 'precious' } } }, { a: 'c' }],
] as const)(
  'does not write to an object %s that replaced a child before the cache shows it (%#)',
  async ([, texts, Kind, content, data]) => {
    let isLate = false
    const intercept: Intercept = ({ kind, url = '' }) =>
      isLate && kind === 'response-chunk' && /(configmaps|copies)\?.*watch/.test(url)
        ? { delay: '5s' }
        : undefined
    await using world = await createWorldWith({ intercept }, texts)
    const { client, host } = world
    if (Kind === Copy) await client.create(CustomResourceDefinition, Copy.crd())
    await client.create(Text, { metadata: { name: 'prod' }, spec: { data: { text: 'old' } } })
    await host.sleep(30_000)
    isLate = true
    await client.delete(Kind, 'prod')
    await client.create(Kind, { metadata: { name: 'prod' }, ...content })
    await client.patch(Text, 'prod', { merge: { spec: { data } } })
    await host.sleep(60_000)
    const live = await client.get(Kind, 'prod')
    expect(live).toMatchObject(content)
    expect(live.metadata.ownerReferences).toBeUndefined()
    expect(live.metadata.annotations).toBeUndefined()
  },
)
