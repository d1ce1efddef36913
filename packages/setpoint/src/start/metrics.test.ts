import { Counter as PromCounter, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { defineResource } from '../definition/index.ts'
import { readText } from '../host/index.ts'
import { operator } from '../operator/index.ts'
import { createWorldWith } from './testdata/world.ts'

const Order = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Order',
  spec: z.object({}),
})

test('serves the metrics of the author and of a prom-client registry with its own', async () => {
  const registry = new Registry()
  const sent = new PromCounter({ name: 'mails_total', help: 'Mails.', registers: [registry] })
  const orders = operator(Order)
    .onCreate(async (_, { metrics }) => {
      metrics.counter({ name: 'orders_created_total', help: 'Orders.' }).add({})
      sent.inc()
    })
    .reconcile(async ({ metadata }, { metrics }) => {
      const labels = ['name'] as const
      const runs = metrics.counter({ name: 'orders_seen_total', help: 'Reconciles.', labels })
      runs.add({ name: metadata.name })
    })
  const metrics = { registries: [registry] }
  await using world = await createWorldWith({ probes: { port: 8081 }, metrics }, orders)
  for (const name of ['a', 'b']) {
    await world.client.create(Order, { metadata: { name }, spec: {} })
  }
  await world.host.settle()
  const url = `${world.running.probesUrl ?? ''}/metrics`
  const text = await readText((await world.host.request({ method: 'GET', url })).body, 1_000_000)
  expect(text).toContain('\norders_created_total 2\n')
  expect(text).toMatch(/\norders_seen_total\{name="a"\} [1-9]\n/)
  expect(text).toContain('\nmails_total 2\n')
  expect(text).toContain('\ncontroller_runtime_reconcile_total{')
})
