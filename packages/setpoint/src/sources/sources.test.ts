import { expect, test } from 'vitest'
import * as z from 'zod'
import type { RunReport } from '../controller/index.ts'
import { defineResource } from '../definition/index.ts'
import { virtualHost } from '../host/index.ts'
import { operator } from '../operator/index.ts'
import { start } from '../start/index.ts'
import { createWorld, createWorldWith } from '../start/testdata/world.ts'

const Feed = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Feed',
  spec: z.object({}),
})

test('reconciles the objects of external events, and reopens a source that fails', async () => {
  const runs: string[] = []
  const opened: number[] = []
  const feeding = operator(Feed)
    .source(
      'ticker',
      async function* (signal) {
        opened.push(opened.length)
        yield { feed: 'default/a' }
        yield { feed: 'broken' }
        yield { feed: 'default/b' }
        if (opened.length === 1) throw new Error('the line is cut')
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
      ({ feed }) => {
        if (feed === 'broken') throw new Error('whose is this?')
        return [feed]
      },
    )
    .reconcile(async ({ metadata }, { reasons }) => {
      runs.push(`${metadata.name}: ${reasons.map(String).join(', ')}`)
    })
  await using world = await createWorld(feeding)
  await world.client.create(Feed, { metadata: { name: 'a' }, spec: {} })
  await world.client.create(Feed, { metadata: { name: 'b' }, spec: {} })
  await world.host.settle()
  runs.length = 0
  await world.host.sleep(5_000)
  expect(opened).toEqual([0, 1])
  expect(runs.map((run) => run.slice(0, 1))).toEqual(['a', 'b'])
  expect(runs[0]).toContain('ticker')
})

test('stops although a source never ends', async () => {
  const deaf = operator(Feed).source(
    'deaf',
    () => ({
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<string>>(() => {}) }),
    }),
    (key) => [key],
  )
  const world = await createWorld(deaf)
  await world.host.settle()
  await world[Symbol.asyncDispose]()
})

test('enqueues the keys of an HTTP request, and refuses invalid and large requests', async () => {
  const runs: string[] = []
  const hooked = operator(Feed)
    .httpSource('/hooks/feed', ({ headers, json }) => {
      if (headers['x-secret'] !== 'open') throw new Error('wrong signature')
      return [(json() as { feed: string }).feed]
    })
    .reconcile(async ({ metadata }) => void runs.push(metadata.name))
  await using world = await createWorldWith({ httpSources: {} }, hooked)
  await world.client.create(Feed, { metadata: { name: 'a' }, spec: {} })
  await world.host.settle()
  runs.length = 0
  const send = async (options: { method?: string; path?: string; body?: string; key?: string }) => {
    const { method = 'POST', path = '/hooks/feed', body = '{}', key = 'open' } = options
    const url = `${world.running.httpSourcesUrl}${path}`
    const headers = { 'x-secret': key }
    const payload = method === 'POST' ? { body } : {}
    const { status } = await world.host.request({ method, url, headers, ...payload })
    await world.host.settle()
    return status
  }
  const body = JSON.stringify({ feed: 'default/a' })
  expect(await send({ body })).toBe(202)
  expect(runs).toEqual(['a'])
  expect(await send({ body, key: 'guess' })).toBe(400)
  expect(await send({ body: 'no json' })).toBe(400)
  expect(await send({ body: 'x'.repeat(1024 * 1024 + 1) })).toBe(413)
  expect(await send({ path: '/hooks/other' })).toBe(404)
  expect(await send({ method: 'GET' })).toBe(405)
  expect(runs).toEqual(['a'])
})

test('refuses to start HTTP sources without an address', async () => {
  const hooked = operator(Feed).httpSource('/hooks/feed', () => [])
  const host = virtualHost({ seed: 1 })
  const credentials = { current: async () => ({ headers: {}, tls: {} }), refused: () => undefined }
  const connection = { name: 'x', server: 'http://nowhere', namespace: 'default', credentials }
  await expect(start([hooked], { host, connection })).rejects.toMatchObject({
    code: 'OPERATOR_INVALID',
    hint: "start it with httpSources: { hostname: '0.0.0.0', port: 8082 }",
  })
  const other = operator(Feed, { name: 'other' }).httpSource('/hooks/feed', () => [])
  await expect(start([hooked, other], { host, connection, httpSources: {} })).rejects.toMatchObject(
    {
      code: 'OPERATOR_INVALID',
      message: expect.stringContaining(
        'two operators have an HTTP source at /hooks/feed',
      ) as string,
    },
  )
  expect(() => hooked.httpSource('/hooks/feed', () => [])).toThrow('is declared twice')
  expect(() => hooked.httpSource('no path', () => [])).toThrow('is not a path')
  host.stop()
})

test('accepts a single key, and reports an invalid one', async () => {
  const runs: string[] = []
  const feeding = operator(Feed)
    .httpSource('/hook', ({ text }) => text)
    .reconcile(async ({ metadata }, { reasons }) => {
      if (reasons.some(({ cause }) => cause === 'external')) runs.push(metadata.name)
    })
  await using world = await createWorldWith({ httpSources: {} }, feeding)
  await world.client.create(Feed, { metadata: { name: 'a' }, spec: {} })
  await world.host.settle()
  const post = async (body: string): Promise<number> => {
    const url = `${world.running.httpSourcesUrl}/hook`
    return (await world.host.request({ method: 'POST', url, headers: {}, body })).status
  }
  expect(await post('default/a')).toBe(202)
  expect(await post('what is this')).toBe(400)
  await world.host.settle()
  expect(runs).toEqual(['a'])
})

test('closes an unfinished request, and does not enqueue keys without an object', async () => {
  const runs: string[] = []
  const feeding = operator(Feed).httpSource('/hook', ({ text }) => text.split(','))
  const onRunEnd = ({ run }: RunReport): void => void runs.push(run.key)
  await using world = await createWorldWith({ httpSources: {}, onRunEnd }, feeding)
  await world.client.create(Feed, { metadata: { name: 'a' }, spec: {} })
  await world.host.settle()
  runs.length = 0
  const url = `${world.running.httpSourcesUrl}/hook`
  async function* unfinished(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode('default/')
    await new Promise(() => undefined)
  }
  await expect(
    world.host.request({ method: 'POST', url, body: unfinished() }),
  ).rejects.toMatchObject({ code: 'NETWORK_CONNECTION_LOST' })
  const keys = Array.from({ length: 1_000 }, (_, number) => `default/ghost-${number}`)
  const body = ['default/a', ...keys].join(',')
  expect((await world.host.request({ method: 'POST', url, body })).status).toBe(202)
  await world.host.settle()
  expect(runs).toEqual(['default/a'])
})
