import { testWorld } from '@setpoint/cluster'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { LiveNamespaces } from '../cache/index.ts'
import { defineResource } from '../definition/index.ts'
import type { Intercept } from '../host/index.ts'
import { ClusterRole, ConfigMap, Namespace, Secret } from '../kinds/index.ts'
import { operator, rbacFor } from '../operator/index.ts'
import { createWorld, createWorldWith } from './testdata/world.ts'

const Tenant = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Tenant',
  spec: z.object({ text: z.string().default('a') }),
  conditions: ['Ready'],
})

const acme = { metadata: { name: 'acme' }, spec: {} }
const copy = { namespace: 'far', name: 'copy' }

test('maintains and deletes copies of its own kind, although they do not match its selector', async () => {
  const replicator = operator(Secret, { name: 'secrets', labelSelector: 'replicate=yes' }).child(
    'copy',
    Secret,
    { crossNamespace: true },
    ({ data }) => ({ metadata: copy, data: { ...data } }),
  )
  await using world = await createWorld(replicator)
  await world.client.create(Namespace, { metadata: { name: 'far' } })
  const metadata = { name: 'a', labels: { replicate: 'yes' } }
  await world.client.create(Secret, { metadata, data: { k: 'YQ==' } })
  await world.host.settle()
  await world.client.patch(Secret, copy, { merge: { data: { k: 'Yg==' } } })
  await world.host.settle()
  expect((await world.client.get(Secret, copy)).data).toEqual({ k: 'YQ==' })
  await world.client.delete(Secret, copy)
  await world.host.settle()
  expect((await world.client.get(Secret, copy)).data).toEqual({ k: 'YQ==' })
  world.writes()
  await world.client.patch(Secret, 'a', { merge: { metadata: { annotations: { x: '1' } } } })
  await world.host.settle()
  expect(world.writes()).toEqual([])
  await world.client.delete(Secret, 'a')
  await world.host.settle()
  expect(await world.client.find(Secret, 'a')).toBeUndefined()
  expect(await world.client.find(Secret, copy)).toBeUndefined()
})

test('maintains and deletes a child in a namespace that the operator does not watch', async () => {
  const far = operator(Tenant, { namespaces: ['default'] }).child(
    'copy',
    ConfigMap,
    { crossNamespace: true },
    ({ spec }) => ({ metadata: copy, data: { text: spec.text } }),
  )
  await using world = await createWorld(far)
  await world.client.create(Namespace, { metadata: { name: 'far' } })
  await world.client.create(Tenant, acme)
  await world.client.create(Tenant, { ...acme, metadata: { name: 'other', namespace: 'far' } })
  await world.host.settle()
  await world.client.delete(ConfigMap, copy)
  await world.host.settle()
  expect((await world.client.get(ConfigMap, copy)).data).toEqual({ text: 'a' })
  expect(
    (await world.client.get(Tenant, { name: 'other', namespace: 'far' })).status,
  ).toBeUndefined()
  await world.client.delete(Tenant, 'acme')
  await world.host.settle()
  expect(await world.client.find(ConfigMap, copy)).toBeUndefined()
})

test('uses the widest watch of a kind, even when a narrower one was declared before', async () => {
  const seen: string[] = []
  const watching = operator(Tenant)
    .watch(Secret, ({ metadata }) => (seen.push(`narrow ${metadata.name}`), []), {
      labelSelector: 'a=b',
    })
    .watch(Secret, ({ metadata }) => (seen.push(`wide ${metadata.name}`), []))
  await using world = await createWorld(watching)
  await world.client.create(Secret, { metadata: { name: 'plain' } })
  await world.client.create(Secret, { metadata: { name: 'labelled', labels: { a: 'b' } } })
  await world.host.settle()
  expect(seen.sort()).toEqual(['narrow labelled', 'wide labelled', 'wide plain'])
})

test.each([
  ['annotation', { annotations: { 'setpoint.dev/owner': null } }],
  ['label', { labels: { 'setpoint.dev/owner-uid': null } }],
])(
  'restores the %s of a cluster-scoped child, and deletes it with its owner',
  async (_, metadata) => {
    const roles = operator(Tenant).child('role', ClusterRole, () => ({ rules: [] }))
    await using world = await createWorld(roles)
    await world.client.create(Tenant, acme)
    await world.host.settle()
    const before = await world.client.get(ClusterRole, 'default-acme')
    await world.client.patch(ClusterRole, 'default-acme', { merge: { metadata } })
    await world.host.settle()
    const { labels, annotations } = (await world.client.get(ClusterRole, 'default-acme')).metadata
    expect({ labels, annotations }).toMatchObject({
      labels: before.metadata.labels,
      annotations: { 'setpoint.dev/owner': before.metadata.annotations?.['setpoint.dev/owner'] },
    })
    // While the operator is stopped.
    await world.running.stop()
    await world.client.patch(ClusterRole, 'default-acme', { merge: { metadata } })
    await world.client.delete(Tenant, 'acme')
    await world.restart()
    await world.host.settle()
    expect(await world.client.find(ClusterRole, 'default-acme')).toBeUndefined()
    expect(await world.client.find(Tenant, 'acme')).toBeUndefined()
  },
)

