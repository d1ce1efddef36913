import { readFile } from 'node:fs/promises'
import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type InferManifest, start } from 'setpoint'
import { connectionFromKubeconfig } from 'setpoint/client'
import { virtualHost } from 'setpoint/host'
import { CustomResourceDefinition, Deployment, Service } from 'setpoint/kinds'
import { Application } from './application.ts'
import application from './operator.ts'

test('the sample becomes a Deployment and a Service, and they stay as they should be', async () => {
  using host = virtualHost({ seed: 7 })
  await using cluster = await createCluster({ host })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  await using running = await start([application], { host, connection })
  const { client } = running
  await client.create(CustomResourceDefinition, Application.crd())
  const sample = await readFile(new URL('sample.yaml', import.meta.url), 'utf8')
  const { metadata, spec } = await client.create(
    Application,
    parse(sample) as InferManifest<typeof Application>,
  )
  await host.sleep(60_000)
  const { name } = metadata
  expect((await client.get(Deployment, name)).spec.replicas).toBe(spec.replicas)
  expect((await client.get(Service, name)).spec.ports).toMatchObject([{ port: spec.port }])
  expect((await client.get(Application, name)).status).toMatchObject({
    url: `http://${name}.default.svc:${spec.port}`,
    conditions: [{ type: 'Ready', status: 'True' }],
  })
  await client.setScale(Deployment, name, { replicas: 0 })
  await host.sleep(60_000)
  expect((await client.get(Deployment, name)).spec.replicas).toBe(spec.replicas)
})
