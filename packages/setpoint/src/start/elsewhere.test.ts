import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { ClusterRole, ConfigMap, Namespace, Secret } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { world } from './testdata/world.ts'

const Tenant = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Tenant',
  spec: z.object({ text: z.string().default('a') }),
  conditions: ['Ready'],
})

const acme = { metadata: { name: 'acme' }, spec: {} }
const copy = { namespace: 'far', name: 'copy' }

test('copies of the kind that is served are kept and cleaned up, although they lack the label of those that are served', async () => {
  const replicator = operator(Secret, { labelSelector: 'replicate=yes' }).child('copy', Secret, {
    elsewhere: true,
    desired: ({ data }) => ({ metadata: copy, data: { ...data } }),
  })
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

test('a child in a namespace that is not worked in is kept and cleaned up', async () => {
  const far = operator(Tenant, { namespaces: ['default'] }).child('copy', ConfigMap, {
    elsewhere: true,
    desired: ({ spec }) => ({ metadata: copy, data: { text: spec.text } }),
  })
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

test('a wide watch sees everything, whatever narrower ones were declared before', async () => {
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
  'a cluster-scoped child that lost its %s gets it back, and goes with its owner',
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
    // While nobody looks.
    await it.running.stop()
    await it.client.patch(ClusterRole, 'default-acme', { merge: { metadata } })
    await it.client.delete(Tenant, 'acme')
    await it.restart()
    await it.host.settle()
    expect(await it.client.find(ClusterRole, 'default-acme')).toBeUndefined()
    expect(await it.client.find(Tenant, 'acme')).toBeUndefined()
  },
)
