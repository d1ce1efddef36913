import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { nodeHost, readBytes, readText, virtualHost } from '../index.ts'
import type { Host, HttpHandler, HttpResponse, HttpServer, ServerRequest } from '../index.ts'

/** A host for all tests below: HTTP must behave the same on all of them. */
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
  'virtual host that rechunks': () => {
    const host = virtualHost({ seed: 2, rechunk: true })
    return { host, logged: host.logged }
  },
}

function onEveryHost(sentence: string, check: (subject: Subject) => Promise<void>): void {
  for (const [name, create] of Object.entries(subjects)) {
    test(`${sentence} (${name})`, () => check(create()))
  }
}

const bytes = (text: string) => new TextEncoder().encode(text)
const utf8 = (chunk: Uint8Array | undefined) => new TextDecoder().decode(chunk)
const ok: HttpHandler = () => Promise.resolve({ status: 200, body: 'ok' })
const failsWith = (code: string) => expect.objectContaining({ code }) as Error

/** A promise that the test resolves. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** Settles when the signal is aborted; otherwise the test fails by its timeout. */
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** An endless body that counts its pulls and records whether it was stopped. */
function endlessBody(chunk: Uint8Array) {
  const state = { pulls: 0, returned: gate() }
  const body: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        state.pulls += 1
        // Far beyond every buffer: only a sender without back-pressure gets here.
        if (state.pulls * chunk.length > 256 * 2 ** 20)
          throw new Error('the pulls were not stopped')
        return Promise.resolve({ done: false, value: chunk })
      },
      return: () => {
        state.returned.open()
        return Promise.resolve({ done: true, value: undefined })
      },
    }),
  }
  return { state, body }
}

/** Waits until a count stays constant while the same process makes many other requests. */
async function standsStill(host: Host, server: HttpServer, count: () => number): Promise<number> {
  let last = -1
  for (let calm = 0; calm < 50; calm += 1) {
    if (count() !== last) calm = 0
    last = count()
    const { body } = await host.request({ method: 'GET', url: `${server.url}/ping` })
    await readText(body, 100)
  }
  return last
}

async function get(host: Host, server: HttpServer, path = '/'): Promise<HttpResponse> {
  return host.request({ method: 'GET', url: server.url + path })
}

onEveryHost('delivers a request and its response unchanged', async (s) => {
  const seen: ServerRequest[] = []
  await using server = await s.host.listen({
    handle: async (request) => {
      seen.push(request)
      const text = await readText(request.body, 100)
      return { status: 201, headers: { 'X-Answer': 'forty-two' }, body: text.toUpperCase() }
    },
  })
  const response = await s.host.request({
    method: 'POST',
    url: `${server.url}/a%20b/c?watch=1&x=%2F`,
    headers: { 'X-Question': 'what?' },
    body: 'send me',
  })
  expect(response.status).toBe(201)
  expect(response.headers).toMatchObject({ 'x-answer': 'forty-two', 'content-length': '7' })
  expect(await readText(response.body, 100)).toBe('SEND ME')
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatchObject({ method: 'POST', path: '/a%20b/c?watch=1&x=%2F' })
  expect(seen[0]?.headers).toMatchObject({ 'x-question': 'what?', 'content-length': '7' })
  expect(seen[0]?.headers['host']).toBe(new URL(server.url).host)
  expect(seen[0]?.peer).toEqual({ address: '127.0.0.1' })
  expect(seen[0]?.signal.aborted).toBe(false)
})

onEveryHost('streams both bodies at the same time', async (s) => {
  await using server = await s.host.listen({
    handle: (request) => Promise.resolve({ status: 200, body: request.body }),
  })
  const answered = [gate(), gate(), gate()]
  async function* conversation() {
    for (const [index, gateOfChunk] of answered.entries()) {
      yield bytes(`${index}`)
      await gateOfChunk.opened
    }
  }
  const response = await s.host.request({ method: 'POST', url: server.url, body: conversation() })
  let heard = ''
  for await (const chunk of response.body) {
    heard += utf8(chunk)
    answered[Number(utf8(chunk))]?.open()
  }
  expect(heard).toBe('012')
})

