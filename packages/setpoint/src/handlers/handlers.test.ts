import { createCluster, type Cluster } from '@setpoint/cluster'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { type Client, connectionFromKubeconfig } from '../client/index.ts'
import { GiveUpError, RetryLaterError, type RunReport } from '../controller/index.ts'
import { defineResource } from '../definition/index.ts'
import { type VirtualHost, virtualHost } from '../host/index.ts'
import { ConfigMap, CustomResourceDefinition, EventsEvent } from '../kinds/index.ts'
import { type AnyOperator, operator, when } from '../operator/index.ts'
import { start } from '../start/index.ts'
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

interface World extends AsyncDisposable {
  readonly host: VirtualHost
  readonly cluster: Cluster
  readonly client: Client
  readonly reports: RunReport[]
  /** Requests that changed something, since the last time it was asked. */
  writes(): string[]
  stop(): Promise<void>
  start(...operators: AnyOperator[]): Promise<void>
}

async function world(...operators: AnyOperator[]): Promise<World> {
  const host = virtualHost({ seed: 5 })
  const cluster = await createCluster({ host, workloads: 'off' })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const reports: RunReport[] = []
  const options = { host, connection, onRunEnd: (report: RunReport) => reports.push(report) }
  let running = await start([], options)
  const { client } = running
  await client.create(CustomResourceDefinition, Volume.crd())
  await running.stop()
  running = await start(operators, options)
  let seen = cluster.trace.length
  return {
    host,
    cluster,
    client,
    reports,
    writes: () => {
      const fresh = cluster.trace.slice(seen)
      seen = cluster.trace.length
      return fresh
        .filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))
        .map(({ verb, path }) => `${verb} ${path.replace(/^.*namespaces\/default\//, '')}`)
    },
    stop: () => running.stop(),
    start: async (...next) => {
      running = await start(next, options)
    },
    [Symbol.asyncDispose]: async () => {
      await running.stop()
      await cluster.dispose()
      host.stop()
    },
  }
}

const data = { metadata: { name: 'data' }, spec: { size: '1G' } }
const memoryName = 'setpoint.dev/handlers'

async function memoryOf({ client }: World): Promise<Record<string, unknown>> {
  const { metadata } = await client.get(Volume, 'data')
  const text = metadata.annotations?.[memoryName] ?? '{}'
  const { uid = metadata.uid, ...memory } = JSON.parse(text) as Record<string, unknown>
  expect(uid).toBe(metadata.uid)
  return memory
}

async function readyOf({ client }: World) {
  return (await client.get(Volume, 'data')).status?.conditions?.[0]
}

test('a new object is told once, at the cost of one write and one more for the result', async () => {
  const calls: string[] = []
  const volume = operator(Volume, { name: 'other' })
    .owns(ConfigMap)
    .onCreate(async function createFn({ metadata }, ctx) {
      const { name } = (await ctx.apply(ConfigMap, { data: { of: metadata.name } })).metadata
      calls.push(`${metadata.name} ${ctx.attempt}`)
      return { name }
    })
    .onCreate(async () => void calls.push('anonymous'))
  // Where two serve a resource, nobody derives a Ready condition: what is written is the handlers'.
  const idle = operator(Volume, { name: 'idle' })
  await using it = await world(volume, idle)
  await it.client.create(Volume, data)
  it.writes()
  await it.host.settle()
  expect(calls).toEqual(['data 1', 'anonymous'])
  expect(it.writes().filter((write) => !write.includes('configmaps'))).toEqual([
    'patch volumes/data/status',
    'patch volumes/data',
  ])
  expect((await it.client.get(Volume, 'data')).status).toEqual({ createFn: { name: 'data' } })
  await it.host.sleep(3_600_000)
  await it.stop()
  await it.start(volume, idle)
  await it.host.sleep(3_600_000)
  expect(calls).toHaveLength(2)
  // One run in each process: no write of its own made another.
  expect(it.reports.filter(({ controller }) => controller === 'other')).toHaveLength(2)
  expect(it.writes().filter((write) => write.includes('volumes'))).toEqual([])
})

