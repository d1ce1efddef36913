import { createCluster } from '@setpoint/cluster'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { LiveNamespaces } from '../cache/index.ts'
import { connectionFromKubeconfig } from '../client/index.ts'
import { defineResource } from '../definition/index.ts'
import type { Intercept } from '../host/index.ts'
import { virtualHost } from '../host/index.ts'
import { ClusterRole, ClusterRoleBinding, ConfigMap, Namespace, Secret } from '../kinds/index.ts'
import { operator, rbacFor } from '../operator/index.ts'
import { start } from './index.ts'
import { world, worldWith } from './testdata/world.ts'

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
  const replicator = operator(Secret, { labelSelector: 'replicate=yes' }).child(
    'copy',
    Secret,
    { crossNamespace: true },
    ({ data }) => ({ metadata: copy, data: { ...data } }),
  )
  await using it = await world(replicator)
  await it.client.create(Namespace, { metadata: { name: 'far' } })
  const metadata = { name: 'a', labels: { replicate: 'yes' } }
  await it.client.create(Secret, { metadata, data: { k: 'YQ==' } })
  await it.host.settle()
  await it.client.patch(Secret, copy, { merge: { data: { k: 'Yg==' } } })
  await it.host.settle()
  expect((await it.client.get(Secret, copy)).data).toEqual({ k: 'YQ==' })
  await it.client.delete(Secret, copy)
  await it.host.settle()
  expect((await it.client.get(Secret, copy)).data).toEqual({ k: 'YQ==' })
  it.writes()
  await it.client.patch(Secret, 'a', { merge: { metadata: { annotations: { x: '1' } } } })
  await it.host.settle()
  expect(it.writes()).toEqual(['patch secrets/a'])
  await it.client.delete(Secret, 'a')
  await it.host.settle()
  expect(await it.client.find(Secret, 'a')).toBeUndefined()
  expect(await it.client.find(Secret, copy)).toBeUndefined()
})

test('maintains and deletes a child in a namespace outside of its own', async () => {
  const far = operator(Tenant, { namespaces: ['default'] }).child(
    'copy',
    ConfigMap,
    { crossNamespace: true },
    ({ spec }) => ({ metadata: copy, data: { text: spec.text } }),
  )
  await using it = await world(far)
  await it.client.create(Namespace, { metadata: { name: 'far' } })
  await it.client.create(Tenant, acme)
  await it.client.create(Tenant, { ...acme, metadata: { name: 'other', namespace: 'far' } })
  await it.host.settle()
  await it.client.delete(ConfigMap, copy)
  await it.host.settle()
  expect((await it.client.get(ConfigMap, copy)).data).toEqual({ text: 'a' })
  expect((await it.client.get(Tenant, { name: 'other', namespace: 'far' })).status).toBeUndefined()
  await it.client.delete(Tenant, 'acme')
  await it.host.settle()
  expect(await it.client.find(ConfigMap, copy)).toBeUndefined()
})

test('uses the widest watch of a kind, whatever was declared before', async () => {
  const seen: string[] = []
  const watching = operator(Tenant)
    .watch(Secret, ({ metadata }) => (seen.push(`narrow ${metadata.name}`), []), {
      labelSelector: 'a=b',
    })
    .watch(Secret, ({ metadata }) => (seen.push(`wide ${metadata.name}`), []))
  await using it = await world(watching)
  await it.client.create(Secret, { metadata: { name: 'plain' } })
  await it.client.create(Secret, { metadata: { name: 'labelled', labels: { a: 'b' } } })
  await it.host.settle()
  expect(seen.sort()).toEqual(['narrow labelled', 'wide labelled', 'wide plain'])
})

test.each([
  ['annotation', { annotations: { 'setpoint.dev/owner': null } }],
  ['label', { labels: { 'setpoint.dev/owner-uid': null } }],
])(
  'restores the %s of a cluster-scoped child, and deletes it with its owner',
  async (_, metadata) => {
    const roles = operator(Tenant).child('role', ClusterRole, () => ({ rules: [] }))
    await using it = await world(roles)
    await it.client.create(Tenant, acme)
    await it.host.settle()
    const before = await it.client.get(ClusterRole, 'default-acme')
    await it.client.patch(ClusterRole, 'default-acme', { merge: { metadata } })
    await it.host.settle()
    const { labels, annotations } = (await it.client.get(ClusterRole, 'default-acme')).metadata
    expect({ labels, annotations }).toMatchObject({
      labels: before.metadata.labels,
      annotations: { 'setpoint.dev/owner': before.metadata.annotations?.['setpoint.dev/owner'] },
    })
    // While the operator is stopped.
    await it.running.stop()
    await it.client.patch(ClusterRole, 'default-acme', { merge: { metadata } })
    await it.client.delete(Tenant, 'acme')
    await it.restart()
    await it.host.settle()
    expect(await it.client.find(ClusterRole, 'default-acme')).toBeUndefined()
    expect(await it.client.find(Tenant, 'acme')).toBeUndefined()
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
  await using it = await world(chosen)
  await it.client.create(Namespace, { metadata: { name: 'far' } })
  const labels = { served: 'yes' }
  await it.client.create(Tenant, { ...acme, metadata: { name: 'acme', labels } })
  await it.client.create(Tenant, { ...acme, metadata: { name: 'other' } })
  await it.host.settle()
  expect(await it.client.find(ConfigMap, copy)).toBeDefined()
  it.writes()
  await it.client.patch(Tenant, 'acme', { merge: { metadata: { labels: { served: 'no' } } } })
  await it.host.settle()
  expect(it.writes()).toHaveLength(4)
  expect(await it.client.find(ConfigMap, copy)).toBeUndefined()
  expect(await it.client.find(ClusterRole, 'default-acme')).toBeUndefined()
  expect(await it.client.find(ConfigMap, { namespace: 'far', name: 'kept' })).toBeDefined()
  expect(await it.client.find(Secret, 'acme')).toBeDefined()
  expect((await it.client.get(Tenant, 'acme')).metadata.finalizers ?? []).toEqual([])
  await it.client.patch(Tenant, 'acme', { merge: { metadata: { labels } } })
  await it.host.settle()
  expect(await it.client.find(ConfigMap, copy)).toBeDefined()
  expect((await it.client.get(Tenant, 'acme')).metadata.finalizers).toHaveLength(1)
})

