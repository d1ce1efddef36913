import * as z from 'zod'
import { expect, test } from 'vitest'
import { GiveUpError, RetryLaterError } from '../controller/index.ts'
import { defineResource } from '../definition/index.ts'
import type { Intercept, VirtualEventKind, VirtualHost } from '../host/index.ts'
import { ConfigMap } from '../kinds/index.ts'
import type { Logger } from '../log/index.ts'
import { operator } from '../operator/index.ts'
import { createIdleWorld } from './testdata/world.ts'

const Widget = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  spec: z.object({ text: z.string() }),
})

type LogRecord = Readonly<Record<string, unknown>>

function recordsOf(host: VirtualHost): LogRecord[] {
  return host.logged.map((line) => JSON.parse(line) as LogRecord)
}

async function createWorld(intercept?: Intercept) {
  const world = await createIdleWorld([Widget], { seed: 3, intercept })
  return {
    ...world,
    create: (name: string) =>
      world.client.create(Widget, { metadata: { name }, spec: { text: name } }),
  }
}

const widgets = operator(Widget).child('config', ConfigMap, ({ spec }) => ({ data: spec }))

test('logs start, caches and stop, and at debug level every cache and reconcile', async () => {
  await using world = await createWorld()
  const running = await world.start([widgets], { logLevel: 'debug' })
  await world.host.sleep(1000)
  await world.create('a')
  await world.host.sleep(1000)
  await running.stop()
  const records = recordsOf(world.host)
  const messages = (level: number) =>
    records.filter((record) => record['level'] === level).map(({ msg }) => msg)
  expect(messages(30)).toEqual(['starting', 'all caches are synced', 'stopping', 'stopped'])
  expect(messages(20)).toEqual(['cache synced', 'cache synced', 'reconcile ended'])
  expect(records[0]).toMatchObject({
    operators: ['widgets.example.com'],
    server: world.connection.server,
    context: 'admin',
  })
  expect(records.find(({ msg }) => msg === 'reconcile ended')).toMatchObject({
    operator: 'widgets.example.com',
    key: 'default/a',
    result: 'done',
    reasons: ['Widget default/a added'],
    durationMs: expect.any(Number) as number,
    waitedMs: 0,
  })
})

test('logs a failed reconcile with its reasons, and a programming error with its stack', async () => {
  await using world = await createWorld()
  const failing = operator(Widget).reconcile(async ({ spec }, { log, client }) => {
    log.info({ password: 'hidden' }, `looking at ${spec.text}`)
    if (spec.text === 'missing') await client.get(ConfigMap, 'nowhere')
    if (spec.text === 'hopeless') throw new GiveUpError('it will never work')
    if (spec.text === 'later') throw new RetryLaterError('not yet', { after: '1h' })
    if (spec.text === 'mistake') (undefined as unknown as string).trim()
  })
  await using running = await world.start([failing])
  for (const name of ['missing', 'hopeless', 'later', 'mistake']) await world.create(name)
  await world.host.settle()
  await running.stop()
  const records = recordsOf(world.host)
  const of = (name: string) => records.filter(({ key }) => key === `default/${name}`)
  const [said, failed] = of('missing')
  expect(said).toMatchObject({
    level: 30,
    msg: 'looking at missing',
    operator: 'widgets.example.com',
    password: '[redacted]',
  })
  expect(failed).toMatchObject({
    level: 40,
    msg: 'reconcile failed',
    run: said?.['run'],
    reasons: ['Widget default/missing added'],
    failures: 1,
    err: { type: 'SetpointError', code: 'API_NOT_FOUND' },
  })
  expect(failed?.['err']).not.toHaveProperty('stack')
  expect(of('hopeless')[1]).toMatchObject({ level: 40, err: { code: 'GIVE_UP' } })
  expect(of('later')).toHaveLength(1)
  expect(of('mistake')[1]).toMatchObject({
    level: 50,
    err: { type: 'TypeError', stack: expect.stringContaining('logs.test.ts') as string },
  })
})

test('passes a logger to cleanups', async () => {
  await using world = await createWorld()
  const cleaning = operator(Widget).onDelete(async (_, { log }) => log.info('cleaned up'))
  await using running = await world.start([cleaning])
  await world.create('a')
  await world.host.settle()
  await world.client.delete(Widget, 'a')
  await world.host.settle()
  await running.stop()
  expect(recordsOf(world.host)).toContainEqual(
    expect.objectContaining({
      msg: 'cleaned up',
      operator: 'widgets.example.com',
      key: 'default/a',
    }),
  )
})