test('an update is told with what changed, once, and a change of nothing is not told', async () => {
  const calls: unknown[] = []
  const volume = operator(Volume)
    .onUpdate(async ({ spec }, { old, new: now, diff }) => {
      calls.push({ size: spec.size, from: old?.spec.size, to: now.spec.size, diff })
    })
    .onField('metadata.labels', async (_, { old, new: now, diff }) => {
      calls.push({ labels: [old, now, diff] })
    })
    .onField('spec.size', async (_, { old, new: now }) => void calls.push([old, now]))
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.settle()
  expect(calls).toEqual([])
  it.writes()
  await it.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await it.host.settle()
  const change = { op: 'change', path: ['spec', 'size'], old: '1G', new: '2G' }
  expect(calls.splice(0)).toEqual([
    { size: '2G', from: '1G', to: '2G', diff: [change] },
    ['1G', '2G'],
  ])
  // One is the change itself; the status follows the generation.
  expect(it.writes()).toEqual([
    'patch volumes/data',
    'patch volumes/data',
    'patch volumes/data/status',
  ])
  await it.client.patch(Volume, 'data', { merge: { metadata: { labels: { a: '1' } } } })
  await it.host.settle()
  expect(calls.splice(0)).toMatchObject([
    { size: '2G' },
    { labels: [undefined, { a: '1' }, [{ op: 'add', path: ['a'], new: '1' }]] },
  ])
  it.writes()
  await it.client.patch(Volume, 'data', { subresource: 'status', merge: { status: { url: 'x' } } })
  await it.client.patch(Volume, 'data', { merge: { metadata: { finalizers: ['a.b/c'] } } })
  await it.host.sleep(3_600_000)
  expect(calls).toEqual([])
  expect(it.writes().filter((write) => !write.endsWith('status'))).toEqual(['patch volumes/data'])
})

test('a field whose name has dots is named by its names, one by one', async () => {
  const calls: unknown[] = []
  const label = ['metadata', 'labels', 'example.com/tier'] as const
  const volume = operator(Volume)
    .onField(label, async (_, { old, new: now }) => void calls.push([old, now]))
    .onUpdate(async () => void calls.push('front'), { field: label, new: 'front' })
  await using it = await world(volume)
  await it.client.create(Volume, data)
  const set = async (tier: string): Promise<void> => {
    const labels = { 'example.com/tier': tier, [`example.com/${tier}`]: 'x' }
    await it.client.patch(Volume, 'data', { merge: { metadata: { labels } } })
    await it.host.settle()
  }
  await it.host.settle()
  await set('back')
  await set('front')
  expect(calls).toEqual([[undefined, 'back'], ['back', 'front'], 'front'])
})

test('what changes while nobody looks is told at the next start, as one change', async () => {
  const calls: unknown[] = []
  const volume = operator(Volume).onField(
    'spec.size',
    async (_, { old, new: now }) => void calls.push([old, now]),
  )
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.settle()
  await it.stop()
  for (const size of ['2G', '3G', '4G']) {
    await it.client.patch(Volume, 'data', { merge: { spec: { size } } })
  }
  await it.start(volume)
  await it.host.settle()
  expect(calls).toEqual([['1G', '4G']])
})

test('a handler that fails holds nobody back, is tried again after a minute, and its failure is seen', async () => {
  const calls: string[] = []
  let isBroken = true
  const volume = operator(Volume)
    .onCreate(async (_, { attempt }) => {
      calls.push(`broken ${attempt}`)
      if (isBroken) throw new Error('the disk is gone')
    })
    .onCreate(async () => void calls.push('fine'))
    .reconcile(async () => void calls.push('reconcile'))
    .status(() => ({ url: 'x', conditions: { Ready: when(true, 'Fine', 'all is well') } }))
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.settle()
  expect(calls.splice(0)).toEqual(['broken 1', 'fine', 'reconcile'])
  expect(it.reports.at(-1)?.result).toBe('recheck')
  expect(await readyOf(it)).toMatchObject({
    status: 'False',
    reason: 'ReconcileFailed',
    message: 'create: the disk is gone',
  })
  expect((await it.client.get(Volume, 'data')).status?.url).toBe('x')
  expect(await it.client.listAll(EventsEvent, { namespace: 'default' })).toMatchObject([
    { type: 'Warning', note: 'create: the disk is gone', regarding: { name: 'data' } },
  ])
  expect(await memoryOf(it)).toMatchObject({
    isCreating: true,
    progress: { create: { attempts: 1, failure: 'create: the disk is gone' } },
  })
  it.writes()
  await it.host.sleep(50_000)
  expect(calls).toEqual([])
  expect(it.writes()).toEqual([])
  isBroken = false
  await it.host.sleep(20_000)
  expect(calls.splice(0)).toEqual(['broken 2', 'reconcile'])
  expect(await readyOf(it)).toMatchObject({ status: 'True', reason: 'Fine' })
  expect(await memoryOf(it)).toEqual({
    handled: { metadata: {}, spec: { size: '1G', mode: 'rw' } },
  })
})

