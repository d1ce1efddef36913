import { testWorld, type TestWorld } from '@setpoint/cluster'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { GiveUpError, RetryLaterError } from '../controller/index.ts'
import { defineResource } from '../definition/index.ts'
import { ConfigMap, CustomResourceDefinition, EventsEvent } from '../kinds/index.ts'
import { type AnyOperator, operator, when } from '../operator/index.ts'
import { absent, present } from './index.ts'

const result = z.record(z.string(), z.string()).optional()

const Volume = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Volume',
  spec: z.object({ size: z.string(), mode: z.string().default('rw'), text: z.string().optional() }),
  status: z.object({ createFn: result, second: result, url: z.string().optional() }),
  conditions: ['Ready'],
})

/** Starts operators on an API server that has the definition. */
async function createWorld(...operators: AnyOperator[]): Promise<TestWorld> {
  const world = await testWorld({ operators: [], seed: 5, workloads: 'off' })
  await world.client.create(CustomResourceDefinition, Volume.crd())
  await world.restart(...operators)
  return world
}

const data = { metadata: { name: 'data' }, spec: { size: '1G' } }
const memoryName = 'setpoint.dev/handlers'

async function memoryOf({ client }: TestWorld): Promise<Record<string, unknown>> {
  const { metadata } = await client.get(Volume, 'data')
  const text = metadata.annotations?.[memoryName] ?? '{}'
  const { uid = metadata.uid, ...memory } = JSON.parse(text) as Record<string, unknown>
  expect(uid).toBe(metadata.uid)
  return memory
}

async function readyOf({ client }: TestWorld) {
  return (await client.get(Volume, 'data')).status?.conditions?.[0]
}

test('calls create handlers once, with one write and another one for the result', async () => {
  const calls: string[] = []
  const volume = operator(Volume, { name: 'other' })
    .owns(ConfigMap)
    .onCreate(async function createFn({ metadata }, ctx) {
      const { name } = (await ctx.apply(ConfigMap, { data: { of: metadata.name } })).metadata
      calls.push(`${metadata.name} ${ctx.attempt}`)
      return { name }
    })
    .onCreate(async () => void calls.push('anonymous'))
  // With two operators on a kind no Ready condition is derived: all writes come from the handlers.
  const idle = operator(Volume, { name: 'idle' })
  await using world = await createWorld(volume, idle)
  await world.client.create(Volume, data)
  world.writes()
  await world.host.settle()
  expect(calls).toEqual(['data 1', 'anonymous'])
  expect(world.writes().filter((write) => !write.includes('configmaps'))).toEqual([
    'patch volumes/data/status',
    'patch volumes/data',
  ])
  expect((await world.client.get(Volume, 'data')).status).toEqual({ createFn: { name: 'data' } })
  await world.host.sleep(3_600_000)
  await world.restart(volume, idle)
  await world.host.sleep(3_600_000)
  expect(calls).toHaveLength(2)
  // One reconcile in each process: no own write caused another one.
  expect(world.reports.filter(({ controller }) => controller === 'other')).toHaveLength(2)
  expect(world.writes().filter((write) => write.includes('volumes'))).toEqual([])
})

test('calls update handlers once with the diff, and not when only status or server metadata changed', async () => {
  const calls: unknown[] = []
  const volume = operator(Volume)
    .onUpdate(async ({ spec }, { old, new: now, diff }) => {
      calls.push({ size: spec.size, from: old?.spec.size, to: now.spec.size, diff })
    })
    .onField('metadata.labels', async (_, { old, new: now, diff }) => {
      calls.push({ labels: [old, now, diff] })
    })
    .onField('spec.size', async (_, { old, new: now }) => void calls.push([old, now]))
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.settle()
  expect(calls).toEqual([])
  world.writes()
  await world.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await world.host.settle()
  const change = { op: 'change', path: ['spec', 'size'], old: '1G', new: '2G' }
  expect(calls.splice(0)).toEqual([
    { size: '2G', from: '1G', to: '2G', diff: [change] },
    ['1G', '2G'],
  ])
  // The handler memory, and the status with the new generation.
  expect(world.writes()).toEqual(['patch volumes/data', 'patch volumes/data/status'])
  await world.client.patch(Volume, 'data', { merge: { metadata: { labels: { a: '1' } } } })
  await world.host.settle()
  expect(calls.splice(0)).toMatchObject([
    { size: '2G' },
    { labels: [undefined, { a: '1' }, [{ op: 'add', path: ['a'], new: '1' }]] },
  ])
  world.writes()
  await world.client.patch(Volume, 'data', {
    subresource: 'status',
    merge: { status: { url: 'x' } },
  })
  await world.client.patch(Volume, 'data', { merge: { metadata: { finalizers: ['a.b/c'] } } })
  await world.host.sleep(3_600_000)
  expect(calls).toEqual([])
  expect(world.writes().filter((write) => !write.endsWith('status'))).toEqual([])
})

