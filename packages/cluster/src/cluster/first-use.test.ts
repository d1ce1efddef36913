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
import { createCluster, type Cluster, type ClusterOptions } from './index.ts'

// Ingresses, pod templates and limit ranges are kinds that no controller of a cluster deals with: the collector alone looks
// after them, and only once there are some.

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
      ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', blockOwnerDeletion: true },
      ...{ name: metadata.name, uid: metadata.uid },
    },
  ],
})

const template = { spec: { containers: [{ name: 'main', image: 'web' }] } }

const watches = ({ trace }: Cluster, plural: string): number =>
  trace.filter(({ verb, path }) => verb === 'watch' && new RegExp(`/${plural}(\\?|$)`).test(path))
    .length

test('a kind that nobody uses is watched from its first object on', async () => {
  await using it = await quietCluster()
  expect(watches(it.cluster, 'ingresses')).toBe(0)
  await it.client.create(Ingress, ingress('web'))
  await it.cluster.settle()
  expect(watches(it.cluster, 'ingresses')).toBe(1)
  await it.client.create(Ingress, ingress('other'))
  await it.client.delete(Ingress, 'web')
  await it.cluster.settle()
  expect(watches(it.cluster, 'ingresses')).toBe(1)
})

describe('of an owner and a dependent, each the first of its kind', () => {
  test('the dependent goes with the owner', async () => {
    await using it = await quietCluster()
    const owner = await it.client.create(Ingress, ingress('web'))
    await it.client.create(PodTemplate, { metadata: ownedBy('a', owner), template })
    await it.cluster.settle()
    await it.client.delete(Ingress, 'web')
    await it.cluster.settle()
    expect(await it.client.listAll(PodTemplate)).toEqual([])
  })

  test.each([
    ['Background', []],
    ['Foreground', []],
    ['Orphan', [['a', undefined]]],
  ] as const)('%s deletion right after their creation leaves %j', async (propagation, left) => {
    await using it = await quietCluster()
    const owner = await it.client.create(Ingress, ingress('web'))
    await it.client.create(PodTemplate, { metadata: ownedBy('a', owner), template })
    await it.client.delete(Ingress, 'web', { propagation })
    await it.cluster.settle()
    expect(await it.client.listAll(Ingress)).toEqual([])
    const templates = await it.client.listAll(PodTemplate)
    expect(templates.map(({ metadata }) => [metadata.name, metadata.ownerReferences])).toEqual(left)
  })

  test('all of it happens at once, and nothing is left', async () => {
    await using it = await quietCluster()
    const owner = await it.client.create(Ingress, ingress('web'))
    await Promise.all([
      it.client.create(PodTemplate, { metadata: ownedBy('a', owner), template }),
      it.client.create(ConfigMap, { metadata: ownedBy('b', owner) }),
      it.client.delete(Ingress, 'web'),
    ])
    await it.cluster.settle()
    expect(await it.client.listAll(PodTemplate)).toEqual([])
    expect(await it.client.find(ConfigMap, 'b')).toBeUndefined()
  })
})

test('a dependent whose owner went before anybody looked goes as well', async () => {
  await using it = await quietCluster()
  const owner = await it.client.create(Ingress, ingress('web'))
  await it.client.delete(Ingress, 'web')
  await it.client.create(ConfigMap, { metadata: ownedBy('late', owner) })
  await it.cluster.settle()
  expect(await it.client.find(ConfigMap, 'late')).toBeUndefined()
})

test('in a cluster that was restored, what it was restored with is looked after', async () => {
  await using first = await quietCluster()
  const owner = await first.client.create(Ingress, ingress('web'))
  await first.client.create(PodTemplate, { metadata: ownedBy('a', owner), template })
  await using it = await quietCluster({ snapshot: first.cluster.snapshot() })
  expect(watches(it.cluster, 'ingresses')).toBe(1)
  await it.client.delete(Ingress, 'web', { propagation: 'Foreground' })
  await it.cluster.settle()
  expect(await it.client.listAll(PodTemplate)).toEqual([])
  expect(await it.client.listAll(Ingress)).toEqual([])
})

test('a namespace goes with the first object of a kind in it', async () => {
  await using it = await quietCluster()
  await it.client.create(Namespace, { metadata: { name: 'team' } })
  await it.client.create(LimitRange, {
    metadata: { name: 'limits', namespace: 'team' },
    spec: { limits: [] },
  })
  await it.client.delete(Namespace, 'team')
  await it.cluster.settle()
  expect(await it.client.find(Namespace, 'team')).toBeUndefined()
})

test('a quota hears that the only object of a kind is gone', async () => {
  await using it = await quietCluster()
  await it.client.create(ResourceQuota, {
    metadata: { name: 'few' },
    spec: { hard: { 'count/ingresses.networking.k8s.io': '1' } },
  })
  await it.cluster.settle()
  await it.client.create(Ingress, ingress('web'))
  await it.cluster.settle()
  const used = async () => (await it.client.get(ResourceQuota, 'few')).status?.used
  expect(await used()).toEqual({ 'count/ingresses.networking.k8s.io': '1' })
  await it.client.delete(Ingress, 'web')
  await it.cluster.settle()
  await it.host.sleep(1_000)
  expect(await used()).toEqual({ 'count/ingresses.networking.k8s.io': '0' })
})

test('a cluster ends while a kind is being used for the first time', async () => {
  const it = await quietCluster()
  const created = it.client.create(Ingress, ingress('web'))
  await it.cluster.dispose()
  await created.catch(() => undefined)
  await it.host.settle()
  it.host.stop()
  expect(watches(it.cluster, 'ingresses')).toBeLessThanOrEqual(1)
})