test('removes the finalizer and the children in other namespaces when the namespace of the owner is deselected', async () => {
  const namespaces = new LiveNamespaces(['default', 'far'])
  const roaming = operator(Tenant, { namespaces }).child('role', ClusterRole, () => ({ rules: [] }))
  await using it = await world(roaming)
  await it.client.create(Namespace, { metadata: { name: 'far' } })
  const far = { namespace: 'far', name: 'acme' }
  await it.client.create(Tenant, acme)
  await it.client.create(Tenant, { ...acme, metadata: far })
  await it.host.settle()
  expect(await it.client.find(ClusterRole, 'far-acme')).toBeDefined()
  namespaces.set(['default'])
  await it.host.settle()
  expect(await it.client.find(ClusterRole, 'far-acme')).toBeUndefined()
  expect((await it.client.get(Tenant, far)).metadata.finalizers ?? []).toEqual([])
  expect(await it.client.find(ClusterRole, 'default-acme')).toBeDefined()
  namespaces.set(['far', 'default'])
  await it.host.settle()
  expect(await it.client.find(ClusterRole, 'far-acme')).toBeDefined()
})

test('retries to remove the finalizer of a deselected object', async () => {
  const chosen = operator(Secret, { labelSelector: 'mine=yes' }).onDelete(async () => undefined)
  const rules = rbacFor([chosen])
  const host = virtualHost({ seed: 1 })
  const users = [{ name: 'operator' }]
  await using cluster = await createCluster({ host, workloads: 'off', users })
  const admin = await connectionFromKubeconfig(host, cluster.kubeconfig())
  await using administration = await start([], { host, connection: admin })
  const { client } = administration
  await client.create(ClusterRole, { metadata: { name: 'operator' }, rules })
  await client.create(ClusterRoleBinding, {
    metadata: { name: 'operator' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'operator' },
    subjects: [{ kind: 'User', name: 'operator', apiGroup: 'rbac.authorization.k8s.io' }],
  })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig(), {
    context: 'operator',
  })
  await using _ = await start([chosen], { host, connection })
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
  host.stop()
})

/** Owners of ClusterRoles, and a watch that lags when the test asks for it. */
async function behind(plural: string) {
  let isBehind = false
  const intercept: Intercept = ({ kind, url = '' }) =>
    isBehind && kind === 'response-chunk' && url.includes(`/${plural}?watch=`)
      ? { delay: 300_000 }
      : undefined
  const roles = operator(Tenant).child('role', ClusterRole, () => ({ rules: [] }))
  const it = await worldWith({ intercept }, roles)
  await it.host.settle()
  return { it, fallBehind: () => void (isBehind = true) }
}

test('deletes a cluster-scoped child with its owner, although the watch has not shown it yet', async () => {
  const { it, fallBehind } = await behind('clusterroles')
  await using _ = it
  fallBehind()
  await it.client.create(Tenant, acme)
  await it.host.sleep(1_000)
  expect(await it.client.find(ClusterRole, 'default-acme')).toBeDefined()
  await it.client.delete(Tenant, 'acme')
  await it.host.sleep(60_000)
  expect(await it.client.find(Tenant, 'acme')).toBeUndefined()
  expect(await it.client.find(ClusterRole, 'default-acme')).toBeUndefined()
})

test('does not recreate a cluster-scoped child for a deleted owner, although the watch has not shown the deletion', async () => {
  const { it, fallBehind } = await behind('tenants')
  await using _ = it
  await it.client.create(Tenant, acme)
  await it.host.settle()
  fallBehind()
  // As another replica does.
  await it.client.delete(Tenant, 'acme')
  await it.client.patch(Tenant, 'acme', { merge: { metadata: { finalizers: null } } })
  await it.client.delete(ClusterRole, 'default-acme')
  await it.host.sleep(600_000)
  expect(await it.client.find(ClusterRole, 'default-acme')).toBeUndefined()
  expect(it.reports.map(({ run }) => run.key)).toEqual(['default/acme', 'default/acme'])
})
