/** Failing handlers, and their effect on other handlers. */
import { expect, test } from 'vitest'
import * as z from 'zod'
import { LiveNamespaces } from '../cache/index.ts'
import { GiveUpError } from '../controller/index.ts'
import { defineResource } from '../definition/index.ts'
import { ConfigMap, CustomResourceDefinition, Namespace } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { data, notesOf, readyOf, Share, Volume, createWorld } from './testdata/volumes-world.ts'

const circular: Record<string, unknown> = { id: 'a' }
circular['self'] = circular

for (const [what, id, value, message] of [
  ['a BigInt', 'made', { id: 10n }, /made: .*BigInt/],
  ['a circular object', 'made', circular, /made: .*circular/],
  ['a function', 'made', () => 1, /made: its result cannot be stored: it is not JSON/],
  ['a value of another type', 'made', 'text', /status.made: .*must be of type object/],
  ['a value without a required field', 'made', {}, /status.made.id: Required value/],
] as const) {
  test(`fails a handler that returns ${what}, without repeating handlers that succeeded`, async () => {
    const calls: string[] = []
    const volume = operator(Volume)
      .onCreate(async () => void calls.push('other'))
      .onCreate(
        async () => {
          calls.push(id)
          return value as never
        },
        { id, retries: 1, backoff: '1s' },
      )
      .onCreate(async function second() {
        calls.push('second')
        return 'kept'
      })
    await using world = await createWorld(volume)
    await world.client.create(Volume, data)
    await world.host.sleep(600_000)
    expect(calls).toEqual(['other', id, 'second', id])
    expect(await readyOf(world)).toMatch(message)
    expect((await world.client.get(Volume, 'data')).status?.second).toBe('kept')
  })
}

test('fails only the handler whose result the server refuses', async () => {
  const calls: string[] = []
  const shares = operator(Share)
    .onCreate(
      async function made() {
        calls.push('made')
        return 'too long'
      },
      { retries: 1, backoff: '10s' },
    )
    .onCreate(async function second() {
      calls.push('second')
      return 'kept'
    })
    .onUpdate(async () => void calls.push('update'))
  await using world = await createWorld(shares)
  await world.client.create(Share, data)
  await world.host.sleep(5_000)
  expect((await world.client.get(Share, 'data')).status).toEqual({ second: 'kept' })
  await world.client.patch(Share, 'data', { merge: { spec: { size: '2G' } } })
  await world.host.sleep(600_000)
  // The change resets its retries; the update handler runs after the creation.
  expect(calls).toEqual(['made', 'second', 'made', 'made', 'update'])
  expect((await notesOf(world)).join()).toMatch(/made: .*status.made: Too long/)
})

test('keeps a final failure in the Ready condition until its cause changes', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .child('config', ConfigMap, () => ({ data: { a: 'b' } }))
    .onCreate(async function first() {
      calls.push('create')
      throw new GiveUpError('never works')
    })
    .onField(
      'spec.mode',
      async (_, { new: mode }) => {
        calls.push(`mode ${mode}`)
        throw new GiveUpError('no such mode')
      },
      { id: 'mode', new: 'x' },
    )
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  expect(await readyOf(world)).toBe('first: never works')
  await world.client.patch(ConfigMap, 'data', { merge: { metadata: { labels: { a: 'b' } } } })
  await world.client.patch(Volume, 'data', { merge: { metadata: { labels: { a: 'b' } } } })
  await world.host.sleep(5_000)
  expect(await readyOf(world)).toBe('first: never works')
  await world.restart(volume)
  await world.host.sleep(5_000)
  expect(await readyOf(world)).toBe('first: never works')
  await world.client.patch(Volume, 'data', { merge: { spec: { mode: 'x' } } })
  await world.host.sleep(5_000)
  expect(await readyOf(world)).toBe('mode: no such mode')
  await world.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await world.host.sleep(5_000)
  expect(await readyOf(world)).toBe('mode: no such mode')
  // No handler matches this mode, but the failing value is gone.
  await world.client.patch(Volume, 'data', { merge: { spec: { mode: 'y' } } })
  await world.host.sleep(5_000)
  expect(await readyOf(world)).toBe('all children are ready')
  expect(calls).toEqual(['create', 'mode x'])
})

test('keeps the final failure of a resume handler in the Ready condition without a retry', async () => {
  let calls = 0
  const volume = operator(Volume).onResume(async function look() {
    calls += 1
    throw new GiveUpError('never works')
  })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  expect(await readyOf(world)).toBe('reconciled')
  await world.restart(volume)
  await world.client.patch(Volume, 'data', { merge: { metadata: { labels: { a: 'b' } } } })
  await world.host.sleep(600_000)
  expect(await readyOf(world)).toBe('look: never works')
  expect(calls).toBe(1)
})

