/** What becomes of handlers, and of those beside them, when something about them is wrong. */
import { createCluster } from '@setpoint/cluster'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { type Client, connectionFromKubeconfig } from '../client/index.ts'
import { GiveUpError, RetryLaterError } from '../controller/index.ts'
import { defineResource } from '../definition/index.ts'
import { type VirtualHost, virtualHost } from '../host/index.ts'
import { ConfigMap, CustomResourceDefinition, EventsEvent } from '../kinds/index.ts'
import { type AnyOperator, operator } from '../operator/index.ts'
import { start } from '../start/index.ts'

const Volume = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Volume',
  spec: z.object({ size: z.string(), mode: z.string().default('rw'), text: z.string().optional() }),
  status: z.object({
    made: z.object({ id: z.string() }).optional(),
    second: z.string().optional(),
    even: z.int32().optional(),
  }),
  conditions: ['Ready'],
})

const share = (made: z.ZodString) =>
  defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Share',
    spec: z.object({ size: z.string() }),
    status: z.object({ made: made.optional(), second: z.string().optional() }),
  })

/** The one that is installed is stricter than the one the operator knows. */
const [Share, InstalledShare] = [share(z.string()), share(z.string().max(3))]

interface World extends AsyncDisposable {
  readonly host: VirtualHost
  readonly client: Client
  /** How many runs there were, since the last time it was asked. */
  runs(): number
  /** How many requests changed the object itself, since the last time it was asked. */
  writes(): number
  restart(...operators: AnyOperator[]): Promise<void>
}

async function world(...operators: AnyOperator[]): Promise<World> {
  const host = virtualHost({ seed: 5 })
  const cluster = await createCluster({ host, workloads: 'off' })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const first = await start([], { host, connection })
  const { client } = first
  await client.create(CustomResourceDefinition, Volume.crd())
  await client.create(CustomResourceDefinition, InstalledShare.crd())
  await first.stop()
  let [seen, runs] = [0, 0]
  const options = { host, connection, onRunEnd: () => void (runs += 1) }
  let running = await start(operators, options)
  return {
    host,
    client,
    runs: () => {
      const count = runs
      runs = 0
      return count
    },
    writes: () => {
      const fresh = cluster.trace.slice(seen)
      seen = cluster.trace.length
      return fresh.filter(({ verb, path }) => verb === 'patch' && path.endsWith('volumes/data'))
        .length
    },
    restart: async (...next) => {
      await running.stop()
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

async function readyOf({ client }: World): Promise<string | undefined> {
  return (await client.get(Volume, 'data')).status?.conditions?.[0]?.message
}

async function notesOf({ client }: World): Promise<string[]> {
  const events = await client.listAll(EventsEvent, { namespace: 'default' })
  return events.map(({ note }) => note ?? '')
}

async function isGone({ client }: World): Promise<boolean> {
  return (await client.find(Volume, 'data')) === undefined
}

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
  expect(await readyOf(it)).toBe('everything is as it should be')
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
  expect(await readyOf(it)).toBe('everything is as it should be')
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
    .onCreate(async () => void calls.push('no'), { when: broken })
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
  expect(await readyOf(it)).toBe('everything is as it should be')
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
    expect(await readyOf(it)).toBe('everything is as it should be')
  }
  expect(calls).toBe(1 + wrong.length)
  expect(it.host.logged.filter((line) => line.includes('was changed by others'))).toHaveLength(1)
})

test('failures of before a deletion do not count against the retries of a cleanup', async () => {
  let calls = 0
  const volume = operator(Volume)
    .reconcile(async () => {
      throw new Error('no')
    })
    .onDelete(
      async () => {
        calls += 1
        throw new Error('in use')
      },
      { id: 'release', retries: 3 },
    )
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(30_000)
  await it.client.delete(Volume, 'data')
  await it.host.sleep(2_500)
  expect(await readyOf(it)).toBe('release: in use')
  await it.host.sleep(60_000)
  expect(calls).toBe(4)
  expect(await isGone(it)).toBe(true)
  expect(await notesOf(it)).toContain('let go without its cleanup: release: in use')
})

test('a cleanup that succeeded is not repeated while another fails, also over a restart', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .onDelete(async () => void calls.push('one'))
    .onDelete(
      async () => {
        calls.push('two')
        if (calls.length < 6) throw new Error('in use')
      },
      { backoff: '10s' },
    )
    .onDelete(async () => void calls.push('three'))
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  await it.client.delete(Volume, 'data')
  await it.host.sleep(15_000)
  expect(calls).toEqual(['one', 'two', 'two'])
  it.runs()
  await it.restart(volume)
  await it.host.sleep(60_000)
  expect(it.runs()).toBeLessThan(10)
  expect(calls).toEqual(['one', 'two', 'two', 'two', 'two', 'two', 'three'])
  expect(await isGone(it)).toBe(true)
})

