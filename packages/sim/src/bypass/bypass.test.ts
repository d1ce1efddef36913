import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { ConfigMap } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { always, external, reportText, simulate } from '../index.ts'
import { controlLoop } from '../testdata/control-loop.ts'
import { modelled, reachAround } from '../testdata/reaching-around.ts'
import '../vitest.ts'

const Shop = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({}),
})
const common = { resource: Shop, samples: { metadata: { name: 'oak' }, spec: {} }, inert: ['spec'] }
const only = { step: 0, faults: [{ type: 'crash-after', write: 1 }] } as const

const dns = external({
  name: 'dns',
  origin: modelled,
  initial: {},
  handle: () => ({ status: 200, body: { records: [] } }),
  resources: () => ({}),
})

const reaching = operator(Shop)
  .writes(ConfigMap)
  .reconcile(async ({ metadata: { name } }, { client }) => reachAround(name, client))

/** Simulates the operator, and keeps what it wrote in all runs. */
async function simulateReaching() {
  const written = new Set<string>()
  const seen = always('the program may write anything', (view) => {
    const own = view.list(ConfigMap).find(({ metadata }) => metadata.name === 'oak')
    if (own !== undefined) written.add(JSON.stringify(own.data))
    return true
  })
  const options = { ...common, externals: [dns], invariants: [seen], budget: '1ms' } as const
  const report = await simulate([reaching], options)
  return { report, written: [...written] }
}

test('an operator that reaches around the host writes the same in each simulation', async () => {
  const one = await simulateReaching()
  expect(await simulateReaching()).toEqual(one)
  const [first] = one.written
  const data = JSON.parse(first ?? '{}') as Record<string, string>
  expect(data).toMatchObject({
    now: expect.stringContaining('2030-01-01T00:') as string,
    waited: '180001',
    answer: '{"records":[]}',
    refused: expect.stringContaining('http://unknown.example, which has no model') as string,
    connection: expect.stringContaining('opens a connection of its own') as string,
  })
})

test('each place that reaches around the host is named, with what to use instead', async () => {
  const { report } = await simulateReaching()
  expect(report.bypasses.map(({ what, line }) => `${line} ${what}`)).toEqual([
    'testdata/reaching-around.ts:14 Date.now',
    'testdata/reaching-around.ts:14 new Date',
    'testdata/reaching-around.ts:14 performance.now',
    'testdata/reaching-around.ts:15 crypto.getRandomValues',
    'testdata/reaching-around.ts:15 crypto.randomUUID',
    'testdata/reaching-around.ts:15 Math.random',
    'testdata/reaching-around.ts:26 Date.now',
    'testdata/reaching-around.ts:27 setTimeout',
    'testdata/reaching-around.ts:28 setTimeout',
    'testdata/reaching-around.ts:30 setInterval',
    'testdata/reaching-around.ts:35 setImmediate',
    'testdata/reaching-around.ts:36 Date.now',
    'testdata/reaching-around.ts:41 fetch',
    'testdata/reaching-around.ts:50 a connection',
  ])
  const text = reportText(report)
  expect(text).toContain('the code reaches around the host:')
  expect(text).toContain('reaching-around.ts:14: Date.now: use now() of the context')
  expect(() => expect(report).toHaveNoBypasses()).toThrow('reaching-around.ts:14')
})

test('code outside of the simulated processes keeps the real process', async () => {
  const globals = () => [Date, Date.now, setTimeout, fetch, Math.random, crypto.randomUUID]
  const [before, beginMs] = [globals(), Date.now()]
  const times: number[] = []
  const children = operator(Shop).child('config', ConfigMap, () => ({ data: {} }))
  const report = await simulate([children], {
    ...common,
    only,
    onProgress: () => times.push(Date.now()),
  })
  const [timeMs = 0] = times
  expect(timeMs - beginMs).toBeLessThan(600_000)
  expect(report).toHaveNoBypasses()
  expect(globals()).toEqual(before)
})

test('a timer that throws ends its process, and the program starts again', async () => {
  const program = controlLoop(Shop, async ({ metadata: { name } }, client) => {
    if ((await client.find(ConfigMap, name)) !== undefined) return
    await client.create(ConfigMap, { metadata: { name } })
    setTimeout(() => {
      throw new RangeError('too late')
    }, 1000)
  })
  const { findings } = await simulate(program, { ...common, budget: '1ms' })
  expect(findings.find(({ oracle }) => oracle === 'O15')?.details).toContain(
    'the process failed: RangeError: too late',
  )
})