test('treats a filter that throws as false, without affecting other handlers', async () => {
  const calls: string[] = []
  const broken = (): boolean => {
    throw new Error('broken filter')
  }
  const volume = operator(Volume)
    .onCreate(async () => void calls.push('no'), { filter: broken })
    .onCreate(async () => void calls.push('no'), { field: 'spec.size', value: broken })
    .onUpdate(async () => void calls.push('no'), { field: 'spec.size', new: broken })
    .onCreate(async () => void calls.push('create'))
    .onUpdate(async () => void calls.push('update'))
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  await world.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await world.host.sleep(600_000)
  expect(calls).toEqual(['create', 'update'])
  expect(await readyOf(world)).toBe('reconciled')
  expect(world.host.logged.join()).toContain('the filter of a handler threw')
})

test('if a handler changes its object, calls the other handlers immediately', async () => {
  const calls: unknown[] = []
  const volume = operator(Volume)
    .writes(Volume)
    .onField('spec.size', async (owner, ctx) => {
      await ctx.patch(Volume, owner, { merge: { spec: { text: `for ${ctx.new}` } } })
    })
    .onField('spec.text', async (_, { old, new: now }) => void calls.push([old, now]))
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  await world.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await world.host.sleep(1_000)
  expect(calls).toEqual([[undefined, 'for 2G']])
  await world.host.sleep(600_000)
  expect(calls).toHaveLength(1)
})

test('calls field handlers only for changed fields of an object that is too large to remember', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .onField('spec.size', async (_, { new: now }) => void calls.push(`size ${now}`))
    .onField('spec.mode', async (_, { new: now }) => void calls.push(`mode ${now}`))
    .onField('metadata.labels', async () => void calls.push('labels'))
    .onUpdate(async () => void calls.push('update'))
  await using world = await createWorld(volume)
  const text = 'x'.repeat(200_000)
  await world.client.create(Volume, { ...data, spec: { size: '1G', text } })
  await world.host.sleep(5_000)
  await world.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await world.host.sleep(5_000)
  expect(calls.splice(0)).toEqual(['size 2G', 'update'])
  await world.restart(volume)
  await world.client.patch(Volume, 'data', { merge: { metadata: { labels: { a: 'b' } } } })
  await world.host.sleep(5_000)
  expect(calls.splice(0)).toEqual(['labels', 'update'])
})

test('keeps the results of handlers in a status that is written as a whole', async () => {
  const volume = operator(Volume)
    .onCreate(async function second() {
      return 'returned'
    })
    .reconcile(async ({ spec }, ctx) => {
      await ctx.updateStatus({
        even: 2,
        ...(spec.mode === 'own' ? { second: 'written' } : {}),
      })
    })
    .every('1h', async ({ spec }, ctx) => {
      if (spec.mode === 'timer') await ctx.updateStatus({ even: 4 })
    })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  expect((await world.client.get(Volume, 'data')).status).toMatchObject({
    second: 'returned',
    even: 2,
  })
  await world.client.patch(Volume, 'data', { merge: { spec: { mode: 'timer' } } })
  await world.host.sleep(3_600_000)
  expect((await world.client.get(Volume, 'data')).status).toMatchObject({ second: 'returned' })
  await world.client.patch(Volume, 'data', { merge: { spec: { mode: 'own' } } })
  await world.host.sleep(5_000)
  expect((await world.client.get(Volume, 'data')).status).toMatchObject({
    second: 'written',
    even: 2,
  })
})

test('treats an object with an invalid memory as new, and warns once', async () => {
  let calls = 0
  const volume = operator(Volume)
    .onCreate(async () => void (calls += 1))
    .onUpdate(async function up() {})
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  const handled = { metadata: {} }
  const wrong = [
    { handled, progress: { up: null } },
    { handled, progress: { up: { attempts: 'x' } } },
    { handled, progress: { up: { attempts: 1, nextMs: null } } },
    { handled, target: 5 },
    { handled, failures: 'x' },
  ]
  for (const memory of wrong) {
    const annotations = { 'setpoint.dev/handlers': JSON.stringify(memory) }
    await world.client.patch(Volume, 'data', { merge: { metadata: { annotations } } })
    await world.host.sleep(5_000)
    expect(await readyOf(world)).toBe('reconciled')
  }
  expect(calls).toBe(1 + wrong.length)
  expect(world.host.logged.filter((line) => line.includes('is not readable'))).toHaveLength(1)
})

