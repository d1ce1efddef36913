import { readFile } from 'node:fs/promises'
import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { InferManifest } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { virtualHost } from 'setpoint/host'
import { Deployment, Service } from 'setpoint/kinds'
import { Application } from './application.ts'
import application from './operator.ts'

const sample = parse(
  await readFile(new URL('sample.yaml', import.meta.url), 'utf8'),
) as InferManifest<typeof Application>

test('creates a Deployment and a Service for the sample, and corrects drift', async () => {
  using host = virtualHost({ seed: 7 })
  await using cluster = await createCluster({ host, operators: [application] })
  const { client } = cluster
  const { metadata, spec } = await client.create(Application, sample)
  await cluster.settle()
  const { name } = metadata
  expect((await client.get(Deployment, name)).spec.replicas).toBe(spec.replicas)
  expect((await client.get(Service, name)).spec.ports).toMatchObject([{ port: spec.port }])
  expect((await client.get(Application, name)).status).toMatchObject({
    url: `http://${name}.default.svc:${spec.port}`,
    conditions: [{ type: 'Ready', status: 'True' }],
  })
  await client.setScale(Deployment, name, { replicas: 0 })
  await cluster.settle()
  expect((await client.get(Deployment, name)).spec.replicas).toBe(spec.replicas)
})

test('says in Ready which child it waits for, and why', async () => {
  using host = virtualHost({ seed: 7 })
  await using cluster = await createCluster({ host, operators: [application] })
  const { client } = cluster
  cluster.pods.behave('ghcr.io/shclub/nginx', { neverReady: true })
  const { metadata } = await client.create(Application, sample)
  await cluster.settle()
  expect((await client.get(Application, metadata.name)).status?.conditions).toMatchObject([
    {
      type: 'Ready',
      status: 'False',
      message: 'waiting for deployment: 0 of 1 updated replica available',
    },
  ])
})

test.each([
  ['web', 'nginx', []],
  ['web', 'ghcr.io/shclub/nginx:1.27', []],
  ['web', 'localhost:5000/a/b_c@sha256:' + 'a'.repeat(64), []],
  ['web', 'nginx 1.0', ['spec.image']],
  ['web', 'Nginx', ['spec.image']],
  ['web', 'nginx:', ['spec.image']],
  ['9lives', 'nginx', ['metadata.name']],
  ['a.b', 'nginx:', ['metadata.name', 'spec.image']],
])('the Application %s with the image %s has the problems %j', async (name, image, fields) => {
  using host = virtualHost({ seed: 7 })
  await using cluster = await createCluster({ host, operators: [application] })
  const creating = cluster.client.create(Application, {
    metadata: { name },
    spec: { image, port: 80 },
  })
  const refused = await creating.then(
    () => [],
    (error: unknown) => {
      if (!isApiError(error, 'API_INVALID')) throw error
      return error.status.details?.causes?.map(({ field }) => field)
    },
  )
  expect(refused).toEqual(fields)
})
