import { readFile } from 'node:fs/promises'
import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { InferManifest } from 'setpoint'
import { virtualHost } from 'setpoint/host'
import { conditionOf, Deployment, EndpointSlice, Service } from 'setpoint/kinds'
import { ElevenStApp } from './elevenst-app.ts'
import elevenStApp from './operator.ts'

const sample = parse(
  await readFile(new URL('sample.yaml', import.meta.url), 'utf8'),
) as InferManifest<typeof ElevenStApp>

test('runs an app behind a Service that selects its pods', async () => {
  using host = virtualHost({ seed: 2 })
  await using cluster = await createCluster({ host, operators: [elevenStApp] })
  const { client } = cluster
  await client.create(ElevenStApp, sample)
  await cluster.settle()
  const app = await client.get(ElevenStApp, 'elevenst-service')
  expect(app.status?.availableReplicas).toBe(1)
  expect(conditionOf(app, 'Ready')?.status).toBe('True')
  expect((await client.get(Service, 'elevenst-service')).spec.ports).toMatchObject([
    { port: 80, targetPort: 'http' },
  ])
  const slices = await client.listAll(EndpointSlice, { namespace: 'default' })
  const own = slices.filter(({ metadata }) => metadata.generateName === 'elevenst-service-')
  expect(own).toMatchObject([
    { ports: [{ port: 8080 }], endpoints: [{ conditions: { ready: true } }] },
  ])
})

test('can be scaled, and reports a broken image in Ready', async () => {
  using host = virtualHost({ seed: 3 })
  await using cluster = await createCluster({ host, operators: [elevenStApp] })
  const { client } = cluster
  await client.create(ElevenStApp, sample)
  await cluster.settle()
  await client.setScale(ElevenStApp, 'elevenst-service', { replicas: 3 })
  await cluster.settle()
  expect((await client.get(Deployment, 'elevenst-service')).status?.readyReplicas).toBe(3)
  cluster.pods.behave('nginx:broken', { exits: { code: 1 } })
  await client.patch(ElevenStApp, 'elevenst-service', {
    merge: { spec: { image: 'nginx:broken' } },
  })
  await host.sleep(30_000)
  const ready = conditionOf(await client.get(ElevenStApp, 'elevenst-service'), 'Ready')
  expect(ready?.status).toBe('False')
  expect(ready?.message).toMatch(/of 3 replicas/)
})
