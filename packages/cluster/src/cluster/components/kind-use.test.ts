import { virtualHost } from 'setpoint/host'
import {
  ConfigMap,
  Ingress,
  LimitRange,
  Namespace,
  PodTemplate,
  ResourceQuota,
} from 'setpoint/kinds'
import { describe, expect, test } from 'vitest'
import { createCluster, type Cluster, type ClusterOptions } from '../index.ts'

// No controller watches ingresses, pod templates and limit ranges. Only the garbage collector does,
// from the first deletion or missing owner on.

async function quietCluster(options: ClusterOptions = {}) {
  const host = virtualHost({ seed: 1 })
  const cluster = await createCluster({ host, nodes: 'off', ...options })
  await cluster.settle()
  const dispose = async (): Promise<void> => cluster.dispose().then(() => host.stop())
  return { host, cluster, client: cluster.client, [Symbol.asyncDispose]: dispose }
}

const ingress = (name: string) => ({
  metadata: { name },
  spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
})

type Owner = { readonly metadata: { readonly name: string; readonly uid: string } }

const ownedBy = (name: string, { metadata }: Owner) => ({
  name,
  ownerReferences: [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      blockOwnerDeletion: true,
      name: metadata.name,
      uid: metadata.uid,
    },
  ],
})

const template = { spec: { containers: [{ name: 'main', image: 'web' }] } }

const watches = ({ trace }: Cluster, plural: string): number =>
  trace.filter(({ verb, path }) => verb === 'watch' && new RegExp(`/${plural}(\\?|$)`).test(path))
    .length

test('watches a kind from its first deletion on', async () => {
  await using world = await quietCluster()
  const owner = await world.client.create(Ingress, ingress('web'))
  await world.client.create(PodTemplate, { metadata: ownedBy('a', owner), template })
  await world.cluster.settle()
  expect(watches(world.cluster, 'ingresses')).toBe(0)
  expect(watches(world.cluster, 'podtemplates')).toBe(0)
  await world.client.create(Ingress, ingress('other'))
  await world.client.delete(Ingress, 'other')
  await world.cluster.settle()
  expect(watches(world.cluster, 'ingresses')).toBe(1)
  expect(watches(world.cluster, 'podtemplates')).toBe(1)
  await world.client.delete(Ingress, 'web')
  await world.cluster.settle()
  expect(watches(world.cluster, 'ingresses')).toBe(1)
})

test('watches a kind from its first object with a missing owner on', async () => {
  await using world = await quietCluster()
  const missing = { metadata: { name: 'never', uid: 'none' } }
  await world.client.create(PodTemplate, { metadata: ownedBy('a', missing), template })
  await world.cluster.settle()
  expect(watches(world.cluster, 'podtemplates')).toBe(1)
  expect(await world.client.listAll(PodTemplate)).toEqual([])
})

describe('an owner and a dependent, each the first of its kind', () => {
  test('deletes the dependent with the owner', async () => {
    await using world = await quietCluster()
    const owner = await world.client.create(Ingress, ingress('web'))
    await world.client.create(PodTemplate, { metadata: ownedBy('a', owner), template })
    await world.cluster.settle()
    await world.client.delete(Ingress, 'web')
    await world.cluster.settle()
    expect(await world.client.listAll(PodTemplate)).toEqual([])
  })

  test.each([
    ['Background', []],
    ['Foreground', []],
    ['Orphan', [['a', undefined]]],
  ] as const)(
    '%s deletion immediately after their creation leaves %j',
    async (propagation, left) => {
      await using world = await quietCluster()
      const owner = await world.client.create(Ingress, ingress('web'))
      await world.client.create(PodTemplate, { metadata: ownedBy('a', owner), template })
      await world.client.delete(Ingress, 'web', { propagation })
      await world.cluster.settle()
      expect(await world.client.listAll(Ingress)).toEqual([])
      const templates = await world.client.listAll(PodTemplate)
      expect(templates.map(({ metadata }) => [metadata.name, metadata.ownerReferences])).toEqual(
        left,
      )
    },
  )

  test('creates and deletes them concurrently and leaves nothing', async () => {
    await using world = await quietCluster()
    const owner = await world.client.create(Ingress, ingress('web'))
    await Promise.all([
      world.client.create(PodTemplate, { metadata: ownedBy('a', owner), template }),
      world.client.create(ConfigMap, { metadata: ownedBy('b', owner) }),
      world.client.delete(Ingress, 'web'),
    ])
    await world.cluster.settle()
    expect(await world.client.listAll(PodTemplate)).toEqual([])
    expect(await world.client.find(ConfigMap, 'b')).toBeUndefined()
  })
})

test('deletes a dependent whose owner was deleted before its kind was watched', async () => {
  await using world = await quietCluster()
  const owner = await world.client.create(Ingress, ingress('web'))
  await world.client.delete(Ingress, 'web')
  await world.client.create(ConfigMap, { metadata: ownedBy('late', owner) })
  await world.cluster.settle()
  expect(await world.client.find(ConfigMap, 'late')).toBeUndefined()
})

test('collects garbage in a cluster that was restored from a snapshot', async () => {
  await using first = await quietCluster()
  const owner = await first.client.create(Ingress, ingress('web'))
  await first.client.create(PodTemplate, { metadata: ownedBy('a', owner), template })
  await using world = await quietCluster({ snapshot: first.cluster.snapshot() })
  expect(watches(world.cluster, 'ingresses')).toBe(0)
  await world.client.delete(Ingress, 'web', { propagation: 'Foreground' })
  await world.cluster.settle()
  expect(await world.client.listAll(PodTemplate)).toEqual([])
  expect(await world.client.listAll(Ingress)).toEqual([])
})

test('deletes a namespace with the first object of a kind', async () => {
  await using world = await quietCluster()
  await world.client.create(Namespace, { metadata: { name: 'team' } })
  await world.client.create(LimitRange, {
    metadata: { name: 'limits', namespace: 'team' },
    spec: { limits: [] },
  })
  await world.client.delete(Namespace, 'team')
  await world.cluster.settle()
  expect(await world.client.find(Namespace, 'team')).toBeUndefined()
})

test('frees quota when the only object of a kind is deleted', async () => {
  await using world = await quietCluster()
  await world.client.create(ResourceQuota, {
    metadata: { name: 'few' },
    spec: { hard: { 'count/ingresses.networking.k8s.io': '1' } },
  })
  await world.cluster.settle()
  await world.client.create(Ingress, ingress('web'))
  await world.cluster.settle()
  const used = async () => (await world.client.get(ResourceQuota, 'few')).status?.used
  expect(await used()).toEqual({ 'count/ingresses.networking.k8s.io': '1' })
  await world.client.delete(Ingress, 'web')
  await world.cluster.settle()
  await world.host.sleep(1_000)
  expect(await used()).toEqual({ 'count/ingresses.networking.k8s.io': '0' })
})

test('stops a cluster while the operator of a new kind starts', async () => {
  const world = await quietCluster()
  const created = world.client.create(Ingress, ingress('web'))
  await world.cluster.dispose()
  await created.catch(() => undefined)
  await world.host.settle()
  world.host.stop()
  expect(watches(world.cluster, 'ingresses')).toBeLessThanOrEqual(1)
})