onEveryHost('sends the headers of a stream immediately', async (s) => {
  const silence = gate()
  await using server = await s.host.listen({
    handle: (request) => {
      async function* nothingYet() {
        await Promise.race([silence.opened, aborted(request.signal)])
        yield bytes('late')
      }
      return Promise.resolve({ status: 200, headers: { kind: 'watch' }, body: nothingYet() })
    },
  })
  const response = await get(s.host, server)
  expect(response.headers['kind']).toBe('watch')
  silence.open()
  expect(await readText(response.body, 100)).toBe('late')
})

onEveryHost('sends the headers of a request before its first chunk', async (s) => {
  const arrived = gate()
  await using server = await s.host.listen({
    handle: async (request) => {
      arrived.open()
      return { status: 200, body: await readText(request.body, 100) }
    },
  })
  async function* afterArrival() {
    await arrived.opened
    yield bytes('here')
  }
  const { body } = await s.host.request({ method: 'PUT', url: server.url, body: afterArrival() })
  expect(await readText(body, 100)).toBe('here')
})

onEveryHost('stops pulling a response that is not read', async (s) => {
  const { state, body } = endlessBody(new Uint8Array(64 * 1024))
  await using server = await s.host.listen({
    handle: (request) =>
      request.path === '/ping' ? ok(request) : Promise.resolve({ status: 200, body }),
  })
  const response = await get(s.host, server)
  const pulls = await standsStill(s.host, server, () => state.pulls)
  const iterator = response.body[Symbol.asyncIterator]()
  let readBytesCount = 0
  while (readBytesCount < (pulls + 2) * 64 * 1024) {
    readBytesCount += (await iterator.next()).value?.length ?? 0
  }
  expect(state.pulls).toBeGreaterThan(pulls)
  await iterator.return()
  await state.returned.opened
})

onEveryHost('stops pulling a request body that is not read', async (s) => {
  const { state, body } = endlessBody(new Uint8Array(64 * 1024))
  const finish = gate()
  await using server = await s.host.listen({
    handle: async (request) => {
      if (request.path === '/ping') return ok(request)
      await finish.opened
      await request.body[Symbol.asyncIterator]().return()
      return { status: 413 }
    },
  })
  const stop = new AbortController()
  const { signal } = stop
  const answer = s.host.request({ method: 'POST', url: server.url, body, signal })
  const pulls = await standsStill(s.host, server, () => state.pulls)
  expect(pulls).toBeGreaterThan(0)
  finish.open()
  expect((await answer).status).toBe(413)
  stop.abort()
  await state.returned.opened
})

onEveryHost('does not send a request whose signal is aborted', async (s) => {
  let calls = 0
  await using server = await s.host.listen({
    handle: (request) => {
      calls += 1
      return ok(request)
    },
  })
  const signal = AbortSignal.abort(new Error('too late'))
  const request = s.host.request({ method: 'GET', url: server.url, signal })
  await expect(request).rejects.toMatchObject({ code: 'ABORTED', cause: new Error('too late') })
  await readText((await get(s.host, server)).body, 100)
  expect(calls).toBe(1)
})

