import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { ConfigMap, CustomResourceDefinition, Event, Secret } from '../kinds/index.ts'
import { operator, rbacFor, when } from '../operator/index.ts'
import { createIdleWorld, createWorld, type World } from './testdata/world.ts'

/** Copies a field of an object of any kind into its status, and labels the object. */
const Mirror = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Mirror',
  spec: z.object({
    of: z.object({ apiVersion: z.string(), kind: z.string(), name: z.string().optional() }),
    labels: z.record(z.string(), z.string()).optional(),
  }),
  status: z.object({ found: z.array(z.string()).optional() }),
  conditions: ['Ready'],
})

const Lamp = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Lamp',
  spec: z.object({ watts: z.int32() }),
})

const roles = { 'example.com/mirrored': 'true' }

const mirrors = operator(Mirror)
  .dynamicKinds({ roles })
  .reconcile(async ({ spec: { of, labels } }, ctx) => {
    const kind = await ctx.kindOf(of.apiVersion, of.kind)
    const objects = kind === undefined ? [] : await ctx.follow(kind, { name: of.name, labels })
    for (const object of objects) {
      if (kind === undefined || object.metadata.labels?.['mirrored'] === 'true') continue
      const metadata = { labels: { mirrored: 'true' } }
      await ctx.patch(kind, object, { merge: { metadata } })
    }
    const found = objects.map(({ metadata, spec, data }) =>
      [metadata.name, JSON.stringify(spec ?? data)].join(' '),
    )
    const message = kind === undefined ? `${of.kind} is not served` : `${found.length} found`
    const Ready = when(kind !== undefined, 'Mirrored', { message, otherwise: 'NotServed' })
    await ctx.updateStatus({ found, conditions: { Ready } })
    return kind === undefined ? { recheckAfter: '10s' } : undefined
  })

const mirrorOf = (name: string, of: object, labels?: Record<string, string>) => ({
  metadata: { name },
  spec: { of: of as never, ...(labels === undefined ? {} : { labels }) },
})

const lamp = { apiVersion: 'example.com/v1', kind: 'Lamp' }
const configMap = { apiVersion: 'v1', kind: 'ConfigMap' }

async function found(world: World, name: string): Promise<readonly string[] | undefined> {
  return (await world.client.get(Mirror, name)).status?.found
}

test('follows an object of a kind that is installed after the operator has started', async () => {
  await using world = await createWorld(mirrors)
  const { client, host } = world
  await client.create(Mirror, mirrorOf('m', { ...lamp, name: 'a' }))
  await host.settle()
  expect((await client.get(Mirror, 'm')).status?.conditions).toMatchObject([
    { type: 'Ready', status: 'False', reason: 'NotServed', message: 'Lamp is not served' },
  ])
  await client.create(CustomResourceDefinition, Lamp.crd())
  await host.sleep(15_000)
  expect(await found(world, 'm')).toEqual([])
  await client.create(Lamp, { metadata: { name: 'a' }, spec: { watts: 5 } })
  await client.create(Lamp, { metadata: { name: 'other' }, spec: { watts: 1 } })
  await host.settle()
  expect(await found(world, 'm')).toEqual(['a {"watts":5}'])
  await client.patch(Lamp, 'a', { merge: { spec: { watts: 7 } } })
  await host.settle()
  expect(await found(world, 'm')).toEqual(['a {"watts":7}'])
  await client.delete(Lamp, 'a')
  await host.settle()
  expect(await found(world, 'm')).toEqual([])
})

test('enqueues only the owners that follow a changed object, before and after the change', async () => {
  await using world = await createWorld(mirrors)
  const { client, host, reports } = world
  const labels = { tier: 'gold', mirrored: 'true' }
  await client.create(ConfigMap, { metadata: { name: 'a', labels }, data: { x: '1' } })
  await client.create(Mirror, mirrorOf('gold', configMap, { tier: 'gold' }))
  await client.create(Mirror, mirrorOf('iron', configMap, { tier: 'iron' }))
  await host.settle()
  expect(await found(world, 'gold')).toEqual(['a {"x":"1"}'])
  reports.length = 0
  await client.patch(ConfigMap, 'a', { merge: { data: { x: '2' } } })
  await host.settle()
  expect(reports.map(({ run }) => run.key)).toEqual(['default/gold'])
  await client.patch(ConfigMap, 'a', { merge: { metadata: { labels: { tier: 'iron' } } } })
  await host.settle()
  expect(await found(world, 'gold')).toEqual([])
  expect(await found(world, 'iron')).toEqual(['a {"x":"2"}'])
})

