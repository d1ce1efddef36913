import { expect, test } from 'vitest'
import { nodeHost, readText, virtualHost } from '../index.ts'
import type { Host, HttpRequest, HttpServer, ServerResponse } from '../index.ts'

/** A host that must refuse the same things as the other one, in the same words. */
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

/** A server that remembers what was asked and answers with the body it got. */
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

/** Everything that breaks the types, as a caller in plain JavaScript could. */
const asRequest = (options: object) => options as Partial<HttpRequest>

async function ask(host: Host, server: HttpServer, options: object = {}): Promise<string> {
  const request = { method: 'POST', url: server.url, ...asRequest(options) }
  return readText((await host.request(request)).body, 1000)
}

onEveryHost('a URL that cannot be asked is refused', async ({ host }) => {
  for (const url of ['', '/relative', 'ftp://host/x', 'http://']) {
    const request = host.request({ method: 'GET', url })
    await expect(request).rejects.toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
  }
})

onEveryHost('what HTTP cannot carry is refused before anything is sent', async ({ host }) => {
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

onEveryHost('credentials in a URL are refused, without being repeated', async ({ host }) => {
  for (const url of ['http://user:secret@127.0.0.1:1/', 'http://secret@127.0.0.1:1/']) {
    const request = host.request({ method: 'GET', url })
    const error: unknown = await request.catch((reason: unknown) => reason)
    expect(error).toEqual(misused)
    expect(String(error)).not.toContain('secret')
  }
})

onEveryHost('a length that is not that of the body cannot smuggle a request', async ({ host }) => {
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

onEveryHost('a handler cannot answer with a length that is not that of its body', async (s) => {
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

onEveryHost('an answer to HEAD may announce the length of the body it leaves out', async (s) => {
  await using server = await s.host.listen({
    handle: () => Promise.resolve({ status: 200, headers: { 'content-length': '9' } }),
  })
  const { headers } = await s.host.request({ method: 'HEAD', url: server.url })
  expect(headers['content-length']).toBe('9')
})

onEveryHost('a chunk that is not bytes fails the body', async ({ host, logged }) => {
  await using subject = await echo(host)
  await expect(ask(host, subject.server, { body: stream('a', null) })).rejects.toEqual(misused)
  await using server = await host.listen({
    handle: () => Promise.resolve({ status: 200, body: stream('a', 5) }),
  })
  const answer = ask(host, server)
  await expect(answer).rejects.toMatchObject({ code: 'NETWORK_CONNECTION_LOST' })
  expect(logged.join()).toContain('not a Uint8Array')
})

onEveryHost('header values arrive trimmed and otherwise as they were sent', async ({ host }) => {
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

onEveryHost('a request is what it was when it was made', async ({ host }) => {
  await using subject = await echo(host)
  const headers = { 'x-value': 'before' }
  const response = host.request({ method: 'POST', url: subject.server.url, headers })
  headers['x-value'] = 'after'
  expect((await response).headers['x-value']).toBe('before')
})

onEveryHost('a port that does not exist is refused', async ({ host }) => {
  const handle = () => Promise.resolve({ status: 200 })
  for (const port of [-1, 70_000, 1.5, NaN]) {
    await expect(host.listen({ handle, port })).rejects.toEqual(misused)
  }
})

onEveryHost('a grace that is not a number is refused, and the server stays', async ({ host }) => {
  await using subject = await echo(host)
  await expect(subject.server.close({ graceMs: NaN })).rejects.toEqual(misused)
  expect(await ask(host, subject.server, { body: 'here' })).toBe('here')
})

onEveryHost('a header with several values arrives with all of them', async ({ host }) => {
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