onEveryHost('aborts a request before it is connected', async (s) => {
  await using server = await s.host.listen({ handle: ok })
  const stop = new AbortController()
  const { signal } = stop
  const { state, body } = endlessBody(bytes('x'))
  const request = s.host.request({ method: 'POST', url: server.url, body, signal })
  stop.abort()
  await expect(request).rejects.toMatchObject({ code: 'ABORTED' })
  expect(await readText((await get(s.host, server)).body, 100)).toBe('ok')
  expect(state.pulls).toBeLessThan(10)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

onEveryHost('does not pull a response after the client disconnected', async (s) => {
  const stop = new AbortController()
  const { state, body } = endlessBody(bytes('x'))
  await using server = await s.host.listen({
    handle: async (request) => {
      if (request.path === '/ping') return ok(request)
      stop.abort()
      await aborted(request.signal)
      return { status: 200, body }
    },
  })
  const { signal } = stop
  const request = s.host.request({ method: 'GET', url: server.url, signal })
  await expect(request).rejects.toMatchObject({ code: 'ABORTED' })
  await state.returned.opened
  expect(await standsStill(s.host, server, () => state.pulls)).toBe(0)
})

onEveryHost('aborts both sides while waiting for the response', async (s) => {
  const stop = new AbortController()
  const seen = gate()
  await using server = await s.host.listen({
    handle: async (request) => {
      stop.abort()
      await aborted(request.signal)
      seen.open()
      return { status: 200 }
    },
  })
  const { signal } = stop
  const request = s.host.request({ method: 'GET', url: server.url, signal })
  await expect(request).rejects.toMatchObject({ code: 'ABORTED' })
  await seen.opened
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

onEveryHost('aborts reader, body and handler while reading', async (s) => {
  const stop = new AbortController()
  const handlerSaw = gate()
  const { state, body } = endlessBody(bytes('event\n'))
  await using server = await s.host.listen({
    handle: (request) => {
      void aborted(request.signal).then(() => handlerSaw.open())
      return Promise.resolve({ status: 200, body })
    },
  })
  const { signal } = stop
  const response = await s.host.request({ method: 'GET', url: server.url, signal })
  const reading = (async () => {
    for await (const chunk of response.body) if (chunk.length > 0) stop.abort()
  })()
  await expect(reading).rejects.toMatchObject({ code: 'ABORTED' })
  await state.returned.opened
  await handlerSaw.opened
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

onEveryHost('ignores an abort after the end', async (s) => {
  const stop = new AbortController()
  const seen: ServerRequest[] = []
  await using server = await s.host.listen({
    handle: (request) => {
      seen.push(request)
      return ok(request)
    },
  })
  const { signal } = stop
  const response = await s.host.request({ method: 'GET', url: server.url, signal })
  expect(await readText(response.body, 100)).toBe('ok')
  stop.abort()
  expect(await readText((await get(s.host, server)).body, 100)).toBe('ok')
  expect(seen.map((request) => request.signal.aborted)).toEqual([false, false])
})

onEveryHost('leaves no listener on a shared signal', async (s) => {
  const { signal } = new AbortController()
  await using server = await s.host.listen({ handle: ok })
  const { url } = server
  const warnings: string[] = []
  const onWarning = (warning: Error) => void warnings.push(warning.name)
  process.on('warning', onWarning)
  for (let round = 0; round < 40; round += 1) {
    const batch = Array.from({ length: 25 }, async () => {
      const response = await s.host.request({ method: 'GET', url, signal })
      return readText(response.body, 100)
    })
    expect(new Set(await Promise.all(batch))).toEqual(new Set(['ok']))
  }
  // A response without a body is not read, and must not hold the signal either.
  await s.host.request({ method: 'HEAD', url, signal })
  await standsStill(s.host, server, () => getEventListeners(signal, 'abort').length)
  process.off('warning', onWarning)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  expect(warnings).toEqual([])
})

onEveryHost('leaves no listener after a failed or aborted request', async (s) => {
  const { signal } = new AbortController()
  const { body } = endlessBody(bytes('event\n'))
  const gone = await s.host.listen({ handle: ok })
  await gone.close()
  await using server = await s.host.listen({
    handle: (request) =>
      request.path === '/ping' ? ok(request) : Promise.resolve({ status: 200, body }),
  })
  const refused = s.host.request({ method: 'GET', url: gone.url, signal })
  await expect(refused).rejects.toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
  const response = await s.host.request({ method: 'GET', url: server.url, signal })
  for await (const chunk of response.body) if (chunk.length > 0) break
  await standsStill(s.host, server, () => getEventListeners(signal, 'abort').length)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

onEveryHost('notifies the server when the reader leaves the loop', async (s) => {
  const { state, body } = endlessBody(bytes('event\n'))
  await using server = await s.host.listen({
    handle: () => Promise.resolve({ status: 200, body }),
  })
  const response = await get(s.host, server)
  for await (const chunk of response.body) if (chunk.length > 0) break
  await state.returned.opened
})

onEveryHost('ends a pending read when the body is dropped', async (s) => {
  await using server = await s.host.listen({
    handle: (request) => {
      async function* silent() {
        await aborted(request.signal)
        yield bytes('never seen')
      }
      return Promise.resolve({ status: 200, body: silent() })
    },
  })
  const iterator = (await get(s.host, server)).body[Symbol.asyncIterator]()
  const waiting = iterator.next()
  await expect(iterator.next()).rejects.toThrow(/before the previous call finished/)
  await iterator.return()
  expect(await waiting).toEqual({ done: true, value: undefined })
  expect(await iterator.next()).toEqual({ done: true, value: undefined })
})

onEveryHost('resets a response whose body throws', async (s) => {
  const heard = gate()
  await using server = await s.host.listen({
    handle: () => {
      async function* broken() {
        yield bytes('first')
        await heard.opened
        throw new Error('disk on fire')
      }
      return Promise.resolve({ status: 200, body: broken() })
    },
  })
  const { body } = await get(s.host, server, '/stream?token=secret')
  let text = ''
  const reading = (async () => {
    for await (const chunk of body) {
      text += utf8(chunk)
      if (text === 'first') heard.open()
    }
  })()
  await expect(reading).rejects.toMatchObject({ code: 'NETWORK_CONNECTION_LOST' })
  expect(text).toBe('first')
  expect(s.logged).toHaveLength(1)
  expect(s.logged[0]).toContain('disk on fire')
  expect(s.logged[0]).not.toContain('secret')
})

onEveryHost('sends the headers although the body throws immediately', async (s) => {
  const broken: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => {
      throw new Error('cannot begin')
    },
  }
  await using server = await s.host.listen({
    handle: () => Promise.resolve({ status: 203, body: broken }),
  })
  const { status, body } = await get(s.host, server)
  expect(status).toBe(203)
  await expect(readText(body, 100)).rejects.toMatchObject({ code: 'NETWORK_CONNECTION_LOST' })
})

onEveryHost('responds with a bare 500 and a log line when a handler throws', async (s) => {
  await using server = await s.host.listen({
    handle: () => Promise.reject(new Error('the password is wrong')),
  })
  const response = await get(s.host, server, '/x?token=secret')
  expect(response.status).toBe(500)
  expect(await readText(response.body, 100)).toBe('internal server error\n')
  expect(s.logged).toHaveLength(1)
  expect(s.logged[0]).toContain('the password is wrong')
  expect(s.logged[0]).not.toContain('secret')
})

onEveryHost('responds with 500 for an invalid status', async (s) => {
  await using server = await s.host.listen({ handle: () => Promise.resolve({ status: 100 }) })
  expect((await get(s.host, server)).status).toBe(500)
  expect(s.logged[0]).toContain('status 100')
})

onEveryHost('fails a request with the error of its body on both sides', async (s) => {
  const arrived = gate()
  const lost = gate()
  let serverError: unknown
  await using server = await s.host.listen({
    handle: async (request) => {
      arrived.open()
      await readText(request.body, 1000).catch((error: unknown) => {
        serverError = error
        lost.open()
      })
      return { status: 200 }
    },
  })
  async function* broken() {
    yield bytes('first')
    await arrived.opened
    throw new Error('source dried up')
  }
  const request = s.host.request({ method: 'POST', url: server.url, body: broken() })
  await expect(request).rejects.toThrow('source dried up')
  await lost.opened
  expect(serverError).toMatchObject({ code: 'NETWORK_CONNECTION_LOST' })
})

onEveryHost('resets open streams on close without grace', async (s) => {
  const { state, body } = endlessBody(bytes('event\n'))
  const handlerSaw = gate()
  const server = await s.host.listen({
    handle: (request) => {
      void aborted(request.signal).then(() => handlerSaw.open())
      return Promise.resolve({ status: 200, body })
    },
  })
  const response = await get(s.host, server)
  const reading = readBytes(response.body, Infinity)
  await Promise.all([
    server.close({ graceMs: 0 }),
    expect(reading).rejects.toMatchObject({ code: 'NETWORK_CONNECTION_LOST' }),
  ])
  await state.returned.opened
  await handlerSaw.opened
  await expect(get(s.host, server)).rejects.toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
  await server.close()
})

onEveryHost('finishes requests on close with grace', async (s) => {
  const arrived = gate()
  const finish = gate()
  const server = await s.host.listen({
    handle: async () => {
      arrived.open()
      await finish.opened
      return { status: 200, body: 'made it' }
    },
  })
  const answer = get(s.host, server)
  await arrived.opened
  const closed = server.close({ graceMs: Infinity })
  await expect(get(s.host, server)).rejects.toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
  finish.open()
  expect(await readText((await answer).body, 100)).toBe('made it')
  await closed
})

onEveryHost('distinguishes a refused from a lost connection', async (s) => {
  const server = await s.host.listen({ handle: ok })
  await server.close()
  const request = s.host.request({ method: 'GET', url: `${server.url}/a?token=secret` })
  const error: unknown = await request.catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
  expect(String(error)).toContain(`GET ${server.url}/a failed`)
  expect(String(error)).not.toContain('secret')
})

onEveryHost('listens on an address only once', async (s) => {
  await using server = await s.host.listen({ handle: ok })
  const second = s.host.listen({ handle: ok, port: server.port })
  await expect(second).rejects.toMatchObject({ code: 'NETWORK_ADDRESS_IN_USE' })
  await server.close({ graceMs: 0 })
  await using third = await s.host.listen({ handle: ok, port: server.port })
  expect(third.port).toBe(server.port)
})

onEveryHost('transfers large bodies in both directions', async (s) => {
  const large = new Uint8Array(4 * 2 ** 20).map((_, index) => (index * 31) % 251)
  async function* slices() {
    for (let start = 0; start < large.length; start += 50_000) {
      yield large.subarray(start, start + 50_000)
      yield new Uint8Array(0)
    }
  }
  await using server = await s.host.listen({
    handle: async (request) => ({ status: 200, body: await readBytes(request.body, 2 ** 23) }),
  })
  for (const body of [large, slices()]) {
    const response = await s.host.request({ method: 'POST', url: server.url, body })
    expect(Buffer.compare(await readBytes(response.body, 2 ** 23), large)).toBe(0)
  }
})

onEveryHost('refuses a body over its limit, and still responds', async (s) => {
  const { state, body } = endlessBody(new Uint8Array(10_000))
  let failure: unknown
  await using server = await s.host.listen({
    handle: async (request) => {
      if (request.method === 'GET') return { status: 200, body }
      failure = await readBytes(request.body, 5).catch((error: unknown) => error)
      return { status: 413, body: 'too much' }
    },
  })
  const download = await get(s.host, server)
  await expect(readText(download.body, 50_000)).rejects.toThrow(
    /larger than its limit of 50000 bytes/,
  )
  await state.returned.opened
  const url = server.url
  const response = await s.host.request({ method: 'POST', url, body: 'x'.repeat(200_000) })
  expect(response.status).toBe(413)
  expect(String(failure)).toMatch(/larger than its limit of 5 bytes/)
  expect(await readText(response.body, 100)).toBe('too much')
})

onEveryHost('sends a DELETE with a body without affecting the next request', async (s) => {
  await using server = await s.host.listen({
    handle: async (request) => ({ status: 200, body: await readText(request.body, 100) }),
  })
  for (const body of ['{"a":1}', '{"b":2}']) {
    const response = await s.host.request({ method: 'DELETE', url: server.url, body })
    expect(await readText(response.body, 100)).toBe(body)
  }
})

onEveryHost('sends no body for HEAD and 204, and drops a stream', async (s) => {
  const { state, body } = endlessBody(bytes('x'))
  await using server = await s.host.listen({
    handle: (request) =>
      Promise.resolve(
        request.method === 'HEAD' ? { status: 200, body } : { status: 204, body: 'ignored' },
      ),
  })
  for (const method of ['HEAD', 'GET']) {
    const response = await s.host.request({ method, url: server.url })
    expect(await readText(response.body, 0)).toBe('')
  }
  await state.returned.opened
  expect(state.pulls).toBe(0)
})

onEveryHost('reads a body only once', async (s) => {
  await using server = await s.host.listen({ handle: ok })
  const { body } = await get(s.host, server)
  await readText(body, 100)
  await expect(readText(body, 100)).rejects.toThrow(/read twice/)
})

onEveryHost('TLS material cannot be replaced on a server without TLS', async (s) => {
  await using server = await s.host.listen({ handle: ok })
  expect(() => server.setTls({ cert: '', key: '' })).toThrow(/does not speak TLS/)
})

onEveryHost('ends an upload with an early response', async (s) => {
  for (const method of ['POST', 'PUT', 'PATCH']) {
    const { state, body } = endlessBody(new Uint8Array(10_000))
    const server = await s.host.listen({
      handle: async (request) => {
        if (request.method === 'POST') await request.body[Symbol.asyncIterator]().return()
        if (request.method === 'PUT')
          for await (const chunk of request.body) if (chunk[0] === 0) break
        return { status: 413, body: 'too much' }
      },
    })
    const response = await s.host.request({ method, url: server.url, body })
    expect(response.status).toBe(413)
    expect(await readText(response.body, 100)).toBe('too much')
    await state.returned.opened
    // The connection is closed; otherwise this would wait forever.
    await server.close({ graceMs: Infinity })
  }
})

onEveryHost('aborts although the cleanup of a body fails', async (s) => {
  const cleanups: (() => unknown)[] = [
    () => {
      throw new Error('cleanup failed')
    },
    () => ({ done: true }),
    () => Promise.reject(new Error('cleanup failed')),
  ]
  for (const cleanup of cleanups) {
    const stop = new AbortController()
    const { signal } = stop
    const silent = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined), return: cleanup }),
    } as AsyncIterable<Uint8Array>
    const server = await s.host.listen({
      handle: async (request) => {
        if (request.method === 'GET') return { status: 200, body: silent }
        stop.abort()
        await aborted(request.signal)
        return { status: 200 }
      },
    })
    const { body } = await get(s.host, server)
    await body[Symbol.asyncIterator]().return()
    const { url } = server
    const upload = s.host.request({ method: 'POST', url, body: silent, signal })
    const sleeping = s.host.sleep(Infinity, signal)
    const endings = await Promise.allSettled([upload, sleeping])
    expect(endings).toMatchObject(Array(2).fill({ reason: { code: 'ABORTED' } }))
    await server.close({ graceMs: Infinity })
  }
})

onEveryHost('reads nothing after an abort', async (s) => {
  await using server = await s.host.listen({
    handle: (request) =>
      Promise.resolve({ status: 200, body: 'x'.repeat(Number(request.path.slice(1))) }),
  })
  for (const path of ['/5', '/300000']) {
    const stop = new AbortController()
    const { signal } = stop
    const response = await s.host.request({ method: 'GET', url: server.url + path, signal })
    stop.abort()
    const reading = readText(response.body, 1_000_000)
    await expect(reading, path).rejects.toMatchObject({ code: 'ABORTED' })
  }
})

onEveryHost('HEAD is answered, even when the body that is not sent cannot begin', async (s) => {
  const broken = {
    [Symbol.asyncIterator]: () => {
      throw new Error('cannot begin')
    },
  }
  await using server = await s.host.listen({
    handle: () => Promise.resolve({ status: 200, body: broken }),
  })
  const { status } = await s.host.request({ method: 'HEAD', url: server.url })
  expect(status).toBe(200)
})

onEveryHost('shortens but never extends the grace of a close', async (s) => {
  const arrived = gate()
  const server = await s.host.listen({
    handle: async (request) => {
      arrived.open()
      await aborted(request.signal)
      return { status: 200 }
    },
  })
  const request = expect(get(s.host, server)).rejects.toEqual(failsWith('NETWORK_CONNECTION_LOST'))
  await arrived.opened
  const graces = [Infinity, 1, 1_000_000, Infinity]
  await Promise.all(graces.map((graceMs) => server.close({ graceMs })))
  await request
})