test('runs daemons and timers only for objects whose field matches', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .every('1m', async () => void calls.push('timer'), { field: 'spec.mode', value: 'on' })
    .daemon(async () => void calls.push('daemon'), { field: 'spec.text' })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  expect(calls).toEqual([])
  await world.client.patch(Volume, 'data', { merge: { spec: { mode: 'on', text: 'a' } } })
  await world.host.sleep(5_000)
  expect(calls.sort()).toEqual(['daemon', 'timer'])
})

test('treats a copy of an object as new, despite the copied annotation', async () => {
  const calls: string[] = []
  const volume = operator(Volume).onCreate(async ({ metadata }) => void calls.push(metadata.name), {
    id: 'greet',
  })
  await using world = await createWorld(volume)
  const { spec } = await world.client.create(Volume, data)
  await world.host.sleep(1_000)
  const { annotations = {} } = (await world.client.get(Volume, 'data')).metadata
  expect(Object.keys(annotations)).toEqual(['setpoint.dev/handlers'])
  await world.client.create(Volume, { metadata: { name: 'copy', annotations }, spec })
  await world.host.sleep(1_000)
  await world.restart(volume)
  await world.host.sleep(1_000)
  expect(calls).toEqual(['data', 'copy'])
})

for (const [what, thrown] of [
  ['undefined', undefined],
  ['an object without toString', Object.create(null) as object],
  ['an error whose message is not text', Object.assign(new Error('x'), { message: { code: 5 } })],
] as const) {
  test(`fails a handler that throws ${what}`, async () => {
    let calls = 0
    const volume = operator(Volume).onCreate(
      async () => {
        calls += 1
        throw thrown as unknown as Error
      },
      { id: 'odd', backoff: '1m' },
    )
    await using world = await createWorld(volume)
    await world.client.create(Volume, data)
    await world.host.sleep(90_000)
    expect(calls).toBe(2)
    expect(await readyOf(world)).toMatch(/^odd: /)
  })
}

test('passes daemons and timers parsed objects with defaults, and no invalid ones', async () => {
  const Strict = defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Volume',
    spec: z.object({ size: z.string().max(3), speed: z.string().default('fast') }),
  })
  const calls: string[] = []
  const volume = operator(Strict)
    .every('10s', async ({ spec }) => void calls.push(`timer ${spec.size} ${spec.speed}`))
    .daemon(async ({ spec }, { signal }) => {
      calls.push(`daemon ${spec.size} ${spec.speed}`)
      await world.host.sleep(3_600_000, signal)
    })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  expect(calls.splice(0).sort()).toEqual(['daemon 1G fast', 'timer 1G fast'])
  await world.client.patch(Volume, 'data', { merge: { spec: { size: 'huge' } } })
  await world.host.sleep(60_000)
  expect(calls).toEqual([])
  await world.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await world.host.sleep(5_000)
  expect(calls.sort()).toEqual(['daemon 2G fast', 'timer 2G fast'])
})

test('resumes objects of a namespace that is added later', async () => {
  const calls: string[] = []
  const namespaces = new LiveNamespaces(['default'])
  const volume = operator(Volume, { namespaces })
    .onResume(async ({ metadata }) => void calls.push(`resume ${metadata.name}`))
    .onCreate(async ({ metadata }) => void calls.push(`create ${metadata.name}`))
  await using world = await createWorld(volume)
  await world.client.create(Namespace, { metadata: { name: 'other' } })
  await world.client.create(Volume, { ...data, metadata: { name: 'old', namespace: 'other' } })
  await world.host.sleep(1_000)
  namespaces.set(['default', 'other'])
  await world.host.sleep(1_000)
  await world.client.create(Volume, { ...data, metadata: { name: 'new', namespace: 'other' } })
  await world.host.sleep(1_000)
  expect(calls).toEqual(['resume old', 'create old', 'create new'])
})

test('treats objects of a kind that is served later as new, not as resumed', async () => {
  const Late = defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Late',
    spec: z.object({ size: z.string() }),
  })
  const calls: string[] = []
  const late = operator(Late)
    .onResume(async () => void calls.push('resume'))
    .onCreate(async () => void calls.push('create'))
  await using world = await createWorld(late)
  await world.host.sleep(20_000)
  await world.client.create(CustomResourceDefinition, Late.crd())
  await world.client.create(Late, data)
  await world.host.sleep(20_000)
  expect(calls).toEqual(['create'])
})
