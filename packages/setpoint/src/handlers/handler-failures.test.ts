/** What becomes of handlers, and of those beside them, when something about them is wrong. */
import { expect, test } from 'vitest'
import * as z from 'zod'
import { LiveNamespaces } from '../cache/index.ts'
import { GiveUpError } from '../controller/index.ts'
import { defineResource } from '../definition/index.ts'
import { ConfigMap, CustomResourceDefinition, Namespace } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { data, notesOf, readyOf, Share, Volume, world } from './testdata/volumes-world.ts'

const circular: Record<string, unknown> = { id: 'a' }
circular['self'] = circular

for (const [what, id, value, message] of [
  ['a BigInt', 'made', { id: 10n }, /made: .*BigInt/],
  ['a circle', 'made', circular, /made: .*circular/],
  ['a function', 'made', () => 1, /made: its result cannot be kept: it is no JSON/],
  ['a value of another type', 'made', 'text', /status.made: .*must be of type object/],
  ['a value without a required field', 'made', {}, /status.made.id: Required value/],
] as const) {
  test(`a handler that returns ${what} has failed, and those that succeeded are not called again`, async () => {
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
    await using it = await world(volume)
    await it.client.create(Volume, data)
    await it.host.sleep(600_000)
    expect(calls).toEqual(['other', id, 'second', id])
    expect(await readyOf(it)).toMatch(message)
    expect((await it.client.get(Volume, 'data')).status?.second).toBe('kept')
  })
}

test('a result that the server refuses is a failure of its handler alone', async () => {
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
  await using it = await world(shares)
  await it.client.create(Share, data)
  await it.host.sleep(5_000)
  expect((await it.client.get(Share, 'data')).status).toEqual({ second: 'kept' })
  await it.client.patch(Share, 'data', { merge: { spec: { size: '2G' } } })
  await it.host.sleep(600_000)
  // The change gives it all its retries anew, and is told after the creation.
  expect(calls).toEqual(['made', 'second', 'made', 'made', 'update'])
  expect((await notesOf(it)).join()).toMatch(/made: .*status.made: Too long/)
})

test('what was given up on stays in the Ready condition until what it is about changes', async () => {
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
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  expect(await readyOf(it)).toBe('first: never works')
  await it.client.patch(ConfigMap, 'data', { merge: { metadata: { labels: { a: 'b' } } } })
  await it.client.patch(Volume, 'data', { merge: { metadata: { labels: { a: 'b' } } } })
  await it.host.sleep(5_000)
  expect(await readyOf(it)).toBe('first: never works')
  await it.restart(volume)
  await it.host.sleep(5_000)
  expect(await readyOf(it)).toBe('first: never works')
  await it.client.patch(Volume, 'data', { merge: { spec: { mode: 'x' } } })
  await it.host.sleep(5_000)
  expect(await readyOf(it)).toBe('mode: no such mode')
  await it.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await it.host.sleep(5_000)
  expect(await readyOf(it)).toBe('mode: no such mode')
  // Nobody is called for this mode, but the one that was wrong is gone.
  await it.client.patch(Volume, 'data', { merge: { spec: { mode: 'y' } } })
  await it.host.sleep(5_000)
  expect(await readyOf(it)).toBe('all children are ready')
  expect(calls).toEqual(['create', 'mode x'])
})

test('a resumption that was given up on stays in the Ready condition, and is not tried again', async () => {
  let calls = 0
  const volume = operator(Volume).onResume(async function look() {
    calls += 1
    throw new GiveUpError('never works')
  })
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  expect(await readyOf(it)).toBe('reconciled')
  await it.restart(volume)
  await it.client.patch(Volume, 'data', { merge: { metadata: { labels: { a: 'b' } } } })
  await it.host.sleep(600_000)
  expect(await readyOf(it)).toBe('look: never works')
  expect(calls).toBe(1)
})

test('a filter that throws counts as false, and holds nobody else back', async () => {
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
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  await it.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await it.host.sleep(600_000)
  expect(calls).toEqual(['create', 'update'])
  expect(await readyOf(it)).toBe('reconciled')
  expect(it.host.logged.join()).toContain('the filter of a handler failed')
})

test('what a handler changes in its own object is told to the others at once', async () => {
  const calls: unknown[] = []
  const volume = operator(Volume)
    .writes(Volume)
    .onField('spec.size', async (owner, ctx) => {
      await ctx.patch(Volume, owner, { merge: { spec: { text: `for ${ctx.new}` } } })
    })
    .onField('spec.text', async (_, { old, new: now }) => void calls.push([old, now]))
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  await it.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await it.host.sleep(1_000)
  expect(calls).toEqual([[undefined, 'for 2G']])
  await it.host.sleep(600_000)
  expect(calls).toHaveLength(1)
})

test('of an object that is too large only the fields that changed are told', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .onField('spec.size', async (_, { new: now }) => void calls.push(`size ${now}`))
    .onField('spec.mode', async (_, { new: now }) => void calls.push(`mode ${now}`))
    .onField('metadata.labels', async () => void calls.push('labels'))
    .onUpdate(async () => void calls.push('update'))
  await using it = await world(volume)
  const text = 'x'.repeat(200_000)
  await it.client.create(Volume, { ...data, spec: { size: '1G', text } })
  await it.host.sleep(5_000)
  await it.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await it.host.sleep(5_000)
  expect(calls.splice(0)).toEqual(['size 2G', 'update'])
  await it.restart(volume)
  await it.client.patch(Volume, 'data', { merge: { metadata: { labels: { a: 'b' } } } })
  await it.host.sleep(5_000)
  expect(calls.splice(0)).toEqual(['labels', 'update'])
})

