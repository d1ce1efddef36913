import * as z from 'zod'
import { expect, test } from 'vitest'
import { GiveUpError, RetryLaterError } from '../controller/index.ts'
import { defineResource } from '../definition/index.ts'
import { ConfigMap, Event, Secret, Service } from '../kinds/index.ts'
import { operator, when } from '../operator/index.ts'
import { createWorld, type World } from './testdata/world.ts'

const Tenant = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Tenant',
  spec: z.object({
    port: z.number().default(80),
    zones: z.array(z.string()).default([]),
  }),
  status: z.object({
    port: z.number().optional(),
    maps: z.array(z.string()).optional(),
    note: z.string().optional(),
  }),
  conditions: ['Ready', 'Made'],
})

const acme = { metadata: { name: 'acme' }, spec: {} }

async function statusOf(world: World) {
  const { status } = await world.client.get(Tenant, 'acme')
  const said = (status?.conditions ?? []).map(
    ({ type, ...condition }) => `${type} ${condition.status}: ${condition.message.split('\n')[0]}`,
  )
  return { ...status, conditions: said.sort() }
}

const service = ({ spec }: { spec: { port: number } }) => ({
  spec: { selector: { app: 'x' }, ports: [{ port: spec.port }] },
})

test('runs handlers, reconcile and status although the server refuses one child', async () => {
  const calls: string[] = []
  const tenants = operator(Tenant)
    .child('bad', Service, service)
    .child('good', ConfigMap, ({ spec }) => ({ data: { port: `${spec.port}` } }))
    .onCreate(async () => 'sent', { id: 'note' })
    .reconcile(async ({ spec }) => void calls.push(`reconcile ${spec.port}`))
    .status(({ spec }, { bad, good }) => ({
      port: spec.port,
      maps: [good?.metadata.name ?? 'none'],
      conditions: {
        Ready: when(true, 'Stated', 'all is well'),
        Made: when(bad !== undefined, 'Made', 'the service'),
      },
    }))
  await using world = await createWorld(tenants)
  await world.client.create(Tenant, { ...acme, spec: { port: 99_999 } })
  await world.host.sleep(50)
  expect(calls).toEqual(['reconcile 99999'])
  const { conditions, ...fields } = await statusOf(world)
  expect(fields).toEqual({ port: 99_999, maps: ['acme'], note: 'sent' })
  expect(conditions).toEqual([
    'Made False: the service',
    expect.stringMatching(/^Ready False: .*spec.ports\[0\].port: Invalid value: 99999/),
  ])
  const toStatus = world.writes().filter((write) => write.endsWith('/status'))
  // The result of the handler, and all other fields.
  expect(toStatus).toHaveLength(2)
  expect(world.reports.at(-1)?.result).toBe('failed')
  const events = await world.client.listAll(Event, { namespace: 'default' })
  expect(events.map(({ reason }) => reason)).toEqual(['ReconcileFailed'])
  await world.host.sleep(60_000)
  expect(world.writes().filter((write) => write.endsWith('/status'))).toEqual([])
  await world.client.patch(Tenant, 'acme', { merge: { spec: { port: 81 } } })
  await world.host.settle()
  expect((await statusOf(world)).conditions).toEqual([
    'Made True: the service',
    'Ready True: all is well',
  ])
})

test('prunes nothing while a child fails, because its replacement does not exist yet', async () => {
  const tenants = operator(Tenant)
    .child('bad', Service, service)
    .children('zone', ConfigMap, ({ spec }) =>
      Object.fromEntries(spec.zones.map((zone) => [zone, { data: {} }])),
    )
  await using world = await createWorld(tenants)
  await world.client.create(Tenant, { ...acme, spec: { zones: ['x'] } })
  await world.host.settle()
  await world.client.patch(Tenant, 'acme', { merge: { spec: { zones: ['y'], port: 99_999 } } })
  await world.host.sleep(10_000)
  expect(await world.client.find(ConfigMap, 'acme-x')).toBeDefined()
  expect(await world.client.find(ConfigMap, 'acme-y')).toBeDefined()
  await world.client.patch(Tenant, 'acme', { merge: { spec: { port: 80 } } })
  await world.host.settle()
  expect(await world.client.find(ConfigMap, 'acme-x')).toBeUndefined()
})

test('creates the other members of a set when one is refused', async () => {
  const tenants = operator(Tenant)
    .children('zone', ConfigMap, ({ spec }) =>
      Object.fromEntries(
        spec.zones.map((zone) => [zone, { data: { [zone === 'bad' ? 'no key!' : 'key']: zone } }]),
      ),
    )
    .status((_, { zone }) => ({ maps: Object.keys(zone).filter((key) => zone[key]) }))
  await using world = await createWorld(tenants)
  await world.client.create(Tenant, { ...acme, spec: { zones: ['a', 'bad', 'c'] } })
  await world.host.sleep(1_000)
  const { maps, conditions } = await statusOf(world)
  expect(maps).toEqual(['a', 'c'])
  expect(conditions[0]).toMatch(/^Ready False: .*no key!/)
})

