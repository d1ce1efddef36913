import { testWorld } from '@setpoint/cluster'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import type { Intercept } from '../host/index.ts'
import { ConfigMap } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { createWorld } from './testdata/world.ts'

const Box = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Box',
  spec: z.object({}),
  status: z.looseObject({ hello: z.number().optional() }),
  conditions: ['Ready'],
})

const box = { metadata: { name: 'a' }, spec: {} }

/**
 * Watch events arrive after the response to the write that caused them. Without this delay the
 * cache of a virtual world has a write before the code that wrote it continues.
 */
const lateWatches: Intercept = ({ kind, url = '' }) =>
  kind === 'response-chunk' && url.includes('watch=') ? { delay: '500ms' } : undefined

test.for(['daemon', 'timer'] as const)(
  'repeats ctx.updateStatus of a %s that loses a race with writes of the operator',
  async (what) => {
    const errors: unknown[] = []
    const report = async (ctx: { updateStatus: (status: { hello: number }) => Promise<void> }) => {
      try {
        await ctx.updateStatus({ hello: 1 })
      } catch (error) {
        errors.push(error)
        throw error
      }
    }
    const base = operator(Box)
      .child('map', ConfigMap, () => ({ data: {} }))
      .onCreate(async function welcome() {
        return { said: 'hello' }
      })
      .onDelete(async () => undefined)
    const boxes =
      what === 'daemon'
        ? base.daemon(async (_, ctx) => report(ctx))
        : base.every('30m', async (_, ctx) => report(ctx))
    await using world = await testWorld({
      operators: [boxes],
      workloads: 'off',
      intercept: lateWatches,
    })
    await world.client.create(Box, box)
    await world.host.sleep(5_000)
    expect(errors).toEqual([])
    const { status } = await world.client.get(Box, 'a')
    expect(status).toMatchObject({ hello: 1, welcome: { said: 'hello' } })
    expect(status?.conditions).toMatchObject([{ type: 'Ready', status: 'True' }])
  },
)

test('ctx.updateStatus keeps what another operator of the resource has written', async () => {
  const first = operator(Box, { name: 'first' }).onCreate(async function welcome() {
    return { said: 'hello' }
  })
  const second = operator(Box, { name: 'second' }).every('10s', async (_, ctx) =>
    ctx.updateStatus({ hello: Math.floor(ctx.now() / 60_000) % 2 === 0 ? 1 : undefined }),
  )
  await using world = await createWorld(first, second)
  await world.client.create(Box, box)
  const seen = new Set<number | undefined>()
  for (let minute = 0; minute < 4; minute += 1) {
    await world.host.sleep(60_000)
    const { status } = await world.client.get(Box, 'a')
    expect(status?.['welcome']).toEqual({ said: 'hello' })
    seen.add(status?.hello)
  }
  expect(seen).toEqual(new Set([1, undefined]))
})
