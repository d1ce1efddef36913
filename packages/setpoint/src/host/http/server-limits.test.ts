import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { type Host, nodeHost, readText, type ServerLimits, virtualHost } from '../index.ts'

const hosts: Record<string, () => Host> = {
  'node host': () => nodeHost({ log: () => undefined }),
  'virtual host': () => virtualHost({ seed: 1 }),
}

function onEveryHost(sentence: string, check: (host: Host) => Promise<void>): void {
  for (const [name, create] of Object.entries(hosts)) {
    test(`${sentence} (${name})`, () => check(create()))
  }
}

const limits: ServerLimits = { connections: 3, headMs: 60_000, exchangeMs: 60_000 }

/** A body that sends some bytes and never ends. */
async function* unfinished(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode('part')
  await new Promise(() => undefined)
}

/** Collects the reasons of failed promises. */
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'answered',
    (error: unknown) => (error as { code?: string }).code,
  )

onEveryHost('closes a connection when all others have requests in progress', async (host) => {
  const arrivals: (() => void)[] = []
  const waiting = new Set<() => void>()
  await using server = await host.listen({
    limits,
    handle: async () => {
      arrivals.shift()?.()
      await new Promise<void>((resolve) => waiting.add(resolve))
      return { status: 200, body: 'done' }
    },
  })
  const url = server.url
  const answers = []
  for (let count = 0; count < limits.connections; count += 1) {
    const arrived = new Promise<void>((resolve) => arrivals.push(resolve))
    answers.push(host.request({ method: 'GET', url }))
    await arrived
  }
  expect(await codeOf(host.request({ method: 'GET', url }))).toBe('NETWORK_CONNECTION_LOST')
  for (const answer of waiting) answer()
  for (const answer of await Promise.all(answers)) {
    expect(await readText(answer.body, 100)).toBe('done')
  }
  const again = host.request({ method: 'GET', url })
  const arrived = new Promise<void>((resolve) => arrivals.push(resolve))
  await arrived
  for (const answer of waiting) answer()
  expect((await again).status).toBe(200)
})

onEveryHost('resets an upload that does not end in time', async (host) => {
  const ends: Promise<unknown>[] = []
  await using server = await host.listen({
    limits: { ...limits, exchangeMs: 30 },
    handle: async ({ body, signal }) => {
      ends.push(new Promise((resolve) => signal.addEventListener('abort', resolve)))
      return { status: 200, body: await readText(body, 100) }
    },
  })
  const upload = host.request({ method: 'POST', url: server.url, body: unfinished() })
  expect(await codeOf(upload)).toBe('NETWORK_CONNECTION_LOST')
  expect(ends).toHaveLength(1)
  await Promise.all(ends)
})

onEveryHost('resets a response that the client does not read in time', async (host) => {
  await using server = await host.listen({
    limits: { ...limits, exchangeMs: 30 },
    handle: () => Promise.resolve({ status: 200, body: unfinished() }),
  })
  const { body } = await host.request({ method: 'GET', url: server.url })
  expect(await codeOf(readText(body, 100))).toBe('NETWORK_CONNECTION_LOST')
})

test('replaces the oldest connection without a request', async () => {
  const host = nodeHost({ log: () => undefined })
  await using server = await host.listen({
    limits,
    handle: () => Promise.resolve({ status: 200, body: 'ok' }),
  })
  const idle = Array.from({ length: 10 }, () => connect(server.port, '127.0.0.1'))
  const closed = idle.map(
    (socket) =>
      new Promise<void>((resolve) => socket.on('error', () => undefined).once('close', resolve)),
  )
  for (const socket of idle) socket.resume()
  await Promise.all(closed.slice(0, 7))
  const { body } = await host.request({ method: 'GET', url: server.url })
  expect(await readText(body, 10)).toBe('ok')
  for (const socket of idle) socket.destroy()
})

test('closes a connection whose head does not arrive in time', async () => {
  await using server = await nodeHost({ log: () => undefined }).listen({
    limits: { ...limits, headMs: 40 },
    handle: () => Promise.resolve({ status: 200, body: 'ok' }),
  })
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
  socket.write('POST / HTTP/1.1\r\nhost: x\r\n')
  await new Promise<void>((resolve) => socket.resume().once('close', () => resolve()))
})

onEveryHost('a watch outlives the limit of an exchange', async (host) => {
  async function* events(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode('first ')
    await host.sleep(150)
    yield new TextEncoder().encode('last')
  }
  await using server = await host.listen({
    limits: { ...limits, exchangeMs: 50 },
    handle: async ({ path }) => ({ status: 200, body: events(), isWatch: path === '/watch' }),
  })
  const read = async (path: string): Promise<string> => {
    const { body } = await host.request({ method: 'GET', url: server.url + path })
    return readText(body, 100)
  }
  expect(await read('/watch')).toBe('first last')
  expect(await codeOf(read('/other'))).toBe('NETWORK_CONNECTION_LOST')
})

onEveryHost('the values of a repeated header are known one by one', async (host) => {
  await using server = await host.listen({
    handle: async ({ headers, headerValues }) => ({
      status: 200,
      body: JSON.stringify([headers['x-group'], headerValues?.('x-group'), headerValues?.('x-no')]),
    }),
  })
  const headers = { 'x-group': ['a, b', 'c'] }
  const { body } = await host.request({ method: 'GET', url: server.url, headers })
  expect(JSON.parse(await readText(body, 100))).toEqual(['a, b, c', ['a, b', 'c'], []])
})