test('passes the existing child to the status when its function throws', async () => {
  const refuse = (port: number) => {
    if (port > 80) throw new Error('no idea')
  }
  const tenants = operator(Tenant)
    .child('one', ConfigMap, ({ spec }) => (refuse(spec.port), { data: {} }))
    .children('zone', ConfigMap, ({ spec }) => (refuse(spec.port), { a: {}, b: {} }))
    .status(({ spec }, { one, zone }) => ({
      port: spec.port,
      maps: [one?.metadata.name ?? 'none', ...Object.keys(zone).sort()],
    }))
  await using world = await createWorld(tenants)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  await world.client.patch(Tenant, 'acme', { merge: { spec: { port: 81 } } })
  await world.host.sleep(1_000)
  expect(await statusOf(world)).toEqual({
    port: 81,
    maps: ['acme', 'a', 'b'],
    conditions: ['Ready False: no idea; no idea'],
  })
  expect(await world.client.find(ConfigMap, 'acme-zone-a')).toBeDefined()
})

test('does not mistake an object with the name of a child for the child', async () => {
  const tenants = operator(Tenant)
    .child('one', ConfigMap, () => ({ data: {} }))
    .status((_, { one }) => ({ maps: one === undefined ? [] : [one.metadata.name] }))
  await using world = await createWorld(tenants)
  const other = { apiVersion: 'v1', kind: 'Secret', name: 's', uid: 'u', controller: true }
  await world.client.create(ConfigMap, { metadata: { name: 'acme', ownerReferences: [other] } })
  await world.client.create(Tenant, acme)
  await world.host.sleep(1_000)
  expect(await statusOf(world)).toEqual({
    maps: [],
    conditions: ['Ready False: ConfigMap default/acme is controlled by another object'],
  })
})

test.each([
  ['derived', undefined],
  ['stated', when(true, 'Stated', 'all is well')],
])(
  'reports that a recreated owner waits for a child of the previous one, even where Ready is %s',
  async (_, Ready) => {
    const tenants = operator(Tenant)
      .child('one', ConfigMap, ({ spec }) => ({ data: { port: `${spec.port}` } }))
      .status(({ spec }) => ({
        port: spec.port,
        conditions: Ready === undefined ? {} : { Ready },
      }))
    await using world = await createWorld(tenants)
    await world.client.create(Tenant, acme)
    await world.host.settle()
    const hold = { merge: { metadata: { finalizers: ['example.com/hold'] } } }
    await world.client.patch(ConfigMap, 'acme', hold)
    await world.client.delete(Tenant, 'acme')
    // As the garbage collector does.
    await world.client.beginDelete(ConfigMap, 'acme')
    await world.client.create(Tenant, { ...acme, spec: { port: 81 } })
    await world.host.sleep(10_000)
    expect(await statusOf(world)).toEqual({
      port: 81,
      conditions: [
        'Ready False: waiting for one: ConfigMap default/acme of an earlier Tenant acme must be deleted first, held by example.com/hold',
      ],
    })
    expect(await world.client.listAll(Event, { namespace: 'default' })).toEqual([])
    world.writes()
    await world.host.sleep(600_000)
    expect(world.writes()).toEqual([])
    await world.client.patch(ConfigMap, 'acme', { merge: { metadata: { finalizers: null } } })
    await world.host.settle()
    expect((await world.client.get(ConfigMap, 'acme')).data).toEqual({ port: '81' })
    expect((await statusOf(world)).conditions).toEqual([
      Ready === undefined ? 'Ready True: all children are ready' : 'Ready True: all is well',
    ])
  },
)

test('names the terminating child that it waits for', async () => {
  const tenants = operator(Tenant).child('one', ConfigMap, () => ({ data: {} }))
  await using world = await createWorld(tenants)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  const hold = { merge: { metadata: { finalizers: ['example.com/hold'] } } }
  await world.client.patch(ConfigMap, 'acme', hold)
  await world.client.beginDelete(ConfigMap, 'acme')
  await world.host.settle()
  expect((await statusOf(world)).conditions).toEqual(['Ready False: waiting for one: terminating'])
})