test('writes an object of a kind that is chosen at run time, and the echo causes no reconcile', async () => {
  await using world = await createWorld(mirrors)
  const { client, host, reports } = world
  await client.create(ConfigMap, { metadata: { name: 'a' }, data: { x: '1' } })
  await client.create(Mirror, mirrorOf('m', { ...configMap, name: 'a' }))
  await host.settle()
  expect((await client.get(ConfigMap, 'a')).metadata.labels).toEqual({ mirrored: 'true' })
  expect(reports).toHaveLength(1)
})

test('an owner no longer follows what its last reconcile did not ask for', async () => {
  await using world = await createWorld(mirrors)
  const { client, host, reports, cluster } = world
  await client.create(Mirror, mirrorOf('m', { ...configMap, name: 'a' }))
  await host.settle()
  const of = { apiVersion: 'v1', kind: 'Secret', name: 'a' }
  await client.patch(Mirror, 'm', { merge: { spec: { of } } })
  await host.settle()
  reports.length = 0
  await client.create(ConfigMap, { metadata: { name: 'a' } })
  await host.settle()
  expect(reports).toEqual([])
  await client.create(Secret, { metadata: { name: 'a' } })
  await host.settle()
  expect(reports).toHaveLength(1)
  // With the last owner, the watch ends, too: it is not opened again.
  const reopened = async (): Promise<boolean> => {
    const before = cluster.trace.length
    cluster.faults.endWatches({ kind: Secret, user: 'operator' }, 'closed')
    await host.sleep(60_000)
    return cluster.trace.slice(before).some(({ path }) => path.startsWith('/api/v1/secrets'))
  }
  expect(await reopened()).toBe(true)
  await client.delete(Mirror, 'm')
  await host.settle()
  expect(await reopened()).toBe(false)
})

test('a kind without rights fails the reconcile of its followers only, until a role allows it', async () => {
  await using world = await createIdleWorld([Mirror, Lamp])
  const { client, host } = world
  const rules = rbacFor([mirrors])
  const probes = { port: 8081 }
  const connection = await world.connectAs(rules)
  await using running = await world.start([mirrors], { connection, probes })
  await client.create(Mirror, mirrorOf('m', { ...lamp, name: 'a' }))
  await host.sleep(5_000)
  const ready = async () => (await client.get(Mirror, 'm')).status?.conditions?.[0]
  expect(await ready()).toMatchObject({
    status: 'False',
    message: expect.stringContaining('is forbidden') as string,
  })
  const url = `${running.probesUrl ?? ''}/readyz`
  expect((await host.request({ method: 'GET', url })).status).toBe(200)
  expect((await client.listAll(Event)).some(({ reason }) => reason === 'ReconcileFailed')).toBe(
    true,
  )
  const verbs = ['get', 'list', 'watch', 'patch']
  await world.connectAs([...rules, { apiGroups: ['example.com'], resources: ['lamps'], verbs }])
  await client.create(Lamp, { metadata: { name: 'a' }, spec: { watts: 5 } })
  await host.sleep(400_000)
  expect(await ready()).toMatchObject({ status: 'True', message: '1 found' })
})

test('an invalid API version is not served, and does not become part of a path', async () => {
  await using world = await createWorld(mirrors)
  const { client, host } = world
  await client.create(Mirror, mirrorOf('m', { apiVersion: '../api/v1', kind: 'Secret' }))
  await host.settle()
  expect((await client.get(Mirror, 'm')).status?.conditions).toMatchObject([
    { reason: 'NotServed' },
  ])
})

test('following needs a declaration, and the declaration needs labels', async () => {
  const silent = operator(Mirror).reconcile(async ({ spec: { of } }, ctx) => {
    const kind = await ctx.kindOf(of.apiVersion, of.kind)
    // @ts-expect-error: .dynamicKinds is missing
    if (kind !== undefined) await ctx.follow(kind)
  })
  await using world = await createWorld(silent)
  await world.client.create(Mirror, mirrorOf('m', configMap))
  await world.host.settle()
  expect((await world.client.get(Mirror, 'm')).status?.conditions).toMatchObject([
    { message: expect.stringContaining('add .dynamicKinds') as string },
  ])
  expect(() => operator(Mirror).dynamicKinds({ roles: {} })).toThrow('all ClusterRoles')
})
