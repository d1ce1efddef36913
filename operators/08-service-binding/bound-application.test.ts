/** The operators of applications, databases and bindings in one cluster. */
import { readFile } from 'node:fs/promises'
import { type Cluster, createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { InferManifest } from 'setpoint'
import { type VirtualHost, virtualHost } from 'setpoint/host'
import { conditionOf, Deployment, Secret } from 'setpoint/kinds'
import { Application } from '../01-application/application.ts'
import applications from '../01-application/operator.ts'
import databases from '../05-sample-db/operator.ts'
import { SampleDB } from '../05-sample-db/sample-db.ts'
import bindings from './operator.ts'
import { ServiceBinding } from './service-binding.ts'

const read = async (path: string): Promise<unknown> =>
  parse(await readFile(new URL(path, import.meta.url), 'utf8'))

const samples = {
  application: (await read('../01-application/sample.yaml')) as InferManifest<typeof Application>,
  database: (await read('../05-sample-db/sample.yaml')) as InferManifest<typeof SampleDB>,
  binding: (await read('sample.yaml')) as InferManifest<typeof ServiceBinding>,
}

const app = 'nginx'

async function boundWorld(host: VirtualHost): Promise<Cluster> {
  const cluster = await createCluster({ host, operators: [applications, databases, ...bindings] })
  const { client } = cluster
  // The binding comes first: it waits for the others.
  await client.create(ServiceBinding, samples.binding)
  await client.create(Application, samples.application)
  await client.create(SampleDB, samples.database)
  await host.sleep(60_000)
  return cluster
}

const isReady = async ({ client }: Cluster): Promise<unknown[]> => [
  conditionOf(await client.get(ServiceBinding, 'visits'), 'Ready')?.status,
  conditionOf(await client.get(Application, app), 'Ready')?.status,
  conditionOf(await client.get(SampleDB, 'example-database'), 'Ready')?.status,
]

/** The pod template of the application, as far as the binding changes it. */
async function podOf({ client }: Cluster) {
  const { spec } = await client.get(Deployment, app)
  const { containers = [], volumes = [] } = spec.template.spec ?? {}
  const [container] = containers
  return {
    image: container?.image,
    env: container?.env?.map(({ name }) => name),
    mounts: container?.volumeMounts?.map(({ mountPath }) => mountPath),
    secrets: volumes.flatMap(({ projected }) => projected?.sources?.map((one) => one.secret?.name)),
  }
}

const bound = {
  env: ['SERVICE_BINDING_ROOT', 'PGUSER'],
  mounts: ['/bindings/visits'],
  secrets: ['example-database-binding'],
}

test('an application gets the connection details of a database, and all three are ready', async () => {
  using host = virtualHost({ seed: 8 })
  await using cluster = await boundWorld(host)
  expect(await isReady(cluster)).toEqual(['True', 'True', 'True'])
  expect(await podOf(cluster)).toMatchObject(bound)
  const { data = {}, type } = await cluster.client.get(Secret, 'example-database-binding')
  expect(type).toBe('servicebinding.io/postgresql')
  const texts = Object.entries(data).map(([key, value]) => [key, atob(value)])
  expect(Object.fromEntries(texts)).toEqual({
    type: 'postgresql',
    provider: 'sample-db',
    host: 'example-database.default.svc',
    port: '5432',
    database: 'app',
    username: 'sampledb',
    password: expect.stringMatching(/^[\w-]{32}$/) as string,
  })
})

test('the operator of the application corrects drift and changes the image, and leaves the binding alone', async () => {
  using host = virtualHost({ seed: 9 })
  await using cluster = await boundWorld(host)
  const { client } = cluster
  const generationOf = async () => (await client.get(Deployment, app)).metadata.generation ?? 0
  const before = await generationOf()
  await client.setScale(Deployment, app, { replicas: 5 })
  await host.sleep(30_000)
  expect((await client.get(Deployment, app)).spec.replicas).toBe(1)
  await client.patch(Application, app, { merge: { spec: { image: 'ghcr.io/shclub/nginx:2' } } })
  await host.sleep(30_000)
  expect(await podOf(cluster)).toEqual({ ...bound, image: 'ghcr.io/shclub/nginx:2' })
  // Three writes: the scale, its correction, and the image. The operators do not undo each other.
  expect(await generationOf()).toBe(before + 3)
  expect(await isReady(cluster)).toEqual(['True', 'True', 'True'])
})

test('a new password reaches the mounted Secret without a restart of the application', async () => {
  using host = virtualHost({ seed: 10 })
  await using cluster = await boundWorld(host)
  const { client } = cluster
  const { generation } = (await client.get(Deployment, app)).metadata
  const stringData = { password: 'changed' }
  await client.patch(Secret, 'example-database-credentials', { merge: { stringData } })
  await host.sleep(60_000)
  const { data = {} } = await client.get(Secret, 'example-database-binding')
  expect(atob(data['password'] ?? '')).toBe('changed')
  expect((await client.get(Deployment, app)).metadata.generation).toBe(generation)
  expect(await isReady(cluster)).toEqual(['True', 'True', 'True'])
})

test('unbinding restores the application, and the database can be deleted', async () => {
  using host = virtualHost({ seed: 11 })
  await using cluster = await boundWorld(host)
  const { client } = cluster
  await client.delete(ServiceBinding, 'visits')
  await host.sleep(30_000)
  expect(await podOf(cluster)).toEqual({
    image: 'ghcr.io/shclub/nginx',
    env: undefined,
    mounts: undefined,
    secrets: [],
  })
  expect(await client.find(ServiceBinding, 'visits')).toBeUndefined()
  await client.delete(SampleDB, 'example-database')
  await host.sleep(120_000)
  expect(await client.find(SampleDB, 'example-database')).toBeUndefined()
})
