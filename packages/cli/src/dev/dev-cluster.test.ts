import { ConfigMap } from 'setpoint/kinds'
import { virtualHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import { DevCluster } from './dev-cluster.ts'

const options = { folder: '/project', port: undefined, nodes: 'off' } as const

test('a persistent cluster continues with its objects and the same authority', async () => {
  using host = virtualHost({ seed: 'persist' })
  const first = await DevCluster.start(host, { ...options, isPersistent: true })
  const { caCert } = first.cluster
  await first.cluster.client.create(ConfigMap, { metadata: { name: 'kept' } })
  await first[Symbol.asyncDispose]()
  const second = await DevCluster.start(host, { ...options, isPersistent: true })
  expect(second.cluster.caCert).toBe(caCert)
  expect(await second.cluster.client.find(ConfigMap, 'kept')).toBeDefined()
  await second[Symbol.asyncDispose]()
})

test('a cluster that is not persistent starts empty, and keeps the saved state', async () => {
  using host = virtualHost({ seed: 'persist' })
  const kept = await DevCluster.start(host, { ...options, isPersistent: true })
  await kept[Symbol.asyncDispose]()
  const other = await DevCluster.start(host, { ...options, isPersistent: false })
  await other.cluster.client.create(ConfigMap, { metadata: { name: 'lost' } })
  await other[Symbol.asyncDispose]()
  const again = await DevCluster.start(host, { ...options, isPersistent: true })
  expect(await again.cluster.client.find(ConfigMap, 'lost')).toBeUndefined()
  await again[Symbol.asyncDispose]()
})