test('takes a field path as a list when a name contains dots', async () => {
  const calls: unknown[] = []
  const label = ['metadata', 'labels', 'example.com/tier'] as const
  const volume = operator(Volume)
    .onField(label, async (_, { old, new: now }) => void calls.push([old, now]))
    .onUpdate(async () => void calls.push('front'), { field: label, new: 'front' })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  const set = async (tier: string): Promise<void> => {
    const labels = { 'example.com/tier': tier, [`example.com/${tier}`]: 'x' }
    await world.client.patch(Volume, 'data', { merge: { metadata: { labels } } })
    await world.host.settle()
  }
  await world.host.settle()
  await set('back')
  await set('front')
  expect(calls).toEqual([[undefined, 'back'], ['back', 'front'], 'front'])
})

test('reports changes that were made while stopped as one change', async () => {
  const calls: unknown[] = []
  const volume = operator(Volume).onField(
    'spec.size',
    async (_, { old, new: now }) => void calls.push([old, now]),
  )
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.settle()
  await world.stop()
  for (const size of ['2G', '3G', '4G']) {
    await world.client.patch(Volume, 'data', { merge: { spec: { size } } })
  }
  await world.restart(volume)
  await world.host.settle()
  expect(calls).toEqual([['1G', '4G']])
})

test('retries a failing handler after a minute, shows its failure and runs the others', async () => {
  const calls: string[] = []
  let isBroken = true
  const volume = operator(Volume)
    .onCreate(async (_, { attempt }) => {
      calls.push(`broken ${attempt}`)
      if (isBroken) throw new Error('the disk is full')
    })
    .onCreate(async () => void calls.push('fine'))
    .reconcile(async () => void calls.push('reconcile'))
    .status(() => ({ url: 'x', conditions: { Ready: when(true, 'Fine', 'all is well') } }))
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.settle()
  expect(calls.splice(0)).toEqual(['broken 1', 'fine', 'reconcile'])
  expect(world.reports.at(-1)?.result).toBe('recheck')
  expect(await readyOf(world)).toMatchObject({
    status: 'False',
    reason: 'ReconcileFailed',
    message: 'create: the disk is full',
  })
  expect((await world.client.get(Volume, 'data')).status?.url).toBe('x')
  expect(await world.client.listAll(EventsEvent, { namespace: 'default' })).toMatchObject([
    { type: 'Warning', note: 'create: the disk is full', regarding: { name: 'data' } },
  ])
  expect(await memoryOf(world)).toMatchObject({
    isCreating: true,
    progress: { create: { attempts: 1, failure: 'create: the disk is full' } },
  })
  world.writes()
  await world.host.sleep(50_000)
  expect(calls).toEqual([])
  expect(world.writes()).toEqual([])
  isBroken = false
  await world.host.sleep(20_000)
  expect(calls.splice(0)).toEqual(['broken 2', 'reconcile'])
  expect(await readyOf(world)).toMatchObject({ status: 'True', reason: 'Fine' })
  expect(await memoryOf(world)).toEqual({
    handled: { metadata: {}, spec: { size: '1G', mode: 'rw' } },
  })
})