test('retries a child that asked for it although another one gave up', async () => {
  let tries = 0
  const tenants = operator(Tenant)
    .child('never', Secret, () => {
      throw new GiveUpError('no use')
    })
    .child('late', ConfigMap, () => {
      tries += 1
      if (tries < 3) throw new RetryLaterError('not yet', { after: '5s' })
      return { data: {} }
    })
  await using world = await createWorld(tenants)
  await world.client.create(Tenant, acme)
  await world.host.sleep(60_000)
  expect(await world.client.find(ConfigMap, 'acme')).toBeDefined()
  expect((await statusOf(world)).conditions).toEqual(['Ready False: no use'])
})

test('writes the status although reconcile fails, and reports a RetryLaterError in a derived Ready', async () => {
  const tenants = operator(Tenant)
    .child('one', ConfigMap, () => ({ data: {} }))
    .reconcile(async ({ spec }) => {
      if (spec.port === 81) throw new Error('the port is taken')
      if (spec.port === 82) throw new RetryLaterError('the database starts', { after: '1h' })
    })
    .status(({ spec }, { one }) => ({ port: spec.port, maps: [one?.metadata.name ?? 'none'] }))
  await using world = await createWorld(tenants)
  await world.client.create(Tenant, { ...acme, spec: { port: 81 } })
  await world.host.sleep(1_000)
  const maps = ['acme']
  expect(await statusOf(world)).toEqual({
    port: 81,
    maps,
    conditions: ['Ready False: the port is taken'],
  })
  await world.client.patch(Tenant, 'acme', { merge: { spec: { port: 82 } } })
  await world.host.sleep(1_000)
  expect(await statusOf(world)).toEqual({
    port: 82,
    maps,
    conditions: ['Ready False: the database starts'],
  })
  await world.client.patch(Tenant, 'acme', { merge: { spec: { port: 83 } } })
  await world.host.settle()
  expect(await statusOf(world)).toEqual({
    port: 83,
    maps,
    conditions: ['Ready True: all children are ready'],
  })
})

test('respects recheckAfter of a reconcile although a child gave up', async () => {
  let looks = 0
  const tenants = operator(Tenant)
    .child('never', Secret, () => {
      throw new GiveUpError('no use')
    })
    .reconcile(async () => {
      looks += 1
      return { recheckAfter: '10s' }
    })
  await using world = await createWorld(tenants)
  await world.client.create(Tenant, acme)
  await world.host.sleep(35_000)
  expect(looks).toBe(4)
})

test('names the line of a programming error in Ready and in an Event', async () => {
  const wrong = operator(Tenant).child('map', ConfigMap, () => {
    const missing: { readonly text?: { readonly length: number } } = {}
    return { data: { length: `${(missing.text as { length: number }).length}` } }
  })
  await using world = await createWorld(wrong)
  await world.client.create(Tenant, acme)
  await world.host.sleep(1_000)
  const place = /Cannot read .*\(start\/failing-children\.test\.ts:\d+:\d+\)/
  const { status } = await world.client.get(Tenant, 'acme')
  expect(status?.conditions?.[0]?.message).toMatch(place)
  const [event] = await world.client.listAll(Event)
  expect(event?.message).toMatch(place)
})

test('a child that throws RetryLaterError stays as it is until the object it refers to exists', async () => {
  const login = { namespace: 'default', name: 'login' }
  const tenants = operator(Tenant)
    .watch(Secret, () => ['default/acme'])
    .child('copy', ConfigMap, ({ spec }, { get }) => {
      const secret = get(Secret, 'login')
      if (secret === undefined) {
        throw new RetryLaterError('waits for the Secret login', { after: '1h' })
      }
      return { data: { port: `${spec.port}`, user: secret.data?.['user'] ?? '' } }
    })
    .child('other', Service, service)
  await using world = await createWorld(tenants)
  await world.client.create(Secret, { metadata: login, data: { user: 'YQ==' } })
  await world.client.create(Tenant, acme)
  await world.host.settle()
  expect((await statusOf(world)).conditions).toEqual(['Ready True: all children are ready'])
  const before = await world.client.get(ConfigMap, 'acme')
  await world.client.delete(Secret, login)
  await world.client.patch(Tenant, 'acme', { merge: { spec: { port: 81 } } })
  await world.host.sleep(60_000)
  expect((await world.client.get(Service, 'acme')).spec.ports?.[0]?.port).toBe(81)
  expect(await world.client.get(ConfigMap, 'acme')).toEqual(before)
  expect((await statusOf(world)).conditions).toEqual([
    'Ready False: waiting for copy: waits for the Secret login',
  ])
  world.writes()
  await world.host.sleep(600_000)
  expect(world.writes()).toEqual([])
  await world.client.create(Secret, { metadata: login, data: { user: 'Yg==' } })
  await world.host.sleep(1_000)
  expect((await world.client.get(ConfigMap, 'acme')).data).toEqual({ port: '81', user: 'Yg==' })
  expect((await statusOf(world)).conditions).toEqual(['Ready True: all children are ready'])
})
