import { testWorld } from '@setpoint/cluster'
import { defineResource } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { ConfigMap, CustomResourceDefinition, Pod, ResourceQuota, Service } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import * as z from 'zod'

const Thing = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  spec: z.object({ size: z.int32().optional() }),
})

async function startWorld(hard: Record<string, string>) {
  const world = await testWorld({ operators: [], seed: 4, nodes: 'off' })
  const { client, cluster } = world
  await world.settle()
  await client.create(ResourceQuota, { metadata: { name: 'limits' }, spec: { hard } })
  await world.settle()
  const used = async () => {
    await world.settle()
    return (await client.get(ResourceQuota, 'limits')).status?.used
  }
  return { ...world, used, trace: cluster.trace }
}

const pod = (name: string) => ({
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'app' }] },
})

test('counts and refuses objects of a kind that is defined later, and frees deleted ones', async () => {
  await using world = await startWorld({ 'count/things.example.com': '1' })
  expect(await world.used()).toBeUndefined()
  await world.client.create(CustomResourceDefinition, Thing.crd())
  expect(await world.used()).toEqual({ 'count/things.example.com': '0' })
  await world.client.create(Thing, { metadata: { name: 'a' }, spec: {} })
  expect(await world.used()).toEqual({ 'count/things.example.com': '1' })
  const refused = world.client.create(Thing, { metadata: { name: 'b' }, spec: {} })
  await expect(refused).rejects.toSatisfy((error) => isApiError(error, 'API_FORBIDDEN'))
  await world.client.delete(Thing, 'a')
  expect(await world.used()).toEqual({ 'count/things.example.com': '0' })
})

test('does not count again what admission has charged', async () => {
  await using world = await startWorld({ pods: '10' })
  const before = world.trace.length
  for (const name of ['a', 'b', 'c']) await world.client.create(Pod, pod(name))
  expect(await world.used()).toEqual({ pods: '3' })
  const counts = world.trace
    .slice(before)
    .filter(({ path }) => path.endsWith('/resourcequotas/limits/status'))
  expect(counts).toEqual([])
})

test('frees many objects that are deleted together', async () => {
  await using world = await startWorld({ 'count/configmaps': '100', services: '100', pods: '100' })
  for (let index = 0; index < 20; index += 1) {
    await world.client.create(ConfigMap, { metadata: { name: `c-${index}` } })
    await world.client.create(Pod, pod(`p-${index}`))
  }
  await world.client.create(Service, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } })
  const all = await world.used()
  expect(all).toMatchObject({ pods: '20' })
  await world.client.deleteAll(Pod, { gracePeriodSeconds: 0 })
  await world.client.deleteAll(ConfigMap)
  await world.client.delete(Service, 's')
  const after = await world.used()
  // The Service of the API server, and the root certificate ConfigMap, which is created again.
  expect(after).toEqual({ 'count/configmaps': '1', services: '1', pods: '0' })
})

test('does not write a quota in the steady state', async () => {
  await using world = await startWorld({ pods: '10', 'requests.memory': '1024Mi' })
  const before = world.trace.length
  await world.host.sleep(3_600_000)
  const writes = world.trace
    .slice(before)
    .filter(({ path }) => path.includes('/resourcequotas/limits'))
  expect(writes).toEqual([])
})