test('a restart in the middle goes on where it was: what is done stays done, tries are counted on', async () => {
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
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(70_000)
  expect(calls.splice(0)).toEqual(['first', 'second 1', 'second 2'])
  await it.stop()
  await it.start(volume)
  await it.host.sleep(60_000)
  expect(calls).toEqual([])
  await it.host.sleep(60_000)
  expect(calls.splice(0)).toEqual(['second 3'])
  await it.stop()
  await it.host.sleep(600_000)
  await it.start(volume)
  await it.host.settle()
  expect(calls.splice(0)).toEqual(['second 4'])
  expect((await it.client.get(Volume, 'data')).status?.second).toEqual({ at: '4' })
})

test('retries are used up, a permanent failure is final, and what is to be ignored is', async () => {
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
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(200_000)
  expect(calls.splice(0)).toEqual(['twice', 'once', 'ignored', 'permanent', 'later 1', 'twice'])
  await it.host.sleep(200_000)
  expect(calls.splice(0)).toEqual(['later 2'])
  const notes = (await it.client.listAll(EventsEvent, { namespace: 'default' })).map(
    ({ note }) => note,
  )
  expect(notes.sort()).toEqual(['once: once failed', 'permanent: no', 'twice: twice failed'])
  await it.host.sleep(3_600_000)
  expect(calls).toEqual([])
  await it.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await it.host.sleep(3_600_000)
  expect(calls).toEqual(['update'])
})

test('asking for more time uses up no retries, also over a restart, and is told nobody', async () => {
  const calls: number[] = []
  const volume = operator(Volume).onCreate(
    async (_, { attempt }) => {
      calls.push(attempt)
      if (attempt <= 4) throw new RetryLaterError('wait', { after: '10s' })
      throw new Error('broken')
    },
    { id: 'patient', retries: 1, backoff: { first: '1m', max: '1h' } },
  )
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(25_000)
  await it.stop()
  await it.start(volume)
  await it.host.sleep(20_000)
  expect(calls).toEqual([1, 2, 3, 4, 5])
  expect(it.host.logged.filter((line) => line.includes('"level":40'))).toHaveLength(1)
  // Two failures, and the wait between them is that of a first one.
  await it.host.sleep(60_000)
  expect(calls).toEqual([1, 2, 3, 4, 5, 6])
  await it.host.sleep(3_600_000)
  expect(calls).toHaveLength(6)
})

test('a try that takes too long is aborted and counts as failed', async () => {
  const ends: string[] = []
  const volume = operator(Volume).onCreate(
    async (_, { signal, attempt }) => {
      await it.host.sleep(attempt === 1 ? 60_000 : 10, signal).catch(() => ends.push('aborted'))
      signal.throwIfAborted()
      ends.push('done')
    },
    { timeout: 5_000, backoff: '10s' },
  )
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(30_000)
  expect(ends).toEqual(['aborted', 'done'])
})

test('a change while others fail is told to each with what it has not dealt with yet', async () => {
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
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.settle()
  const resize = async (size: string) => {
    await it.client.patch(Volume, 'data', { merge: { spec: { size } } })
    await it.host.settle()
    return calls.splice(0)
  }
  expect(await resize('2G')).toEqual(['good 1G-2G', 'bad 1G-2G 1'])
  expect(await resize('3G')).toEqual(['good 2G-3G', 'bad 1G-3G 1'])
  expect(await resize('1G')).toEqual(['good 3G-1G', 'bad 1G-1G 1'])
  isBroken = false
  await it.host.sleep(61_000)
  expect(calls.splice(0)).toEqual(['bad 1G-1G 2'])
  expect(await resize('4G')).toEqual(['good 1G-4G', 'bad 1G-4G 1'])
})

test('what changes during a creation is an update after it', async () => {
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
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.settle()
  await it.client.patch(Volume, 'data', { merge: { metadata: { labels: { a: 'b' } } } })
  await it.host.settle()
  await it.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await it.host.settle()
  expect(calls).toEqual(['create 1G 1', 'create 1G 1', 'create 2G 1', 'update 1G-2G'])
})

