import { expect, test } from 'vitest'
import { createCluster } from '@setpoint/cluster'
import { connectionFromKubeconfig } from 'setpoint/client'
import { virtualHost } from 'setpoint/host'
import { ConfigMap, Deployment } from 'setpoint/kinds'
import type { DevEvent } from './view.ts'
import { watchObjects } from './watch-shown-objects.ts'

test('shows objects of the core group and of others', async () => {
  const host = virtualHost({ seed: 1 })
  await using cluster = await createCluster({ host, workloads: 'off' })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const operators = [ConfigMap, Deployment].map((kind) => ({
    name: kind.plural,
    kind,
    isApi: false,
    children: [],
    policies: [],
  }))
  const shown: DevEvent[] = []
  await using _ = await watchObjects(operators, { host, connection }, (event) => shown.push(event))
  await cluster.client.create(ConfigMap, { metadata: { name: 'a' } })
  await host.sleep(1_000)
  const object = { kind: 'ConfigMap', key: 'default/a', conditions: [], isTerminating: false }
  expect(shown).toContainEqual({ is: 'object', object })
  host.stop()
})
