import { expect, test } from 'vitest'
import { nodeHost, readText, virtualHost } from '../index.ts'
import type { Host, HttpRequest, HttpServer, ServerResponse } from '../index.ts'

/** A host for all tests below: all hosts must refuse the same with the same text. */
interface Subject {
  readonly host: Host
  readonly logged: readonly string[]
}

const subjects: Record<string, () => Subject> = {
  'node host': () => {
    const logged: string[] = []
    return { host: nodeHost({ log: (line) => void logged.push(line) }), logged }
  },
  'virtual host': () => {
    const host = virtualHost({ seed: 1 })
    return { host, logged: host.logged }
  },
}

function onEveryHost(sentence: string, check: (subject: Subject) => Promise<void>): void {
  for (const [name, create] of Object.entries(subjects)) {
    test(`${sentence} (${name})`, () => check(create()))
  }
}

const misused = expect.objectContaining({ code: 'HOST_MISUSED' }) as Error

async function* stream(...chunks: readonly unknown[]) {
  for (const chunk of chunks) {
    yield (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk) as Uint8Array
  }
}

/** A server that records requests and responds with the received body. */
async function echo(host: Host) {
  const paths: string[] = []
  const server = await host.listen({
    handle: async (request) => {
      paths.push(request.path)
      const { 'x-value': value } = request.headers
      const body = await readText(request.body, 1000)
      return { status: 200, body, headers: value === undefined ? {} : { 'x-value': value } }
    },
  })
  return { server, paths, [Symbol.asyncDispose]: () => server.close({ graceMs: 0 }) }
}

/** Values that violate the types, as in plain JavaScript. */
const asRequest = (options: object) => options as Partial<HttpRequest>

async function ask(host: Host, server: HttpServer, options: object = {}): Promise<string> {
  const request = { method: 'POST', url: server.url, ...asRequest(options) }
  return readText((await host.request(request)).body, 1000)
}

onEveryHost('refuses an invalid URL', async ({ host }) => {
  for (const url of ['', '/relative', 'ftp://host/x', 'http://']) {
    const request = host.request({ method: 'GET', url })
    await expect(request).rejects.toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
  }
})

onEveryHost('refuses an invalid request before anything is sent', async ({ host }) => {
  await using subject = await echo(host)
  const { server, paths } = subject
  const refused: object[] = [
    { headers: { a: 'b\nc' } },
    { headers: { 'a b': 'c' } },
    { headers: { '': 'c' } },
    { headers: { a: '\u65e5\u672c' } },
    { headers: { a: 5 } },
    { headers: { a: undefined } },
    { method: '' },
    { method: 'GE T' },
    { method: 'get' },
    { method: 'CONNECT' },
    { method: undefined },
    { body: null },
    { body: 5 },
    { body: ['a'] },
    { signal: {} },
    { signal: null },
    { connectTimeoutMs: NaN },
    { connectTimeoutMs: '5' },
  ]
  for (const options of refused) {
    await expect(ask(host, server, options), JSON.stringify(options)).rejects.toEqual(misused)
  }
  expect(paths).toEqual([])
  expect(await ask(host, server, { body: 'fine' })).toBe('fine')
})

onEveryHost('refuses credentials in a URL without showing them', async ({ host }) => {
  for (const url of ['http://user:secret@127.0.0.1:1/', 'http://secret@127.0.0.1:1/']) {
    const request = host.request({ method: 'GET', url })
    const error: unknown = await request.catch((reason: unknown) => reason)
    expect(error).toEqual(misused)
    expect(String(error)).not.toContain('secret')
  }
})

onEveryHost('refuses a wrong content-length of a request', async ({ host }) => {
  await using subject = await echo(host)
  const { server, paths } = subject
  const body = 'abcGET /smuggled HTTP/1.1\r\nhost: x\r\n\r\n'
  const refused: object[] = [
    { body, headers: { 'content-length': '3' } },
    { body, headers: { 'Content-Length': '99' } },
    { body: new Uint8Array(5), headers: { 'content-length': '4' } },
    { headers: { 'content-length': '5' } },
    { body: stream(body), headers: { 'content-length': 'three' } },
    { body, headers: { 'transfer-encoding': 'chunked' } },
    { body: stream(body), headers: { 'Transfer-Encoding': 'identity' } },
    { body: stream('abc', body), headers: { 'content-length': '3' } },
    { body: stream('ab'), headers: { 'content-length': '3' } },
  ]
  for (const options of refused) {
    await expect(ask(host, server, options), JSON.stringify(options)).rejects.toEqual(misused)
  }
  expect(paths.filter((path) => path !== '/')).toEqual([])
  for (const fine of ['abc', stream('a', 'bc')]) {
    const answer = ask(host, server, { body: fine, headers: { 'content-length': '3' } })
    expect(await answer).toBe('abc')
  }
})