test('what existed at the start is resumed once by every process, and what is new is not', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .onCreate(async ({ metadata }) => void calls.push(`create ${metadata.name}`))
    .onResume(async ({ metadata }, { attempt }) => {
      calls.push(`resume ${metadata.name} ${attempt}`)
      if (attempt === 1) throw new Error('not yet')
    })
  await using it = await world()
  await it.client.create(Volume, data)
  await it.start(volume)
  await it.host.settle()
  expect(calls.splice(0)).toEqual(['create data', 'resume data 1'])
  await it.host.sleep(70_000)
  expect(calls.splice(0)).toEqual(['resume data 2'])
  await it.client.create(Volume, { ...data, metadata: { name: 'new' } })
  await it.host.sleep(600_000)
  expect(calls.splice(0)).toEqual(['create new'])
  await it.stop()
  it.writes()
  await it.start(volume)
  await it.host.sleep(600_000)
  expect(calls.sort()).toEqual(['resume data 1', 'resume data 2', 'resume new 1', 'resume new 2'])
  // Nothing is noted on the objects: the next process begins anew anyway.
  expect(it.writes().filter((write) => !/events|status/.test(write))).toEqual([])
})

test('nothing is called for objects that are paused or being deleted', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .onCreate(async () => void calls.push('create'))
    .onUpdate(async () => void calls.push('update'))
    .onDelete(async () => {
      calls.push('delete')
      if (calls.length < 3) throw new RetryLaterError('wait', { after: '10s' })
    })
  await using it = await world(volume)
  const annotations = { 'setpoint.dev/paused': 'true' }
  await it.client.create(Volume, { ...data, metadata: { name: 'data', annotations } })
  await it.host.sleep(60_000)
  expect(calls).toEqual([])
  const resume = { metadata: { annotations: { 'setpoint.dev/paused': null } } }
  await it.client.patch(Volume, 'data', { merge: resume })
  await it.host.settle()
  expect(calls).toEqual(['create'])
  await it.client.delete(Volume, 'data')
  await it.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await it.host.sleep(60_000)
  expect(calls).toEqual(['create', 'delete', 'delete'])
  expect(await it.client.find(Volume, 'data')).toBeUndefined()
})

test('filters by labels, annotations, fields and functions say for what a handler is', async () => {
  const calls: string[] = []
  const say = (text: string) => async () => void calls.push(text)
  const volume = operator(Volume)
    .index('modes', ({ spec }) => [[spec.mode, 1]])
    .onCreate(say('label'), { id: 'a', labels: { tier: 'gold', old: absent } })
    .onCreate(say('annotation'), { id: 'b', annotations: { owner: present } })
    .onCreate(say('predicate'), { id: 'c', labels: { tier: (tier) => tier?.length === 4 } })
    .onCreate(say('value'), { id: 'd', field: 'spec.size', value: '1G' })
    .onCreate(say('other value'), { id: 'e', field: 'spec.size', value: '9G' })
    .onCreate(say('when'), { id: 'f', filter: ({ spec }) => spec.size === '1G' })
    .onCreate(say('index'), {
      id: 'g',
      filter: ({ spec }, ctx) => ctx.index('modes').get(spec.mode).length === 1,
    })
    .onUpdate(say('from 1G'), { id: 'h', field: 'spec.size', old: '1G' })
    .onUpdate(say('to 3G'), { id: 'i', field: 'spec.size', new: '3G' })
    .onUpdate(say('1G or 2G'), { id: 'j', field: 'spec.size', value: (size) => size !== '3G' })
    .onField('spec.text', say('text appeared'), { id: 'k', old: absent })
  await using it = await world(volume)
  const metadata = { name: 'data', labels: { tier: 'gold' }, annotations: { owner: 'me' } }
  await it.client.create(Volume, { ...data, metadata })
  await it.host.settle()
  expect(calls.splice(0)).toEqual(['label', 'annotation', 'predicate', 'value', 'when', 'index'])
  const patch = async (spec: object) => {
    await it.client.patch(Volume, 'data', { merge: { spec } })
    await it.host.settle()
    return calls.splice(0)
  }
  expect(await patch({ size: '2G' })).toEqual(['from 1G', '1G or 2G'])
  expect(await patch({ size: '3G' })).toEqual(['to 3G', '1G or 2G'])
  expect(await patch({ mode: 'ro' })).toEqual([])
  expect(await patch({ text: 'x' })).toEqual(['text appeared'])
  expect(await patch({ text: 'y' })).toEqual([])
})

test('an object that is for no handler gets no annotation; when it becomes so, it is new', async () => {
  const calls: string[] = []
  const volume = operator(Volume).onCreate(async () => void calls.push('create'), {
    labels: { managed: present },
  })
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.settle()
  expect((await it.client.get(Volume, 'data')).metadata.annotations).toBeUndefined()
  await it.client.patch(Volume, 'data', { merge: { metadata: { labels: { managed: 'yes' } } } })
  await it.host.settle()
  expect(calls).toEqual(['create'])
})

