import { expect, test } from 'vitest'
import { nodeHost, readText, virtualHost } from '../index.ts'
import type { Host, HttpHandler } from '../index.ts'

const hosts: Record<string, () => Host> = {
  'node host': () => nodeHost({ log: () => undefined }),
  'virtual host': () => virtualHost({ seed: 1 }),
}

function onEveryHost(sentence: string, check: (host: Host) => Promise<void>): void {
  for (const [name, create] of Object.entries(hosts)) {
    test(`${sentence} (${name})`, () => check(create()))
  }
}

const bytes = (text: string) => new TextEncoder().encode(text)
const utf8 = (chunk: Uint8Array | undefined) => new TextDecoder().decode(chunk)
const asked = { connection: 'Upgrade', upgrade: 'echo' }

/** A promise that the test resolves. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** A server that sends back what it receives. */
const echo: HttpHandler = ({ body }) =>
  Promise.resolve({ status: 101, headers: { upgrade: 'echo' }, body: shouted(body) })

async function* shouted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield bytes('hello ')
  for await (const chunk of body) yield bytes(utf8(chunk).toUpperCase())
}

onEveryHost('a client switches to another protocol, and both sides talk', async (host) => {
  await using server = await host.listen({ handle: echo })
  const answered = gate()
  async function* words() {
    yield bytes('one ')
    await answered.opened
    yield bytes('two')
  }
  const url = server.url
  const response = await host.request({ method: 'POST', url, headers: asked, body: words() })
  expect(response.status).toBe(101)
  expect(response.headers['upgrade']).toBe('echo')
  let heard = ''
  for await (const chunk of response.body) {
    heard += utf8(chunk)
    if (heard === 'hello ONE ') answered.open()
  }
  expect(heard).toBe('hello ONE TWO')
})

onEveryHost('the body is not sent to a server that does not switch', async (host) => {
  await using server = await host.listen({
    handle: () => Promise.resolve({ status: 403, body: 'no' }),
  })
  const dropped = gate()
  const body: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(new Error('the body was read')),
      return: () => {
        dropped.open()
        return Promise.resolve({ done: true, value: undefined })
      },
    }),
  }
  const url = server.url
  const response = await host.request({ method: 'POST', url, headers: asked, body })
  expect(response.status).toBe(403)
  expect(await readText(response.body, 100)).toBe('no')
  await dropped.opened
})

onEveryHost('an abort ends both directions of a switched connection', async (host) => {
  const ended = gate()
  await using server = await host.listen({
    handle: (request) => {
      request.signal.addEventListener('abort', () => ended.open())
      return echo(request)
    },
  })
  const stopped = gate()
  const endless: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => undefined),
      return: () => {
        stopped.open()
        return Promise.resolve({ done: true, value: undefined })
      },
    }),
  }
  const controller = new AbortController()
  const { signal } = controller
  const request = { method: 'GET', url: server.url, headers: asked, body: endless, signal }
  const { body } = await host.request(request)
  const reader = body[Symbol.asyncIterator]()
  expect(utf8((await reader.next()).value)).toBe('hello ')
  controller.abort()
  await expect(reader.next()).rejects.toMatchObject({ code: 'ABORTED' })
  await stopped.opened
  await ended.opened
})

onEveryHost('a slow reader of a switched connection stops the sender', async (host) => {
  const chunk = new Uint8Array(1024 * 1024)
  let pulls = 0
  const stopped = gate()
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (; pulls < 256; pulls += 1) yield chunk
    } finally {
      stopped.open()
    }
  }
  await using server = await host.listen({
    handle: ({ path }) =>
      Promise.resolve(
        path === '/ping'
          ? { status: 200 }
          : { status: 101, headers: { upgrade: 'bytes' }, body: endless() },
      ),
  })
  const { body } = await host.request({ method: 'GET', url: server.url, headers: asked })
  const reader = body[Symbol.asyncIterator]()
  await reader.next()
  for (let count = 0; count < 50; count += 1) {
    const ping = await host.request({ method: 'GET', url: `${server.url}/ping` })
    await readText(ping.body, 10)
  }
  expect(pulls).toBeLessThan(128)
  await reader.return()
  await stopped.opened
})
