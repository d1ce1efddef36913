import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import type { Intercept } from '../host/index.ts'
import { ConfigMap, Secret } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { createIdleWorld } from './testdata/world.ts'

const Widget = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  spec: z.object({ text: z.string() }),
  conditions: ['Ready'],
})

const election = (identity: string) => ({ election: { name: 'widgets', identity } })
const metadata = { name: 'w', labels: { app: 'w' } }

/** Two replicas; the watches of the second one, which has a label selector, can be late. */
async function createWorld() {
  const state = { isLate: false }
  const intercept: Intercept = ({ kind, url = '' }) =>
    state.isLate && kind === 'response-chunk' && /labelSelector.*watch=/.test(url)
      ? { delay: '15s' }
      : undefined
  const world = await createIdleWorld([Widget], { intercept })
  return { ...world, state }
}

const widgets = (labelSelector?: string) =>
  operator(Widget, labelSelector === undefined ? {} : { labelSelector }).child(
    'map',
    ConfigMap,
    ({ spec }) => ({ data: spec }),
  )

/** A kind without a generation. */
const copies = (labelSelector?: string) =>
  operator(ConfigMap, {
    name: 'copies',
    ...(labelSelector === undefined ? {} : { labelSelector }),
  }).child('copy', Secret, ({ data }) => ({ data: { text: data?.['text'] ?? '' } }))

test('a new leader whose watch is late does not write the children of an old spec', async () => {
  await using world = await createWorld()
  const { client, host, state, cluster } = world
  const leader = await world.start([widgets()], election('one'))
  await client.create(Widget, { metadata, spec: { text: 'old' } })
  await host.sleep(5_000)
  const standby = await world.start([widgets('app')], election('two'))
  await host.sleep(10_000)
  state.isLate = true
  await client.patch(Widget, 'w', { merge: { spec: { text: 'new' } } })
  await host.sleep(1_000)
  expect((await client.get(ConfigMap, 'w')).data).toEqual({ text: 'new' })
  await leader.stop()
  const seen = cluster.trace.length
  for (let second = 0; second < 30; second += 1) {
    await host.sleep(1_000)
    expect((await client.get(ConfigMap, 'w')).data).toEqual({ text: 'new' })
  }
  expect(standby.isLeader).toBe(true)
  const writes = cluster.trace.slice(seen).filter(({ path, method }) => {
    return path.endsWith('/w') && method !== 'GET'
  })
  expect(writes).toEqual([])
  await standby.stop()
})

test('a new leader whose watch is late does not write for an owner without a generation', async () => {
  await using world = await createWorld()
  const { client, host, state, cluster } = world
  const text = (value: string) => ({ data: { text: Buffer.from(value).toString('base64') } })
  const leader = await world.start([copies()], election('one'))
  await client.create(ConfigMap, { metadata, ...text('old') })
  await host.sleep(5_000)
  const standby = await world.start([copies('app')], election('two'))
  await host.sleep(10_000)
  state.isLate = true
  await client.patch(ConfigMap, 'w', { merge: text('new') })
  await host.sleep(1_000)
  expect((await client.get(Secret, 'w')).data).toEqual(text('new').data)
  await leader.stop()
  const seen = cluster.trace.length
  for (let second = 0; second < 30; second += 1) {
    await host.sleep(1_000)
    expect((await client.get(Secret, 'w')).data).toEqual(text('new').data)
  }
  expect(standby.isLeader).toBe(true)
  const lists = cluster.trace.slice(seen).filter(({ path, verb }) => {
    return verb === 'list' && path.includes('configmaps')
  })
  // One to compare revisions before the watch is reopened, and one of the owners.
  expect(lists).toHaveLength(2)
  await standby.stop()
})

test('a new leader that has nothing to write reads only the revision of each kind', async () => {
  await using world = await createWorld()
  const { client, host, cluster } = world
  const leader = await world.start([widgets()], election('one'))
  await client.create(Widget, { metadata, spec: { text: 'old' } })
  const standby = await world.start([widgets('app')], election('two'))
  await host.sleep(10_000)
  const seen = cluster.trace.length
  await leader.stop()
  await host.sleep(60_000)
  expect(standby.isLeader).toBe(true)
  const requests = cluster.trace.slice(seen).filter(({ path, verb }) => {
    return !path.includes('leases') && verb !== 'watch'
  })
  const lists = ['/api/v1/configmaps', '/apis/example.com/v1/widgets']
  expect(requests.map(({ path }) => path).sort()).toEqual(lists)
  await standby.stop()
})

test('the own finalizer of a reconcile does not make its object look stale', async () => {
  await using world = await createWorld()
  const { client, host } = world
  await client.create(Widget, { metadata, spec: { text: 'a' } })
  const results: string[] = []
  const cleaning = widgets().onDelete(async () => undefined)
  const running = await world.start([cleaning], {
    ...election('one'),
    onRunEnd: ({ result }) => results.push(result),
  })
  await host.sleep(30_000)
  expect((await client.get(ConfigMap, 'w')).data).toEqual({ text: 'a' })
  expect(new Set(results)).toEqual(new Set(['done']))
  await running.stop()
})
