import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { ConfigMap, CustomResourceDefinition, Event, Job } from '../kinds/index.ts'
import { RetryLaterError } from '../controller/index.ts'
import { operator, when } from '../operator/index.ts'
import { connectionFromKubeconfig } from '../client/index.ts'
import { start } from './index.ts'
import { createWorld } from './testdata/world.ts'

const Tank = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Tank',
  spec: z.object({ litres: z.int32().min(0).default(1) }),
  conditions: ['Ready', 'Leaking'],
})

const tank = { metadata: { name: 't' }, spec: {} }

test('removes a condition that is no longer stated, even when nothing else changes', async () => {
  const tanks = operator(Tank)
    .child('config', ConfigMap, () => ({ data: { pump: 'on' } }))
    .status((_, { config }) => ({
      conditions: {
        Ready: when(true, 'Filled', 'it is full'),
        ...(config?.data?.['leak'] === undefined
          ? {}
          : { Leaking: when(true, 'Seen', 'it drips') }),
      },
    }))
  await using world = await createWorld(tanks)
  const types = async (): Promise<string[]> => {
    await world.host.settle()
    const { status } = await world.client.get(Tank, 't')
    return (status?.conditions ?? []).map(({ type }) => type).sort()
  }
  await world.client.create(Tank, tank)
  expect(await types()).toEqual(['Ready'])
  await world.client.patch(ConfigMap, 't', { merge: { data: { leak: 'yes' } } })
  expect(await types()).toEqual(['Leaking', 'Ready'])
  await world.client.patch(ConfigMap, 't', { merge: { data: { leak: null } } })
  expect(await types()).toEqual(['Ready'])
  world.writes()
  await world.restart()
  await world.host.settle()
  expect(world.writes()).toEqual([])
})

test('does not update observedGeneration of other conditions after a failed reconcile', async () => {
  const tanks = operator(Tank).status(({ spec }) => {
    if (spec.litres > 1) throw new Error('it is too small')
    return {
      conditions: { Ready: when(true, 'Filled', 'it is full'), Leaking: when(false, 'Seen', '') },
    }
  })
  await using world = await createWorld(tanks)
  await world.client.create(Tank, tank)
  await world.host.settle()
  await world.client.patch(Tank, 't', { merge: { spec: { litres: 2 } } })
  await world.host.sleep(1_000)
  const { status } = await world.client.get(Tank, 't')
  expect(status?.conditions).toMatchObject([
    { type: 'Ready', status: 'False', reason: 'ReconcileFailed', observedGeneration: 2 },
    { type: 'Leaking', status: 'False', observedGeneration: 1 },
  ])
})

test('keeps the end of a long refusal, which has the reason', async () => {
  const tanks = operator(Tank).child('job', Job, ({ spec }) => ({
    spec: {
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'fill', image: 'fill', args: [`${spec.litres}`] }],
        },
      },
    },
  }))
  await using world = await createWorld(tanks)
  await world.client.create(Tank, tank)
  await world.host.settle()
  await world.client.patch(Tank, 't', { merge: { spec: { litres: 2 } } })
  await world.host.sleep(1_000)
  const { status } = await world.client.get(Tank, 't')
  const [event] = await world.client.listAll(Event, { namespace: 'default' })
  for (const message of [status?.conditions?.[0]?.message, event?.message]) {
    expect(message).toMatch(/^update of Job default\/t was refused: .* field is immutable$/)
    expect(message?.length).toBeLessThanOrEqual(1000)
  }
})

const Pump = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Pump',
  spec: z.object({ speed: z.int32().default(1) }),
  status: z.object({ turns: z.int32().optional() }),
  conditions: ['Ready', 'Worn'],
})

const pump = { metadata: { name: 'p' }, spec: {} }

test('adds the derived Ready to a status that reconcile writes, in one write', async () => {
  const pumps = operator(Pump)
    .child('config', ConfigMap, () => ({ data: { a: '1' } }))
    .reconcile(async ({ spec }, ctx) => ctx.updateStatus({ turns: spec.speed * 10 }))
  await using world = await createWorld(pumps)
  await world.client.create(Pump, pump)
  await world.host.settle()
  const ready = { type: 'Ready', status: 'True', reason: 'Reconciled' }
  expect((await world.client.get(Pump, 'p')).status).toMatchObject({
    turns: 10,
    conditions: [{ ...ready, observedGeneration: 1 }],
  })
  expect(world.writes()).toEqual(['create configmaps', 'update pumps/p/status'])
  await world.client.patch(Pump, 'p', { merge: { spec: { speed: 2 } } })
  await world.host.settle()
  expect((await world.client.get(Pump, 'p')).status).toMatchObject({
    turns: 20,
    conditions: [{ ...ready, observedGeneration: 2 }],
  })
  expect(world.writes()).toEqual(['update pumps/p/status'])
  await world.restart()
  await world.host.settle()
  expect(world.writes()).toEqual([])
})

