import { expect, test } from 'vitest'
import { Client, connectionFromKubeconfig } from 'setpoint/client'
import { virtualHost } from 'setpoint/host'
import { ConfigMap, Deployment } from 'setpoint/kinds'
import { createCluster } from './index.ts'

test('a cluster with a data directory continues with its objects, credentials and history', async () => {
  using host = virtualHost({ seed: 'data' })
  const options = { host, data: '/data', port: 6443 }
  const first = await createCluster(options)
  const kubeconfig = first.kubeconfig()
  const made = await first.client.create(ConfigMap, { metadata: { name: 'a' }, data: { k: 'v' } })
  await first.client.create(ConfigMap, { metadata: { name: 'b' } })
  await first.dispose()

  await using second = await createCluster(options)
  // A client of the first process: the authority is the same.
  const client = new Client(host, await connectionFromKubeconfig(host, kubeconfig))
  expect(await client.get(ConfigMap, 'a')).toMatchObject({ data: { k: 'v' } })
  const events = client.watch(ConfigMap, { resourceVersion: made.metadata.resourceVersion })
  for await (const event of events) {
    expect(event).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } })
    break
  }
  await client.create(Deployment, {
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image: 'web' }] },
      },
    },
  })
  await second.settle()
  expect((await client.get(Deployment, 'web')).status?.readyReplicas).toBe(1)
})

test('a data directory that is in use is refused', async () => {
  using host = virtualHost({ seed: 'data' })
  await using _first = await createCluster({ host, data: '/data', workloads: 'off' })
  await expect(createCluster({ host, data: '/data', workloads: 'off' })).rejects.toMatchObject({
    code: 'CLUSTER_DATA_IN_USE',
  })
})
