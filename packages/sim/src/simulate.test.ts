import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { ConfigMap, Secret } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { reportText, simulate } from './index.ts'
import './vitest.ts'
import { controlLoop } from './testdata/control-loop.ts'

const Shop = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({ size: z.int32().min(0).max(9).default(1), cache: z.boolean().default(false) }),
})

const sample = { metadata: { name: 'oak' }, spec: {} }
/** The programs below leave some fields of the spec out. */
const inert = ['spec']

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
  const report = await simulate([children], { samples: sample })
  expect(report).toHaveNoFindings()
  expect(report.coverage.triedPlans).toBe(report.coverage.plans)
})

test('finds a crash between two objects of which only the first is checked', async () => {
  const program = controlLoop(Shop, async (shop, client) => {
    const name = `${shop.metadata.name}-tls`
    if ((await client.find(Secret, name)) !== undefined) return
    await client.create(Secret, { metadata: { name, ...owner(shop) } })
    await client.create(Secret, { metadata: { name: `${name}-ca`, ...owner(shop) } })
  })
  const report = await simulate(program, { resource: Shop, samples: sample, inert })
  expect(report.findings[0]).toMatchObject({
    oracle: 'O2',
    plan: { step: 0, faults: [{ type: 'crash-after', write: 1 }] },
    details: ['/secrets default/oak-tls-ca is missing'],
  })
  expect(report.findings[0]?.story).toContain('the process crashes after its write 1')
  expect(await simulate(program, { resource: Shop, samples: sample, inert })).toEqual(report)
})

test('finds what is left when a switch is turned off', async () => {
  const program = controlLoop(Shop, async (shop, client) => {
    const name = `${shop.metadata.name}-cache`
    if (!shop.spec.cache || (await client.find(ConfigMap, name)) !== undefined) return
    await client.create(ConfigMap, { metadata: { name, ...owner(shop) } })
  })
  const report = await simulate(program, { resource: Shop, samples: sample, inert })
  expect(report.findings[0]).toMatchObject({
    oracle: 'O13',
    steps: ['set spec.cache back'],
    plan: { faults: [] },
    details: ['/configmaps default/oak-cache is extra'],
  })
})

test('finds objects that are left, and a finalizer that is never removed', async () => {
  const leaking = operator(Shop)
    .writes(ConfigMap)
    .reconcile(async (shop, { client }) => {
      const name = `${shop.metadata.name}-left`
      if ((await client.find(ConfigMap, name)) === undefined) {
        await client.create(ConfigMap, { metadata: { name } })
      }
    })
  const stuck = operator(Shop).onDelete(async () => Promise.reject(new Error('never')))
  const oracles = async (program: typeof leaking | typeof stuck) => {
    const { findings } = await simulate([program], { samples: sample, inert, budget: '1ms' })
    return [...new Set(findings.map(({ oracle }) => oracle))]
  }
  expect(await oracles(leaking)).toEqual(['O5'])
  expect(await oracles(stuck)).toContain('O10')
})

test('finds a program that never stops writing, and one that fails on a valid object', async () => {
  const busy = operator(Shop)
    .writes(ConfigMap)
    .reconcile(async (shop, ctx) => {
      const data = { at: String(ctx.now()) }
      await ctx.apply(ConfigMap, { metadata: { name: `${shop.metadata.name}-busy` }, data })
      return { recheckAfter: '10s' }
    })
  const failing = operator(Shop).child('config', ConfigMap, ({ spec }) => ({
    data: { size: 'x'.repeat(spec.size - 1) },
  }))
  const run = async (program: typeof busy | typeof failing) =>
    (await simulate([program], { samples: sample, inert, budget: '1ms' })).findings
  expect((await run(busy)).map(({ oracle }) => oracle)).toContain('O7')
  const [first] = await run(failing)
  expect(first).toMatchObject({ oracle: 'O15', steps: ['set spec.size to 0'] })
  expect(first?.details[0]).toContain('RangeError')
})

test('tries no plan when the time is over, and says so', async () => {
  const children = operator(Shop).child('config', ConfigMap, () => ({ data: {} }))
  const report = await simulate([children], { samples: sample, inert, budget: '1ms' })
  expect(report.coverage.triedPlans).toBeLessThan(report.coverage.plans)
  expect(reportText(report)).toContain('were not tried: the time was over')
})

test('tries a few faults of each kind, whatever the machine, and says what is left', async () => {
  const children = operator(Shop).child('config', ConfigMap, () => ({ data: {} }))
  const { coverage, ...report } = await simulate(children, { samples: sample, inert, plansMax: 9 })
  expect(coverage).toMatchObject({ triedPlans: 9, stop: 'plansMax' })
  expect(Object.values(coverage.faults).filter(({ tried }) => tried === 1)).toHaveLength(9)
  expect(reportText({ coverage, ...report })).toContain('were not tried: plansMax is smaller')
})

test('after a save, tries faults in a short workload after the time for the rest', async () => {
  const children = operator(Shop).child('config', ConfigMap, ({ spec }) => ({
    data: { size: String(spec.size), cache: String(spec.cache) },
  }))
  const report = await simulate(children, { samples: sample, tier: 'watch', plansMax: 1 })
  expect(report.coverage).toMatchObject({ steps: 6, fields: 2, triedPlans: 1 })
  expect(report.findings).toEqual([])
})

test('names what is not simulated', async () => {
  const checked = operator(Shop).validate(() => ['never'])
  const { notes } = await simulate([checked], { samples: sample, inert, budget: '1ms' })
  expect(notes).toEqual(['shops.example.com: its .validate, .mutate and .policy were not in force'])
})

test('serves only the own version of a definition, and says so', async () => {
  const Versioned = defineResource({
    group: 'example.com',
    version: 'v2',
    kind: 'Versioned',
    spec: z.object({ count: z.int32() }),
    versions: {
      v1: {
        spec: z.object({ size: z.int32() }),
        up: ({ spec }) => ({ spec: { count: spec.size } }),
        down: ({ spec }) => ({ spec: { size: spec.count } }),
      },
    },
  })
  const children = operator(Versioned).child('config', ConfigMap, ({ spec }) => ({
    data: { count: String(spec.count) },
  }))
  const samples = { metadata: { name: 'oak' }, spec: { count: 1 } }
  const report = await simulate(children, { samples, tier: 'watch' })
  expect(report).toHaveNoFindings()
  expect(report.notes).toEqual(['Versioned: only v2 was served, not v1'])
})

test('a program without a resource is refused', async () => {
  const program = controlLoop(Shop, async () => undefined)
  await expect(simulate(program, { samples: sample })).rejects.toThrow('needs the option resource')
})