test('a cleanup that succeeded is not repeated while children go, and costs no write when nothing is left', async () => {
  let calls = 0
  const cleaning = operator(Volume).onDelete(async () => void (calls += 1))
  const volume = cleaning.child('config', ConfigMap, {
    desired: () => ({ metadata: { finalizers: ['example.com/held'] } }),
    deletion: 'foreground',
  })
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  await it.client.delete(Volume, 'data')
  await it.host.sleep(5_000)
  await it.client.patch(ConfigMap, 'data', { merge: { metadata: { labels: { a: 'b' } } } })
  await it.host.sleep(5_000)
  expect([calls, await isGone(it)]).toEqual([1, false])
  await it.client.patch(ConfigMap, 'data', { merge: { metadata: { finalizers: [] } } })
  await it.host.sleep(5_000)
  expect([calls, await isGone(it)]).toEqual([1, true])
  await it.restart(cleaning)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  it.writes()
  await it.client.delete(Volume, 'data')
  await it.host.sleep(5_000)
  expect([calls, await isGone(it), it.writes()]).toEqual([2, true, 1])
})

test('a cleanup that asks for more time is called when something changes, and costs no write', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .owns(ConfigMap)
    .onDelete(async () => void calls.push('one'))
    .onDelete(async ({ metadata }, ctx) => {
      calls.push('two')
      const config = ctx.get(ConfigMap, metadata.name)
      if (config !== undefined) throw new RetryLaterError('it is in use', { after: '1h' })
    })
    .reconcile(async (_, ctx) => void (await ctx.apply(ConfigMap, {})))
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  await it.client.delete(Volume, 'data')
  await it.host.sleep(5_000)
  expect(calls).toEqual(['one', 'two'])
  it.writes()
  await it.client.patch(ConfigMap, 'data', { merge: { data: { a: 'b' } } })
  await it.host.sleep(5_000)
  expect(calls).toEqual(['one', 'two', 'two'])
  expect(it.writes()).toBe(0)
  await it.client.delete(ConfigMap, 'data')
  await it.host.sleep(5_000)
  expect(calls).toEqual(['one', 'two', 'two', 'two'])
  expect(await isGone(it)).toBe(true)
})

test('a cleanup that failed is tried at once, and with all its retries, when the object changes', async () => {
  const calls: string[] = []
  const volume = operator(Volume).onDelete(
    async ({ spec }) => {
      calls.push(spec.mode)
      if (spec.mode !== 'free') throw new Error('in use')
    },
    { retries: 1, backoff: '1h' },
  )
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  await it.client.delete(Volume, 'data')
  await it.host.sleep(5_000)
  for (const mode of ['a', 'b', 'free']) {
    await it.client.patch(Volume, 'data', { merge: { metadata: { labels: { mode } } } })
    await it.client.patch(Volume, 'data', { merge: { spec: { mode } } })
    await it.host.sleep(5_000)
  }
  expect(calls.filter((mode, at) => mode !== calls[at - 1])).toEqual(['rw', 'a', 'b', 'free'])
  expect(await isGone(it)).toBe(true)
  expect(await notesOf(it)).not.toContain('let go without its cleanup: delete: in use')
})

test('a cleanup that gives up keeps its object, and is tried again at the next change', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .onDelete(async () => void calls.push('one'))
    .onDelete(
      async ({ spec }) => {
        calls.push(`two ${spec.mode}`)
        if (spec.mode !== 'free') throw new GiveUpError('somebody has to free it')
      },
      { retries: 0 },
    )
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  await it.client.delete(Volume, 'data')
  await it.host.sleep(600_000)
  expect(await readyOf(it)).toBe('somebody has to free it')
  await it.client.patch(Volume, 'data', { merge: { spec: { mode: 'free' } } })
  await it.host.sleep(5_000)
  expect(calls).toEqual(['one', 'two rw', 'two free'])
  expect(await isGone(it)).toBe(true)
})

test('a cleanup is for the objects its filters say: others get no finalizer', async () => {
  const calls: string[] = []
  const volume = operator(Volume).onDelete(
    async ({ spec }) => {
      calls.push(spec.mode)
      if (calls.length < 2) throw new RetryLaterError('in use', { after: '1s' })
    },
    { labels: { team: 'a' }, field: 'spec.mode', value: 'rw' },
  )
  await using it = await world(volume)
  const finalizers = async (): Promise<number> =>
    (await it.client.get(Volume, 'data')).metadata.finalizers?.length ?? 0
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  expect(await finalizers()).toBe(0)
  await it.client.patch(Volume, 'data', { merge: { metadata: { labels: { team: 'a' } } } })
  await it.host.sleep(5_000)
  expect(await finalizers()).toBe(1)
  await it.client.patch(Volume, 'data', { merge: { spec: { mode: 'ro' } } })
  await it.host.sleep(5_000)
  await it.client.delete(Volume, 'data')
  await it.host.sleep(5_000)
  expect([calls, await isGone(it)]).toEqual([[], true])
  await it.client.create(Volume, { ...data, metadata: { name: 'data', labels: { team: 'a' } } })
  await it.host.sleep(5_000)
  await it.client.delete(Volume, 'data')
  await it.host.sleep(5_000)
  expect([calls, await isGone(it)]).toEqual([['rw', 'rw'], true])
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
