import { APIService, ConfigMap, CustomResourceDefinition, type Manifest } from 'setpoint/kinds'
import { readText, virtualHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import { createCluster } from '../../cluster/index.ts'

const thingDefinition: Manifest<CustomResourceDefinition> = {
  metadata: { name: 'things.far.example.com' },
  spec: {
    group: 'far.example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object' } },
      },
    ],
  },
}

/** A cluster, and another one that serves the API of things for it. */
async function createWorld() {
  const host = virtualHost({ seed: 'aggregation garbage' })
  const far = await createCluster({ host, auth: 'off', tls: 'off', workloads: 'off' })
  await far.client.create(CustomResourceDefinition, thingDefinition)
  const cluster = await createCluster({ host, auth: 'off', tls: 'off', nodes: 'off' })
  cluster.forwardService('default/far', far.url)
  await cluster.client.create(APIService, {
    metadata: { name: 'v1.far.example.com' },
    spec: {
      group: 'far.example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: { namespace: 'default', name: 'far' },
    },
  })
  await cluster.settle()
  const send = async (method: string, path: string, object?: object) => {
    const headers = { 'content-type': 'application/json' }
    const body = object === undefined ? undefined : JSON.stringify(object)
    const url = `${cluster.url}/apis/far.example.com/v1/namespaces/default/things${path}`
    const response = await host.request({ method, url, headers, body })
    const text = await readText(response.body, 1_000_000)
    return { status: response.status, object: JSON.parse(text) as { metadata: { uid: string } } }
  }
  return {
    host,
    cluster,
    send,
    create: async (name: string, ownerReferences: readonly object[] = []) => {
      const thing = {
        apiVersion: 'far.example.com/v1',
        kind: 'Thing',
        metadata: { name, ownerReferences },
      }
      const { status, object } = await send('POST', '', thing)
      expect(status).toBe(201)
      return { apiVersion: 'far.example.com/v1', kind: 'Thing', name, uid: object.metadata.uid }
    },
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      await far.dispose()
      host.stop()
    },
  }
}

test('an object of an aggregated API is deleted with its owner', async () => {
  await using world = await createWorld()
  const { client } = world.cluster
  const place = { name: 'owner', namespace: 'default' }
  const owner = await client.create(ConfigMap, { metadata: place })
  const { uid } = owner.metadata
  await world.create('one', [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }])
  await world.create('two')
  await world.cluster.settle()
  expect((await world.send('GET', '/one')).status).toBe(200)
  await client.delete(ConfigMap, place)
  await world.cluster.settle()
  await world.host.sleep(1000)
  expect((await world.send('GET', '/one')).status).toBe(404)
  expect((await world.send('GET', '/two')).status).toBe(200)
})

test('an object of an aggregated API is an owner', async () => {
  await using world = await createWorld()
  const { client } = world.cluster
  const owner = await world.create('one')
  const place = { name: 'dependent', namespace: 'default' }
  await client.create(ConfigMap, { metadata: { ...place, ownerReferences: [owner] } })
  await world.cluster.settle()
  expect(await client.find(ConfigMap, place)).toBeDefined()
  await world.send('DELETE', '/one')
  await world.host.sleep(1000)
  expect(await client.find(ConfigMap, place)).toBeUndefined()
})