test('continues after a restart without repeating finished handlers or resetting attempts', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .onCreate(async () => void calls.push('first'))
    .onCreate(
      async function second(_, { attempt }) {
        calls.push(`second ${attempt}`)
        if (attempt < 4) throw new Error('not yet')
        return { at: String(attempt) }
      },
      { backoff: { first: '1m', max: '3m' } },
    )
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(70_000)
  expect(calls.splice(0)).toEqual(['first', 'second 1', 'second 2'])
  await world.restart(volume)
  await world.host.sleep(60_000)
  expect(calls).toEqual([])
  await world.host.sleep(60_000)
  expect(calls.splice(0)).toEqual(['second 3'])
  await world.stop()
  await world.host.sleep(600_000)
  await world.restart(volume)
  await world.host.settle()
  expect(calls.splice(0)).toEqual(['second 4'])
  expect((await world.client.get(Volume, 'data')).status?.second).toEqual({ at: '4' })
})

test('stops after the last retry, after giveUp and GiveUpError, and ignores with onFailure ignore', async () => {
  const calls: string[] = []
  const fail = (id: string) => async () => {
    calls.push(id)
    throw new Error(`${id} failed`)
  }
  const volume = operator(Volume)
    .onCreate(fail('twice'), { id: 'twice', retries: 1 })
    .onCreate(fail('once'), { id: 'once', onFailure: 'giveUp' })
    .onCreate(fail('ignored'), { id: 'ignored', onFailure: 'ignore' })
    .onCreate(
      async () => {
        calls.push('permanent')
        throw new GiveUpError('no')
      },
      { id: 'permanent' },
    )
    .onCreate(
      async (_, { attempt }) => {
        calls.push(`later ${attempt}`)
        if (attempt === 1) throw new RetryLaterError('wait', { after: '5m' })
      },
      { id: 'later' },
    )
    .onUpdate(fail('update'), { id: 'update', onFailure: 'giveUp' })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(200_000)
  expect(calls.splice(0)).toEqual(['twice', 'once', 'ignored', 'permanent', 'later 1', 'twice'])
  await world.host.sleep(200_000)
  expect(calls.splice(0)).toEqual(['later 2'])
  const notes = (await world.client.listAll(EventsEvent, { namespace: 'default' })).map(
    ({ note }) => note,
  )
  expect(notes.sort()).toEqual(['once: once failed', 'permanent: no', 'twice: twice failed'])
  await world.host.sleep(3_600_000)
  expect(calls).toEqual([])
  await world.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await world.host.sleep(3_600_000)
  expect(calls).toEqual(['update'])
})

test('does not count RetryLaterError as a retry, even after a restart, and logs no warning for it', async () => {
  const calls: number[] = []
  const volume = operator(Volume).onCreate(
    async (_, { attempt }) => {
      calls.push(attempt)
      if (attempt <= 4) throw new RetryLaterError('wait', { after: '10s' })
      throw new Error('broken')
    },
    { id: 'patient', retries: 1, backoff: { first: '1m', max: '1h' } },
  )
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(25_000)
  await world.restart(volume)
  await world.host.sleep(20_000)
  expect(calls).toEqual([1, 2, 3, 4, 5])
  expect(world.host.logged.filter((line) => line.includes('"level":40'))).toHaveLength(1)
  // Two failures; the delay between them is the first of the backoff.
  await world.host.sleep(60_000)
  expect(calls).toEqual([1, 2, 3, 4, 5, 6])
  await world.host.sleep(3_600_000)
  expect(calls).toHaveLength(6)
})

test('aborts an attempt that takes too long and counts it as failed', async () => {
  const ends: string[] = []
  const volume = operator(Volume).onCreate(
    async (_, { signal, attempt }) => {
      await world.host.sleep(attempt === 1 ? 60_000 : 10, signal).catch(() => ends.push('aborted'))
      signal.throwIfAborted()
      ends.push('done')
    },
    { timeout: 5_000, backoff: '10s' },
  )
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(30_000)
  expect(ends).toEqual(['aborted', 'done'])
})