test('an object that is too large is remembered by its hash, and this is said once', async () => {
  const calls: unknown[] = []
  const volume = operator(Volume).onUpdate(async (_, { old, new: now }) => {
    calls.push([old, now.spec.text?.length])
  })
  await using it = await world(volume)
  const text = 'ä'.repeat(60_000)
  await it.client.create(Volume, { ...data, spec: { size: '1G', text } })
  await it.host.settle()
  expect(await memoryOf(it)).toEqual({
    handled: expect.stringMatching(/^[-a-z0-9]{5,20}$/) as string,
  })
  await it.client.patch(Volume, 'data', { merge: { spec: { text: `${text}b` } } })
  await it.host.sleep(600_000)
  expect(calls).toEqual([[undefined, 60_001]])
  expect(it.host.logged.filter((line) => line.includes('too large'))).toHaveLength(1)
})

test('a result without a field in the status is refused in words, and not retried', async () => {
  let calls = 0
  const volume = operator(Volume).onCreate(async function makeVolume() {
    calls += 1
    return { a: 'b' }
  })
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(600_000)
  expect(calls).toBe(1)
  const [event] = await it.client.listAll(EventsEvent, { namespace: 'default' })
  expect(event?.note).toMatch(/status of Volume has no field "makeVolume"/)
})

test('a result is replaced as a whole, stays beside what .status says, and survives a failing reconcile', async () => {
  let isBroken = true
  const volume = operator(Volume)
    .onCreate(async () => ({ a: '1', b: '2' }), { id: 'createFn' })
    .onUpdate(async () => ({ made: 'later' }), { id: 'second' })
    .reconcile(async () => {
      if (isBroken) throw new Error('no')
    })
    .status(({ status }) => ({ url: `${status?.createFn?.['a'] ?? 'none'}` }))
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(1_000)
  isBroken = false
  await it.host.sleep(600_000)
  const status = async () => (await it.client.get(Volume, 'data')).status
  expect(await status()).toMatchObject({ createFn: { a: '1', b: '2' }, url: '1' })
  await it.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await it.host.settle()
  expect(await status()).toMatchObject({
    createFn: { a: '1', b: '2' },
    second: { made: 'later' },
    url: '1',
  })
  it.writes()
  await it.host.sleep(3_600_000)
  expect(it.writes()).toEqual([])
})

test('a handler that hangs does not lose what others achieved before it', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .onCreate(async () => void calls.push('first'))
    .onCreate(async (_, { signal }) => {
      calls.push('hangs')
      await it.host.sleep(3_600_000, signal)
    })
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(10_000)
  await it.stop()
  await it.start(volume)
  await it.host.sleep(10_000)
  expect(calls).toEqual(['first', 'hangs', 'hangs'])
})

test('a handler that uses up the time of its run has failed, and what was done before it stays done', async () => {
  const calls: string[] = []
  const volume = operator(Volume, { timeout: 60_000 })
    .onCreate(async () => void calls.push('first'))
    .onCreate(
      async (_, { signal, attempt }) => {
        calls.push(`slow ${attempt}`)
        await it.host.sleep(3_600_000, signal)
      },
      { backoff: '10m' },
    )
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(800_000)
  expect(calls).toEqual(['first', 'slow 1', 'slow 2'])
})

test('an object that is made anew while a handler runs has been through nothing', async () => {
  const calls: string[] = []
  const volume = operator(Volume).onCreate(async ({ spec }) => {
    calls.push(spec.size)
    if (spec.size !== '1G') return
    await it.client.delete(Volume, 'data')
    await it.client.create(Volume, { ...data, spec: { size: '2G' } })
  })
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(60_000)
  expect(calls).toEqual(['1G', '2G'])
})

test('a waiting handler is tried in time although reconcile gives up or waits longer', async () => {
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
    await using it = await world(volume)
    await it.client.create(Volume, data)
    await it.host.sleep(130_000)
    expect(calls).toEqual([1, 2, 3])
  }
})

test('several operators on one resource remember each for itself', async () => {
  const calls: string[] = []
  const say = (name: string) =>
    operator(Volume, { name })
      .onCreate(async () => void calls.push(`${name} create`))
      .onUpdate(async () => void calls.push(`${name} update`))
  await using it = await world(say('one'), say('two'))
  await it.client.create(Volume, data)
  await it.host.sleep(60_000)
  expect(calls.splice(0).sort()).toEqual(['one create', 'two create'])
  await it.client.patch(Volume, 'data', { merge: { spec: { size: '2G' } } })
  await it.host.sleep(60_000)
  expect(calls.sort()).toEqual(['one update', 'two update'])
})