test('does not replace a Ready that reconcile states', async () => {
  const pumps = operator(Pump).reconcile(async (one, ctx) => {
    const [known] = one.status?.conditions ?? []
    const lastTransitionTime = known?.lastTransitionTime ?? '2026-01-01T00:00:00Z'
    const Ready = { type: 'Ready', status: 'False', reason: 'Dry', message: '' } as const
    await ctx.updateStatus({ conditions: [{ ...Ready, lastTransitionTime }] })
  })
  await using world = await createWorld(pumps)
  await world.client.create(Pump, pump)
  await world.host.settle()
  expect((await world.client.get(Pump, 'p')).status?.conditions).toMatchObject([{ reason: 'Dry' }])
  expect(world.writes()).toEqual(['update pumps/p/status'])
  await world.restart()
  await world.host.settle()
  expect(world.writes()).toEqual([])
})

test('keeps the status of an earlier reconcile and derives only Ready', async () => {
  const pumps = operator(Pump).reconcile(async ({ spec }, ctx) => {
    if (spec.speed === 1) await ctx.updateStatus({ turns: 7 })
  })
  await using world = await createWorld(pumps)
  await world.client.create(Pump, pump)
  await world.host.settle()
  await world.client.patch(Pump, 'p', { merge: { spec: { speed: 2 } } })
  await world.host.settle()
  expect((await world.client.get(Pump, 'p')).status).toMatchObject({
    turns: 7,
    conditions: [{ type: 'Ready', status: 'True', observedGeneration: 2 }],
  })
})

test('keeps a status that was written before reconcile failed, and reports the failure', async () => {
  const pumps = operator(Pump).reconcile(async ({ spec }, ctx) => {
    await ctx.updateStatus({ turns: spec.speed })
    if (spec.speed > 1) throw new Error('it is stuck')
  })
  await using world = await createWorld(pumps)
  await world.client.create(Pump, pump)
  await world.host.settle()
  await world.client.patch(Pump, 'p', { merge: { spec: { speed: 2 } } })
  await world.host.sleep(50)
  expect((await world.client.get(Pump, 'p')).status).toMatchObject({
    turns: 2,
    conditions: [{ type: 'Ready', status: 'False', message: 'it is stuck' }],
  })
  await world.client.patch(Pump, 'p', { merge: { spec: { speed: 1 } } })
  await world.host.settle()
  expect((await world.client.get(Pump, 'p')).status).toMatchObject({
    turns: 1,
    conditions: [{ type: 'Ready', status: 'True' }],
  })
})

test('backs off a reconcile that writes the status and fails, and writes nothing twice', async () => {
  let isBroken = true
  const pumps = operator(Pump).reconcile(async ({ spec }, ctx) => {
    await ctx.updateStatus({ turns: spec.speed })
    if (isBroken) throw new Error('it is stuck')
  })
  await using world = await createWorld(pumps)
  await world.client.create(Pump, pump)
  await world.host.sleep(60_000)
  expect(world.reports.length).toBeLessThan(12)
  const toStatus = (): string[] => world.writes().filter((write) => write.endsWith('/status'))
  expect(toStatus()).toHaveLength(2)
  isBroken = false
  await world.host.sleep(60_000)
  expect((await world.client.get(Pump, 'p')).status).toMatchObject({
    turns: 1,
    conditions: [{ type: 'Ready', status: 'True' }],
  })
  expect(toStatus()).toHaveLength(1)
})

test('reports an error without a message', async () => {
  const nothing = undefined as unknown as Error
  const pumps = operator(Pump).reconcile(async () => Promise.reject(nothing))
  await using world = await createWorld(pumps)
  await world.client.create(Pump, pump)
  await world.host.sleep(60_000)
  expect((await world.client.get(Pump, 'p')).status?.conditions).toMatchObject([
    { type: 'Ready', status: 'False', message: 'undefined was thrown' },
  ])
  expect(world.writes().filter((write) => write.endsWith('/status'))).toHaveLength(1)
})

