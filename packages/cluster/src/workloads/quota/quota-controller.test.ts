import { createCluster } from '@setpoint/cluster'
import { defineResource } from 'setpoint'
import { Client, connectionFromKubeconfig, isApiError } from 'setpoint/client'
import { virtualHost } from 'setpoint/host'
import { ConfigMap, CustomResourceDefinition, Pod, ResourceQuota, Service } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import * as z from 'zod'

const Thing = defineResource({
  ...{ group: 'example.com', version: 'v1', kind: 'Thing' },
  spec: z.object({ size: z.int32().optional() }),
})

async function world(hard: Record<string, string>) {
  const host = virtualHost({ seed: 4 })
  const cluster = await createCluster({ host, nodes: 'off' })
  const client = new Client(host, await connectionFromKubeconfig(host, cluster.kubeconfig()))
  await cluster.settle()
  await client.create(ResourceQuota, { metadata: { name: 'limits' }, spec: { hard } })
  await cluster.settle()
  const used = async () => {
    await cluster.settle()
    return (await client.get(ResourceQuota, 'limits')).status?.used
  }
  const [settle, { trace }] = [cluster.settle, cluster]
  const dispose = async (): Promise<void> => cluster.dispose().then(() => host.stop())
  return { host, client, used, settle, trace, [Symbol.asyncDispose]: dispose }
}

const pod = (name: string) => ({
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'app' }] },
})

test('objects of a kind that is defined later are counted, refused, and free when they go', async () => {
  await using it = await world({ 'count/things.example.com': '1' })
  expect(await it.used()).toBeUndefined()
  await it.client.create(CustomResourceDefinition, Thing.crd())
  expect(await it.used()).toEqual({ 'count/things.example.com': '0' })
  await it.client.create(Thing, { metadata: { name: 'a' }, spec: {} })
  expect(await it.used()).toEqual({ 'count/things.example.com': '1' })
  const refused = it.client.create(Thing, { metadata: { name: 'b' }, spec: {} })
  await expect(refused).rejects.toSatisfy((error) => isApiError(error, 'API_FORBIDDEN'))
  await it.client.delete(Thing, 'a')
  expect(await it.used()).toEqual({ 'count/things.example.com': '0' })
})

test('what admission charges is not counted again', async () => {
  await using it = await world({ pods: '10' })
  const before = it.trace.length
  for (const name of ['a', 'b', 'c']) await it.client.create(Pod, pod(name))
  expect(await it.used()).toEqual({ pods: '3' })
  const counts = it.trace
    .slice(before)
    .filter(({ path }) => path.endsWith('/resourcequotas/limits/status'))
  expect(counts).toEqual([])
})

test('many that go at once are all free', async () => {
  await using it = await world({ 'count/configmaps': '100', services: '100', pods: '100' })
  for (let index = 0; index < 20; index += 1) {
    await it.client.create(ConfigMap, { metadata: { name: `c-${index}` } })
    await it.client.create(Pod, pod(`p-${index}`))
  }
  await it.client.create(Service, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } })
  const all = await it.used()
  expect(all).toMatchObject({ pods: '20' })
  await it.client.deleteAll(Pod, { gracePeriodSeconds: 0 })
  await it.client.deleteAll(ConfigMap)
  await it.client.delete(Service, 's')
  const after = await it.used()
  // The API server's own service, and the certificate that comes back.
  expect(after).toEqual({ 'count/configmaps': '1', services: '1', pods: '0' })
})

test('a quota that nothing happens to is not written', async () => {
  await using it = await world({ pods: '10', 'requests.memory': '1024Mi' })
  const before = it.trace.length
  await it.host.sleep(3_600_000)
  const writes = it.trace
    .slice(before)
    .filter(({ path }) => path.includes('/resourcequotas/limits'))
  expect(writes).toEqual([])
})
