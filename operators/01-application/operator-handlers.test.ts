import { readFile } from 'node:fs/promises'
import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { InferManifest } from 'setpoint'
import { virtualHost } from 'setpoint/host'
import { Deployment, EventsEvent, Service } from 'setpoint/kinds'
import { Application } from './application.ts'
import applications from './operator-handlers.ts'

// Before the test: virtual time continues while a test waits for a real file.
const sample = parse(
  await readFile(new URL('sample.yaml', import.meta.url), 'utf8'),
) as InferManifest<typeof Application>

test('creates a Deployment and a Service from two files, and puts their names into the status', async () => {
  using host = virtualHost({ seed: 5 })
  await using cluster = await createCluster({ host, workloads: 'off', operators: [applications] })
  const { client } = cluster
  const { metadata } = await client.create(Application, sample)
  await cluster.settle()
  expect((await client.get(Application, 'nginx')).status).toMatchObject({
    create: { deployment: 'nginx', service: 'nginx' },
  })
  const ownerReferences = [
    {
      kind: 'Application',
      name: 'nginx',
      uid: metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    },
  ]
  expect(await client.get(Deployment, 'nginx')).toMatchObject({
    metadata: { ownerReferences },
    spec: {
      replicas: 1,
      template: {
        spec: { containers: [{ image: 'ghcr.io/shclub/nginx', ports: [{ containerPort: 80 }] }] },
      },
    },
  })
  expect(await client.get(Service, 'nginx')).toMatchObject({
    metadata: { ownerReferences },
    spec: { ports: [{ name: 'http', port: 80, targetPort: 80 }] },
  })
  const events = await client.listAll(EventsEvent, { namespace: 'default' })
  expect(events).toMatchObject([{ reason: 'Created', regarding: { name: 'nginx' } }])
})