test('passes each handler the change since its own last success', async () => {
  const calls: string[] = []
  let isBroken = true
  const volume = operator(Volume)
    .onUpdate(
      async (_, { old, new: now }) => {
        calls.push(`good ${old?.spec.size ?? ''}-${now.spec.size}`)
      },
      { id: 'good' },
    )
    .onUpdate(
      async (_, { old, new: now, attempt }) => {
        calls.push(`bad ${old?.spec.size ?? ''}-${now.spec.size} ${attempt}`)
        if (isBroken) throw new Error('no')
      },
      { id: 'bad' },
    )
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.settle()
  const resize = async (size: string) => {
    await world.client.patch(Volume, 'data', { merge: { spec: { size } } })
    await world.host.settle()
    return calls.splice(0)
  }
  expect(await resize('2G')).toEqual(['good 1G-2G', 'bad 1G-2G 1'])
  expect(await resize('3G')).toEqual(['good 2G-3G', 'bad 1G-3G 1'])
  expect(await resize('1G')).toEqual(['good 3G-1G', 'bad 1G-1G 1'])
  isBroken = false
  await world.host.sleep(61_000)
  expect(calls.splice(0)).toEqual(['bad 1G-1G 2'])
  expect(await resize('4G')).toEqual(['good 1G-4G', 'bad 1G-4G 1'])
})

test('reports a change during the creation as an update after it', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .onCreate(
      async ({ spec }, { attempt }) => {
        calls.push(`create ${spec.size} ${attempt}`)
        if (spec.size === '1G') throw new Error('too small')
      },
      { id: 'create' },
    )
    .onUpdate(async (_, { old, new: now }) => {
      calls.push(`update ${old?.spec.size ?? ''}-${now.spec.size}`)
    })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.settle()
  await world.client.patch(Volume, 'data', { merge: { metadata: { labels: { a: 'b' } } } })
  await world.host.settle()
  await world.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await world.host.settle()
  expect(calls).toEqual(['create 1G 1', 'create 1G 1', 'create 2G 1', 'update 1G-2G'])
})

test('calls resume handlers once per process for existing objects, not for new ones', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .onCreate(async ({ metadata }) => void calls.push(`create ${metadata.name}`))
    .onResume(async ({ metadata }, { attempt }) => {
      calls.push(`resume ${metadata.name} ${attempt}`)
      if (attempt === 1) throw new Error('not yet')
    })
  await using world = await createWorld()
  await world.client.create(Volume, data)
  await world.restart(volume)
  await world.host.settle()
  expect(calls.splice(0)).toEqual(['create data', 'resume data 1'])
  await world.host.sleep(70_000)
  expect(calls.splice(0)).toEqual(['resume data 2'])
  await world.client.create(Volume, { ...data, metadata: { name: 'new' } })
  await world.host.sleep(600_000)
  expect(calls.splice(0)).toEqual(['create new'])
  await world.stop()
  world.writes()
  await world.restart(volume)
  await world.host.sleep(600_000)
  expect(calls.sort()).toEqual(['resume data 1', 'resume data 2', 'resume new 1', 'resume new 2'])
  // Nothing is saved on the objects: the next process starts over anyway.
  expect(world.writes().filter((write) => !/events|status/.test(write))).toEqual([])
})

test('calls no handlers for paused objects, and only cleanups for terminating ones', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .onCreate(async () => void calls.push('create'))
    .onUpdate(async () => void calls.push('update'))
    .onDelete(async () => {
      calls.push('delete')
      if (calls.length < 3) throw new RetryLaterError('wait', { after: '10s' })
    })
  await using world = await createWorld(volume)
  const annotations = { 'setpoint.dev/paused': 'true' }
  await world.client.create(Volume, { ...data, metadata: { name: 'data', annotations } })
  await world.host.sleep(60_000)
  expect(calls).toEqual([])
  const resume = { metadata: { annotations: { 'setpoint.dev/paused': null } } }
  await world.client.patch(Volume, 'data', { merge: resume })
  await world.host.settle()
  expect(calls).toEqual(['create'])
  await world.client.delete(Volume, 'data')
  await world.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await world.host.sleep(60_000)
  expect(calls).toEqual(['create', 'delete', 'delete'])
  expect(await world.client.find(Volume, 'data')).toBeUndefined()
})