test('logs a watch that cannot be opened once, and when it recovers', async () => {
  let isDown = false
  const broken: readonly VirtualEventKind[] = ['connect', 'response-chunk']
  await using world = await createWorld((event) =>
    isDown && broken.includes(event.kind) ? 'cut' : undefined,
  )
  await using running = await world.start([widgets])
  await world.host.sleep(1000)
  isDown = true
  await world.host.sleep(300_000)
  isDown = false
  await world.host.sleep(120_000)
  await running.stop()
  const records = recordsOf(world.host).filter(({ kind }) => kind === 'widgets.example.com')
  expect(records).toMatchObject([
    {
      level: 40,
      msg: 'cannot open the watch: retrying with growing delays',
      err: { code: expect.stringMatching(/^NETWORK_/) as string },
    },
    { level: 30, msg: 'watch recovered' },
  ])
})

test('logs nothing about a watch that breaks and is reopened', async () => {
  let cuts = 0
  await using world = await createWorld((event) =>
    cuts > 0 && event.kind === 'response-chunk' ? ((cuts -= 1), 'cut') : undefined,
  )
  await using running = await world.start([widgets])
  await world.host.sleep(1000)
  cuts = 1
  await world.host.sleep(300_000)
  expect(cuts).toBe(0)
  await running.stop()
  expect(recordsOf(world.host).filter(({ level }) => level === 40)).toEqual([])
})

test('logs a watch that breaks every second once with the reason, and reopens it less and less often', async () => {
  let isFlapping = false
  await using world = await createWorld(({ kind, url }) =>
    isFlapping && kind === 'response-chunk' && url?.includes('watch=true') === true
      ? 'cut'
      : undefined,
  )
  await using running = await world.start([widgets])
  await world.host.sleep(1000)
  isFlapping = true
  const openings = () =>
    world.cluster.trace.filter(({ verb, path }) => verb === 'watch' && path.endsWith('/widgets'))
  const before = openings().length
  for (let second = 0; second < 600; second += 1) {
    // Something is always sent, so that every watch breaks soon after it was opened.
    if (second % 2 === 0) await world.create(`w${second}`)
    await world.host.sleep(1000)
  }
  expect(openings().length - before).toBeLessThan(30)
  isFlapping = false
  await world.host.sleep(120_000)
  await running.stop()
  const records = recordsOf(world.host).filter(({ kind }) => kind === 'widgets.example.com')
  expect(records).toMatchObject([
    {
      level: 40,
      msg: 'the watch keeps breaking soon after it was opened: retrying with growing delays',
      err: { code: 'NETWORK_CONNECTION_LOST' },
    },
    { level: 30, msg: 'watch recovered' },
  ])
})

test('logs a warning of the server once', async () => {
  await using world = await createWorld()
  await using running = await world.start([widgets])
  for (const name of ['a', 'b']) {
    await running.client.create(ConfigMap, { metadata: { name }, typo: 'x' } as never)
  }
  const warned = recordsOf(world.host).filter(({ msg }) => msg === 'warning from the API server')
  expect(warned.map(({ warning }) => warning)).toEqual(['unknown field "typo"'])
})

test('does not log that caches are synced when they were stopped before', async () => {
  await using world = await createWorld()
  const running = await world.start([widgets])
  await running.stop()
  expect(recordsOf(world.host).map(({ msg }) => msg)).toEqual(['starting', 'stopping', 'stopped'])
})

test('logs changes of leadership', async () => {
  await using world = await createWorld()
  const lease = (identity: string) => ({ election: { name: 'widgets', identity } })
  const one = await world.start([widgets], lease('one'))
  await world.host.sleep(5_000)
  const two = await world.start([widgets], lease('two'))
  await world.host.sleep(5_000)
  await one.stop()
  await world.host.sleep(5_000)
  await two.stop()
  const messages = recordsOf(world.host).flatMap(({ lease: name, msg, holder }) =>
    name === 'widgets' ? [[msg, holder].join(' ').trim()] : [],
  )
  expect(messages).toEqual([
    'became leader',
    'another replica is the leader one',
    'released leadership',
    'became leader',
    'released leadership',
  ])
})

test('uses another logger instead of the host, for example pino', async () => {
  await using world = await createWorld()
  const lines: unknown[] = []
  const other = (bindings: object): Logger => {
    const write = (fields: object | string, message?: string) =>
      lines.push([bindings, fields, message])
    return {
      trace: write,
      debug: write,
      info: write,
      warn: write,
      error: write,
      child: (fields) => other({ ...bindings, ...fields }),
    }
  }
  const speaking = operator(Widget).reconcile(async (_, { log }) => log.info({ a: 1 }, 'here'))
  const running = await world.start([speaking], { logger: other({}) })
  await world.create('a')
  await world.host.settle()
  await running.stop()
  expect(world.host.logged).toEqual([])
  expect(lines).toContainEqual([
    { operator: 'widgets.example.com', key: 'default/a', run: expect.any(String) as string },
    { a: 1 },
    'here',
  ])
})
