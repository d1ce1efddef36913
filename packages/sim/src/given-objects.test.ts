import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { ConfigMap } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { simulate, type Step } from './index.ts'
import './vitest.ts'

const Shop = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({ title: z.string() }),
})

const shop = { metadata: { name: 'oak' }, spec: { title: 'Oak' } }
const samples = [
  shop,
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shared' } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'old' } },
]

test('a program may change an object that exists before, by names with a uid', async () => {
  const entry = (uid: string, value: string | null) => ({
    merge: { metadata: { annotations: { [`example.com/${uid}`]: value } } },
  })
  const program = operator(Shop)
    .writes(ConfigMap)
    .reconcile(async ({ metadata: { uid }, spec: { title } }, { client }) => {
      const { metadata } = await client.get(ConfigMap, 'shared')
      if (metadata.annotations?.[`example.com/${uid}`] === title) return
      await client.patch(ConfigMap, 'shared', entry(uid, title))
    })
    .onDelete(async ({ metadata: { uid } }, { client }) => {
      await client.patch(ConfigMap, 'shared', entry(uid, null))
    })
  expect(await simulate(program, { samples, plansMax: 30 })).toHaveNoFindings()
})

test('a write that a paused leader repeats has no effect', async () => {
  const program = operator(Shop)
    .writes(ConfigMap)
    .reconcile(async (_, { client, now }) => {
      const annotations = { 'example.com/deleted-at': String(now()) }
      await client.patch(ConfigMap, 'shared', { merge: { metadata: { annotations } } })
      await client.delete(ConfigMap, 'old')
    })
  const only = { step: 0, faults: [{ type: 'pause', write: 2, forMs: 60_000 }] } as const
  const scenario: readonly Step[] = [{ do: 'create', name: 'create oak', object: shop }]
  expect(await simulate(program, { samples, scenario, only })).toHaveNoFindings()
})