test('matches objects by labels, annotations, fields and functions', async () => {
  const calls: string[] = []
  const log = (text: string) => async () => void calls.push(text)
  const volume = operator(Volume)
    .index('modes', ({ spec }) => [[spec.mode, 1]])
    .onCreate(log('label'), { id: 'a', labels: { tier: 'gold', old: absent } })
    .onCreate(log('annotation'), { id: 'b', annotations: { owner: present } })
    .onCreate(log('predicate'), { id: 'c', labels: { tier: (tier) => tier?.length === 4 } })
    .onCreate(log('object'), {
      id: 'l',
      annotations: {
        owner: (owner, { spec, metadata }) =>
          spec.size === '1G' && owner === 'me' && metadata.name === 'data',
      },
    })
    .onCreate(log('other object'), {
      id: 'm',
      labels: { tier: (_, { spec }) => spec.size === '9G' },
    })
    .onCreate(log('value'), { id: 'd', field: 'spec.size', value: '1G' })
    .onCreate(log('other value'), { id: 'e', field: 'spec.size', value: '9G' })
    .onCreate(log('when'), { id: 'f', filter: ({ spec }) => spec.size === '1G' })
    .onCreate(log('index'), {
      id: 'g',
      filter: ({ spec }, ctx) => ctx.index('modes').get(spec.mode).length === 1,
    })
    .onUpdate(log('from 1G'), { id: 'h', field: 'spec.size', old: '1G' })
    .onUpdate(log('to 3G'), { id: 'i', field: 'spec.size', new: '3G' })
    .onUpdate(log('1G or 2G'), { id: 'j', field: 'spec.size', value: (size) => size !== '3G' })
    .onField('spec.text', log('text appeared'), { id: 'k', old: absent })
  await using world = await createWorld(volume)
  const metadata = { name: 'data', labels: { tier: 'gold' }, annotations: { owner: 'me' } }
  await world.client.create(Volume, { ...data, metadata })
  await world.host.settle()
  expect(calls.splice(0)).toEqual([
    'label',
    'annotation',
    'predicate',
    'object',
    'value',
    'when',
    'index',
  ])
  const patch = async (spec: object) => {
    await world.client.patch(Volume, 'data', { merge: { spec } })
    await world.host.settle()
    return calls.splice(0)
  }
  expect(await patch({ size: '2G' })).toEqual(['from 1G', '1G or 2G'])
  expect(await patch({ size: '3G' })).toEqual(['to 3G', '1G or 2G'])
  expect(await patch({ mode: 'ro' })).toEqual([])
  expect(await patch({ text: 'x' })).toEqual(['text appeared'])
  expect(await patch({ text: 'y' })).toEqual([])
})

test('adds no annotation to an object without handlers, and treats it as new once it matches', async () => {
  const calls: string[] = []
  const volume = operator(Volume).onCreate(async () => void calls.push('create'), {
    labels: { managed: present },
  })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.settle()
  expect((await world.client.get(Volume, 'data')).metadata.annotations).toBeUndefined()
  await world.client.patch(Volume, 'data', { merge: { metadata: { labels: { managed: 'yes' } } } })
  await world.host.settle()
  expect(calls).toEqual(['create'])
})

test('saves only the hash of an object that is too large, and warns once', async () => {
  const calls: unknown[] = []
  const volume = operator(Volume).onUpdate(async (_, { old, new: now }) => {
    calls.push([old, now.spec.text?.length])
  })
  await using world = await createWorld(volume)
  const text = 'ä'.repeat(60_000)
  await world.client.create(Volume, { ...data, spec: { size: '1G', text } })
  await world.host.settle()
  expect(await memoryOf(world)).toEqual({
    handled: expect.stringMatching(/^[-a-z0-9]{5,20}$/) as string,
  })
  await world.client.patch(Volume, 'data', { merge: { spec: { text: `${text}b` } } })
  await world.host.sleep(600_000)
  expect(calls).toEqual([[undefined, 60_001]])
  expect(world.host.logged.filter((line) => line.includes('too large'))).toHaveLength(1)
})