test('writes the status without a conflict after the finalizer and the handler memory', async () => {
  const pumps = operator(Pump)
    .onDelete(async () => undefined)
    .onCreate(async () => 3, { id: 'turns' })
    .reconcile(async ({ status }, ctx) => ctx.updateStatus({ turns: (status?.turns ?? 0) + 1 }))
  await using world = await createWorld(pumps)
  await world.client.create(Pump, pump)
  await world.host.settle()
  expect(world.reports.map(({ result }) => result)).toEqual(['done'])
  expect((await world.client.get(Pump, 'p')).status).toMatchObject({ turns: 4 })
})

test('reports a failing handler in the status that reconcile writes, without a second write', async () => {
  const pumps = operator(Pump)
    .onCreate(async () => Promise.reject(new Error('no oil')), { id: 'oil' })
    .reconcile(async (_, ctx) => ctx.updateStatus({ turns: 1 }))
  await using world = await createWorld(pumps)
  await world.client.create(Pump, pump)
  await world.host.sleep(150_000)
  const { conditions } = (await world.client.get(Pump, 'p')).status ?? {}
  expect(conditions).toMatchObject([{ type: 'Ready', status: 'False', message: 'oil: no oil' }])
  expect(world.writes().filter((write) => write.endsWith('/status'))).toHaveLength(1)
})

test('keeps Ready when a timer writes the status', async () => {
  const pumps = operator(Pump).every('1m', async (_, ctx) => ctx.updateStatus({ turns: 5 }))
  await using world = await createWorld(pumps)
  await world.client.create(Pump, pump)
  await world.host.sleep(90_000)
  world.writes()
  await world.host.sleep(600_000)
  expect((await world.client.get(Pump, 'p')).status).toMatchObject({
    turns: 5,
    conditions: [{ type: 'Ready', status: 'True' }],
  })
  expect(world.writes()).toEqual([])
})

test('does not derive Ready from children when a cleanup writes the status', async () => {
  const pumps = operator(Pump)
    .child('config', ConfigMap, { readyWhen: () => false }, () => ({ data: { a: '1' } }))
    .onDelete(async (_, ctx) => {
      await ctx.updateStatus({ turns: 0 })
      throw new RetryLaterError('it still turns', { after: '1h' })
    })
  await using world = await createWorld(pumps)
  await world.client.create(Pump, pump)
  await world.host.settle()
  await world.client.beginDelete(Pump, 'p')
  await world.host.sleep(1_000)
  expect((await world.client.get(Pump, 'p')).status).toMatchObject({
    turns: 0,
    conditions: [{ type: 'Ready', status: 'False' }],
  })
})

test('rewrites a status from before a schema change', async () => {
  const options = {
    group: 'example.com',
    version: 'v1',
    kind: 'Well',
    conditions: ['Ready'],
  } as const
  const Old = defineResource({
    ...options,
    spec: z.object({}),
    status: z.object({ a: z.string().optional() }),
  })
  const New = defineResource({
    ...options,
    spec: z.object({}),
    status: z.object({ a: z.int32(), pods: z.int32() }),
  })
  const current = operator(New)
    .child('config', ConfigMap, () => ({ data: {} }))
    .status(() => ({ a: 1, pods: 2 }))
  await using world = await createWorld(operator(Old).status(() => ({ a: 'old' })))
  await world.client.create(Old, tank)
  await world.host.settle()
  await world.running.stop()
  const { host } = world
  const connection = await connectionFromKubeconfig(host, world.cluster.kubeconfig())
  await using _ = await start([current], { host, connection, install: true })
  await host.settle()
  expect((await world.client.get(New, 't')).status).toMatchObject({
    a: 1,
    pods: 2,
    conditions: [{ type: 'Ready', status: 'True' }],
  })
})

test('replaces a status whose list of conditions is null, as Go writes an empty one', async () => {
  await using world = await createWorld(operator(Tank).reconcile(async () => undefined))
  const { client, host } = world
  const crd = JSON.parse(JSON.stringify(Tank.crd())) as {
    spec: { versions: [{ schema: { openAPIV3Schema: { properties: { status: object } } } }] }
  }
  const loose = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  crd.spec.versions[0].schema.openAPIV3Schema.properties.status = loose
  await client.patch(CustomResourceDefinition, 'tanks.example.com', { merge: crd })
  await client.create(Tank, tank)
  await host.settle()
  const live = await client.get(Tank, 't')
  const emptied = { ...live, status: { conditions: null } } as never
  const { status } = await client.replace(Tank, emptied, { subresource: 'status' })
  expect(status?.conditions).toBeNull()
  await client.patch(Tank, 't', { merge: { spec: { litres: 2 } } })
  await host.settle()
  expect((await client.get(Tank, 't')).status?.conditions).toMatchObject([
    { type: 'Ready', status: 'True' },
  ])
})
