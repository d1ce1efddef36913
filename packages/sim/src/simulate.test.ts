import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { ConfigMap, Secret } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { simulate } from './index.ts'
import { controlLoop } from './testdata/control-loop.ts'

const Shop = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({ size: z.int32().min(0).max(9).default(1), cache: z.boolean().default(false) }),
})

const sample = { metadata: { name: 'oak' }, spec: {} }
const owner = (shop: { readonly metadata: { readonly name: string; readonly uid: string } }) => ({
  ownerReferences: [
    {
      apiVersion: 'example.com/v1',
      kind: 'Shop',
      name: shop.metadata.name,
      uid: shop.metadata.uid,
      controller: true,
    },
  ],
})

test('an operator with children has no findings', async () => {
  const children = operator(Shop)
    .child('config', ConfigMap, ({ spec }) => ({ data: { size: String(spec.size) } }))
    .child('cache', ConfigMap, ({ spec, metadata }) =>
      spec.cache ? { metadata: { name: `${metadata.name}-cache` }, data: {} } : null,
    )
  const report = await simulate([children], { sample })
  expect(report.findings.map(({ story }) => story)).toEqual([])
  expect(report.coverage.triedPlans).toBe(report.coverage.plans)
})

test('finds a crash between two objects of which only the first is checked', async () => {
  const program = controlLoop(Shop, async (shop, client) => {
    const name = `${shop.metadata.name}-tls`
    if ((await client.find(Secret, name)) !== undefined) return
    await client.create(Secret, { metadata: { name, ...owner(shop) } })
    await client.create(Secret, { metadata: { name: `${name}-ca`, ...owner(shop) } })
  })
  const report = await simulate(program, { resource: Shop, sample })
  expect(report.findings[0]).toMatchObject({ oracle: 'O2' })
})

test('finds what is left when a switch is turned off', async () => {
  const program = controlLoop(Shop, async (shop, client) => {
    const name = `${shop.metadata.name}-cache`
    if (!shop.spec.cache || (await client.find(ConfigMap, name)) !== undefined) return
    await client.create(ConfigMap, { metadata: { name, ...owner(shop) } })
  })
  const report = await simulate(program, { resource: Shop, sample })
  expect(report.findings[0]).toMatchObject({ oracle: 'O13' })
})