test('refuses a result without a status field, and does not retry', async () => {
  let calls = 0
  const volume = operator(Volume).onCreate(async function makeVolume() {
    calls += 1
    return { a: 'b' }
  })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(600_000)
  expect(calls).toBe(1)
  const [event] = await world.client.listAll(EventsEvent, { namespace: 'default' })
  expect(event?.note).toMatch(/status of Volume has no field "makeVolume"/)
})

test('replaces a result as a whole and keeps it next to .status and after a failing reconcile', async () => {
  let isBroken = true
  const volume = operator(Volume)
    .onCreate(async () => ({ a: '1', b: '2' }), { id: 'createFn' })
    .onUpdate(async () => ({ made: 'later' }), { id: 'second' })
    .reconcile(async () => {
      if (isBroken) throw new Error('no')
    })
    .status(({ status }) => ({ url: `${status?.createFn?.['a'] ?? 'none'}` }))
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(1_000)
  isBroken = false
  await world.host.sleep(600_000)
  const status = async () => (await world.client.get(Volume, 'data')).status
  expect(await status()).toMatchObject({ createFn: { a: '1', b: '2' }, url: '1' })
  await world.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await world.host.settle()
  expect(await status()).toMatchObject({
    createFn: { a: '1', b: '2' },
    second: { made: 'later' },
    url: '1',
  })
  world.writes()
  await world.host.sleep(3_600_000)
  expect(world.writes()).toEqual([])
})

test('saves the progress of other handlers while one hangs', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .onCreate(async () => void calls.push('first'))
    .onCreate(async (_, { signal }) => {
      calls.push('hangs')
      await world.host.sleep(3_600_000, signal)
    })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(10_000)
  await world.restart(volume)
  await world.host.sleep(10_000)
  expect(calls).toEqual(['first', 'hangs', 'hangs'])
})

test('fails a handler that exceeds the deadline of its reconcile, and keeps finished ones', async () => {
  const calls: string[] = []
  const volume = operator(Volume, { timeout: 60_000 })
    .onCreate(async () => void calls.push('first'))
    .onCreate(
      async (_, { signal, attempt }) => {
        calls.push(`slow ${attempt}`)
        await world.host.sleep(3_600_000, signal)
      },
      { backoff: '10m' },
    )
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(800_000)
  expect(calls).toEqual(['first', 'slow 1', 'slow 2'])
})

test('treats an object that is recreated while a handler runs as new', async () => {
  const calls: string[] = []
  const volume = operator(Volume).onCreate(async ({ spec }) => {
    calls.push(spec.size)
    if (spec.size !== '1G') return
    await world.client.delete(Volume, 'data')
    await world.client.create(Volume, { ...data, spec: { size: '2G' } })
  })
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(60_000)
  expect(calls).toEqual(['1G', '2G'])
})

test('retries a handler in time although reconcile gives up or waits longer', async () => {
  for (const error of [new GiveUpError('no'), new RetryLaterError('x', { after: '1h' })]) {
    const calls: number[] = []
    const volume = operator(Volume)
      .onCreate(async (_, { attempt }) => {
        calls.push(attempt)
        if (attempt < 3) throw new Error('no')
      })
      .reconcile(async () => {
        throw error
      })
    await using world = await createWorld(volume)
    await world.client.create(Volume, data)
    await world.host.sleep(130_000)
    expect(calls).toEqual([1, 2, 3])
  }
})

test('keeps a separate memory for each operator of a kind', async () => {
  const calls: string[] = []
  const log = (name: string) =>
    operator(Volume, { name })
      .onCreate(async () => void calls.push(`${name} create`))
      .onUpdate(async () => void calls.push(`${name} update`))
  await using world = await createWorld(log('one'), log('two'))
  await world.client.create(Volume, data)
  await world.host.sleep(60_000)
  expect(calls.splice(0).sort()).toEqual(['one create', 'two create'])
  await world.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await world.host.sleep(60_000)
  expect(calls.sort()).toEqual(['one update', 'two update'])
})