onEveryHost('refuses a wrong content-length of a response', async (s) => {
  const answers: Record<string, object> = {
    '/short': { body: 'abc', headers: { 'content-length': '2' } },
    '/long': { body: 'abc', headers: { 'content-length': '9' } },
    '/chunked': { body: 'abc', headers: { 'transfer-encoding': 'chunked' } },
    '/type': { body: 5 },
    '/header': { headers: { a: 'b\nc' } },
    '/more': { body: stream('abc', 'd'), headers: { 'content-length': '3' } },
    '/less': { body: stream('ab'), headers: { 'content-length': '3' } },
    '/fine': { body: stream('ab', 'c'), headers: { 'content-length': '3' } },
  }
  await using server = await s.host.listen({
    handle: ({ path }) => Promise.resolve({ status: 200, ...answers[path] } as ServerResponse),
  })
  const get = (path: string) => s.host.request({ method: 'GET', url: server.url + path })
  for (const path of ['/short', '/long', '/chunked', '/type', '/header']) {
    expect((await get(path)).status, path).toBe(500)
  }
  for (const path of ['/more', '/less']) {
    const reading = get(path).then(({ body }) => readText(body, 100))
    await expect(reading, path).rejects.toMatchObject({ code: 'NETWORK_CONNECTION_LOST' })
  }
  expect(await readText((await get('/fine')).body, 100)).toBe('abc')
  expect(s.logged).toHaveLength(7)
})

onEveryHost('allows content-length in a response to HEAD', async (s) => {
  await using server = await s.host.listen({
    handle: () => Promise.resolve({ status: 200, headers: { 'content-length': '9' } }),
  })
  const { headers } = await s.host.request({ method: 'HEAD', url: server.url })
  expect(headers['content-length']).toBe('9')
})

onEveryHost('fails a body with a chunk that is not bytes', async ({ host, logged }) => {
  await using subject = await echo(host)
  await expect(ask(host, subject.server, { body: stream('a', null) })).rejects.toEqual(misused)
  await using server = await host.listen({
    handle: () => Promise.resolve({ status: 200, body: stream('a', 5) }),
  })
  const answer = ask(host, server)
  await expect(answer).rejects.toMatchObject({ code: 'NETWORK_CONNECTION_LOST' })
  expect(logged.join()).toContain('not a Uint8Array')
})

onEveryHost('delivers header values trimmed and unchanged', async ({ host }) => {
  await using subject = await echo(host)
  const { url } = subject.server
  for (const value of ['caf\u00e9', ' \tpadded\t ', '\u00a0', '']) {
    for (const body of [undefined, 'text', stream('text')]) {
      const headers = { 'X-Value': value }
      const response = await host.request({ method: 'POST', url, headers, body })
      expect(response.headers['x-value']).toBe(value.replace(/^[\t ]+|[\t ]+$/g, ''))
      await readText(response.body, 100)
    }
  }
})

onEveryHost('sends a request as it was when it was made', async ({ host }) => {
  await using subject = await echo(host)
  const headers = { 'x-value': 'before' }
  const response = host.request({ method: 'POST', url: subject.server.url, headers })
  headers['x-value'] = 'after'
  expect((await response).headers['x-value']).toBe('before')
})

onEveryHost('refuses an invalid port', async ({ host }) => {
  const handle = () => Promise.resolve({ status: 200 })
  for (const port of [-1, 70_000, 1.5, NaN]) {
    await expect(host.listen({ handle, port })).rejects.toEqual(misused)
  }
})

onEveryHost('refuses an invalid grace, and keeps the server open', async ({ host }) => {
  await using subject = await echo(host)
  await expect(subject.server.close({ graceMs: NaN })).rejects.toEqual(misused)
  expect(await ask(host, subject.server, { body: 'here' })).toBe('here')
})

onEveryHost('delivers all values of a header', async ({ host }) => {
  await using subject = await echo(host)
  const { url } = subject.server
  for (const body of ['x', stream('x')]) {
    const headers = { 'X-Value': [' a', 'b, c'] }
    const response = await host.request({ method: 'POST', url, headers, body })
    expect(response.headers['x-value']).toBe('a, b, c')
    await readText(response.body, 100)
  }
  const headers = { 'x-value': ['a', 'b\nc'] }
  await expect(host.request({ method: 'POST', url, headers })).rejects.toEqual(misused)
})