test('removes children in other namespaces when their owner is deselected, and keeps those with an owner reference', async () => {
  const chosen = operator(Tenant, { labelSelector: 'served=yes' })
    .child('role', ClusterRole, () => ({ rules: [] }))
    .child('copy', ConfigMap, { crossNamespace: true }, () => ({ metadata: copy }))
    .child('kept', ConfigMap, { crossNamespace: true, deletion: 'retain' }, () => ({
      metadata: { namespace: 'far', name: 'kept' },
    }))
    .child('near', Secret, () => ({ data: {} }))
  await using world = await createWorld(chosen)
  await world.client.create(Namespace, { metadata: { name: 'far' } })
  const labels = { served: 'yes' }
  await world.client.create(Tenant, { ...acme, metadata: { name: 'acme', labels } })
  await world.client.create(Tenant, { ...acme, metadata: { name: 'other' } })
  await world.host.settle()
  expect(await world.client.find(ConfigMap, copy)).toBeDefined()
  world.writes()
  await world.client.patch(Tenant, 'acme', { merge: { metadata: { labels: { served: 'no' } } } })
  await world.host.settle()
  expect(world.writes()).toHaveLength(3)
  expect(await world.client.find(ConfigMap, copy)).toBeUndefined()
  expect(await world.client.find(ClusterRole, 'default-acme')).toBeUndefined()
  expect(await world.client.find(ConfigMap, { namespace: 'far', name: 'kept' })).toBeDefined()
  expect(await world.client.find(Secret, 'acme')).toBeDefined()
  expect((await world.client.get(Tenant, 'acme')).metadata.finalizers ?? []).toEqual([])
  await world.client.patch(Tenant, 'acme', { merge: { metadata: { labels } } })
  await world.host.settle()
  expect(await world.client.find(ConfigMap, copy)).toBeDefined()
  expect((await world.client.get(Tenant, 'acme')).metadata.finalizers).toHaveLength(1)
})

test('removes the finalizer and the children in other namespaces when the namespace of the owner is deselected', async () => {
  const namespaces = new LiveNamespaces(['default', 'far'])
  const roaming = operator(Tenant, { namespaces }).child('role', ClusterRole, () => ({ rules: [] }))
  await using world = await createWorld(roaming)
  await world.client.create(Namespace, { metadata: { name: 'far' } })
  const far = { namespace: 'far', name: 'acme' }
  await world.client.create(Tenant, acme)
  await world.client.create(Tenant, { ...acme, metadata: far })
  await world.host.settle()
  expect(await world.client.find(ClusterRole, 'far-acme')).toBeDefined()
  namespaces.set(['default'])
  await world.host.settle()
  expect(await world.client.find(ClusterRole, 'far-acme')).toBeUndefined()
  expect((await world.client.get(Tenant, far)).metadata.finalizers ?? []).toEqual([])
  expect(await world.client.find(ClusterRole, 'default-acme')).toBeDefined()
  namespaces.set(['far', 'default'])
  await world.host.settle()
  expect(await world.client.find(ClusterRole, 'far-acme')).toBeDefined()
})

test('retries to remove the finalizer of a deselected object', async () => {
  const chosen = operator(Secret, { name: 'secrets', labelSelector: 'mine=yes' }).onDelete(
    async () => undefined,
  )
  const rules = rbacFor([chosen])
  await using world = await testWorld({ operators: [chosen], rules, workloads: 'off' })
  const { host, client } = world
  await client.create(Secret, { metadata: { name: 'oak', labels: { mine: 'yes' } } })
  await host.settle()
  const poorer = rules.map((rule) => ({
    ...rule,
    verbs: rule.verbs.filter((verb) => verb !== 'patch'),
  }))
  await client.patch(ClusterRole, 'operator', { merge: { rules: poorer } })
  await client.patch(Secret, 'oak', { merge: { metadata: { labels: { mine: null } } } })
  await host.sleep(1_000)
  expect((await client.get(Secret, 'oak')).metadata.finalizers).toHaveLength(1)
  await client.patch(ClusterRole, 'operator', { merge: { rules } })
  await host.sleep(60_000)
  expect((await client.get(Secret, 'oak')).metadata.finalizers ?? []).toEqual([])
})

/** Owners of ClusterRoles, and a watch that lags when the test asks for it. */
async function behind(plural: string) {
  let isWatchBehind = false
  const intercept: Intercept = ({ kind, url = '' }) =>
    isWatchBehind && kind === 'response-chunk' && url.includes(`/${plural}?watch=`)
      ? { delay: 300_000 }
      : undefined
  const roles = operator(Tenant).child('role', ClusterRole, () => ({ rules: [] }))
  const world = await createWorldWith({ intercept }, roles)
  await world.host.settle()
  return { world, fallBehind: () => void (isWatchBehind = true) }
}

test('deletes a cluster-scoped child with its owner, although the watch has not shown it yet', async () => {
  const { world, fallBehind } = await behind('clusterroles')
  await using _ = world
  fallBehind()
  await world.client.create(Tenant, acme)
  await world.host.sleep(1_000)
  expect(await world.client.find(ClusterRole, 'default-acme')).toBeDefined()
  await world.client.delete(Tenant, 'acme')
  await world.host.sleep(60_000)
  expect(await world.client.find(Tenant, 'acme')).toBeUndefined()
  expect(await world.client.find(ClusterRole, 'default-acme')).toBeUndefined()
})

test('does not recreate a cluster-scoped child for a deleted owner, although the watch has not shown the deletion', async () => {
  const { world, fallBehind } = await behind('tenants')
  await using _ = world
  await world.client.create(Tenant, acme)
  await world.host.settle()
  fallBehind()
  // As another replica does.
  await world.client.delete(Tenant, 'acme')
  await world.client.patch(Tenant, 'acme', { merge: { metadata: { finalizers: null } } })
  await world.client.delete(ClusterRole, 'default-acme')
  await world.host.sleep(600_000)
  expect(await world.client.find(ClusterRole, 'default-acme')).toBeUndefined()
  expect(world.reports.map(({ run }) => run.key)).toEqual(['default/acme', 'default/acme'])
})
