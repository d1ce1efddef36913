import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { connectionFromKubeconfig } from '../client/index.ts'
import { defineResource } from '../definition/index.ts'
import { readText, virtualHost } from '../host/index.ts'
import { ConfigMap, CustomResourceDefinition } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { start } from './index.ts'

const Note = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Note',
  spec: z.object({ text: z.string() }),
})

/** They decide which cache notices it first, and which one is listed first. */
const seeds = [1, 4, 5]

test.each(seeds)(
  'continues after the cluster was restored from a backup (seed %i)',
  async (seed) => {
    const host = virtualHost({ seed })
    const options = { host, auth: 'off', tls: 'off', workloads: 'off' } as const
    const first = await createCluster(options)
    await first.client.create(CustomResourceDefinition, Note.crd())
    const notes = operator(Note).child('text', ConfigMap, ({ spec: { text } }) => ({
      data: { text },
    }))
    const connection = await connectionFromKubeconfig(host, first.kubeconfig())
    await using running = await start([notes], { host, connection, probes: {} })
    const { client } = first
    await client.create(Note, { metadata: { name: 'kept' }, spec: { text: 'old' } })
    await host.settle()
    const backup = first.snapshot()
    for (let count = 0; count < 20; count += 1) {
      const text = `new ${count}`
      await client.patch(Note, 'kept', { merge: { spec: { text } } })
      await client.create(Note, { metadata: { name: `lost-${count}` }, spec: { text } })
    }
    await host.settle()
    await first[Symbol.asyncDispose]()

    const restored = await createCluster({ ...options, port: first.port, snapshot: backup })
    await host.sleep(45_000)
    await restored.client.patch(Note, 'kept', { merge: { spec: { text: 'after' } } })
    await restored.client.create(Note, { metadata: { name: 'added' }, spec: { text: 'too' } })
    await host.sleep(1_000)
    const children = await restored.client.listAll(ConfigMap, { namespace: 'default' })
    const texts = children.map(({ metadata, data }) => `${metadata.name}: ${data?.['text']}`)
    expect(texts.sort()).toEqual(['added: too', 'kept: after'])
    expect(host.logged.join('\n')).toContain('API_HISTORY_RESET')
    const { status, body } = await host.request({
      method: 'GET',
      url: `${running.probesUrl}/readyz`,
    })
    expect([status, await readText(body, 10_000)]).toEqual([200, 'ok'])
    await running.stop()
    await restored[Symbol.asyncDispose]()
    host.stop()
  },
)