test('a status that is written whole keeps what handlers returned, unless it says otherwise', async () => {
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
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  expect((await it.client.get(Volume, 'data')).status).toMatchObject({
    second: 'returned',
    even: 2,
  })
  await it.client.patch(Volume, 'data', { merge: { spec: { mode: 'timer' } } })
  await it.host.sleep(3_600_000)
  expect((await it.client.get(Volume, 'data')).status).toMatchObject({ second: 'returned' })
  await it.client.patch(Volume, 'data', { merge: { spec: { mode: 'own' } } })
  await it.host.sleep(5_000)
  expect((await it.client.get(Volume, 'data')).status).toMatchObject({ second: 'written', even: 2 })
})

test('a memory that somebody else wrote is none: the object is new, and this is said once', async () => {
  let calls = 0
  const volume = operator(Volume)
    .onCreate(async () => void (calls += 1))
    .onUpdate(async function up() {})
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
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
    await it.client.patch(Volume, 'data', { merge: { metadata: { annotations } } })
    await it.host.sleep(5_000)
    expect(await readyOf(it)).toBe('reconciled')
  }
  expect(calls).toBe(1 + wrong.length)
  expect(it.host.logged.filter((line) => line.includes('was changed by others'))).toHaveLength(1)
})

test('daemons and timers are for the objects whose field is what they want', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .every('1m', async () => void calls.push('timer'), { field: 'spec.mode', value: 'on' })
    .daemon(async () => void calls.push('daemon'), { field: 'spec.text' })
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  expect(calls).toEqual([])
  await it.client.patch(Volume, 'data', { merge: { spec: { mode: 'on', text: 'a' } } })
  await it.host.sleep(5_000)
  expect(calls.sort()).toEqual(['daemon', 'timer'])
})

test('a copy of an object has been through nothing, whatever is noted on it', async () => {
  const calls: string[] = []
  const volume = operator(Volume).onCreate(async ({ metadata }) => void calls.push(metadata.name), {
    id: 'greet',
  })
  await using it = await world(volume)
  const { spec } = await it.client.create(Volume, data)
  await it.host.sleep(1_000)
  const { annotations = {} } = (await it.client.get(Volume, 'data')).metadata
  expect(Object.keys(annotations)).toEqual(['setpoint.dev/handlers'])
  await it.client.create(Volume, { metadata: { name: 'copy', annotations }, spec })
  await it.host.sleep(1_000)
  await it.restart(volume)
  await it.host.sleep(1_000)
  expect(calls).toEqual(['data', 'copy'])
})

for (const [what, thrown] of [
  ['nothing at all', undefined],
  ['an object that no text can be made of', Object.create(null) as object],
  ['an error whose message is no text', Object.assign(new Error('x'), { message: { code: 5 } })],
] as const) {
  test(`a handler that throws ${what} has failed like any other`, async () => {
    let calls = 0
    const volume = operator(Volume).onCreate(
      async () => {
        calls += 1
        throw thrown as unknown as Error
      },
      { id: 'odd', backoff: '1m' },
    )
    await using it = await world(volume)
    await it.client.create(Volume, data)
    await it.host.sleep(90_000)
    expect(calls).toBe(2)
    expect(await readyOf(it)).toMatch(/^odd: /)
  })
}

test('daemons and timers get objects as their definition reads them, and none that does not fit it', async () => {
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
      await it.host.sleep(3_600_000, signal)
    })
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  expect(calls.splice(0).sort()).toEqual(['daemon 1G fast', 'timer 1G fast'])
  await it.client.patch(Volume, 'data', { merge: { spec: { size: 'huge' } } })
  await it.host.sleep(60_000)
  expect(calls).toEqual([])
  await it.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await it.host.sleep(5_000)
  expect(calls.sort()).toEqual(['daemon 2G fast', 'timer 2G fast'])
})

test('what existed in a namespace that is added later is resumed', async () => {
  const calls: string[] = []
  const namespaces = new LiveNamespaces(['default'])
  const volume = operator(Volume, { namespaces })
    .onResume(async ({ metadata }) => void calls.push(`resume ${metadata.name}`))
    .onCreate(async ({ metadata }) => void calls.push(`create ${metadata.name}`))
  await using it = await world(volume)
  await it.client.create(Namespace, { metadata: { name: 'other' } })
  await it.client.create(Volume, { ...data, metadata: { name: 'old', namespace: 'other' } })
  await it.host.sleep(1_000)
  namespaces.set(['default', 'other'])
  await it.host.sleep(1_000)
  await it.client.create(Volume, { ...data, metadata: { name: 'new', namespace: 'other' } })
  await it.host.sleep(1_000)
  expect(calls).toEqual(['resume old', 'create old', 'create new'])
})

test('what exists of a kind that appears late is new, and not resumed', async () => {
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
  await using it = await world(late)
  await it.host.sleep(20_000)
  await it.client.create(CustomResourceDefinition, Late.crd())
  await it.client.create(Late, data)
  await it.host.sleep(20_000)
  expect(calls).toEqual(['create'])
})
