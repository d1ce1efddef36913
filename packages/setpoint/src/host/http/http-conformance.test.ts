import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { nodeHost, readBytes, readText, virtualHost } from '../index.ts'
import type { Host, HttpHandler, HttpResponse, HttpServer, ServerRequest } from '../index.ts'

/** A host on which every test below is run: both must mean the same by HTTP. */
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

/** A promise that the test opens. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** Settles when the signal is aborted: a test that waits for it fails by its timeout otherwise. */
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** An endless body that counts how often it was pulled and whether it was told to stop. */
function endlessBody(chunk: Uint8Array) {
  const state = { pulls: 0, returned: gate() }
  const body: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        state.pulls += 1
        // Far beyond every buffer: only a sender that ignores its receiver gets here.
        if (state.pulls * chunk.length > 256 * 2 ** 20) throw new Error('nobody stopped the pulls')
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

/** Waits until a count stands still while the same process makes many other requests. */
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

onEveryHost('a request reaches the handler as it was sent, and so does the answer', async (s) => {
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
    body: 'tell me',
  })
  expect(response.status).toBe(201)
  expect(response.headers).toMatchObject({ 'x-answer': 'forty-two', 'content-length': '7' })
  expect(await readText(response.body, 100)).toBe('TELL ME')
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatchObject({ method: 'POST', path: '/a%20b/c?watch=1&x=%2F' })
  expect(seen[0]?.headers).toMatchObject({ 'x-question': 'what?', 'content-length': '7' })
  expect(seen[0]?.headers['host']).toBe(new URL(server.url).host)
  expect(seen[0]?.peer).toEqual({ address: '127.0.0.1' })
  expect(seen[0]?.signal.aborted).toBe(false)
})

onEveryHost('both bodies stream at once: each chunk is answered before the next', async (s) => {
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

onEveryHost('the headers of a stream without events arrive at once', async (s) => {
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

onEveryHost('the headers of a request arrive before its first chunk', async (s) => {
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

onEveryHost('a server stops pulling an answer that nobody reads', async (s) => {
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

onEveryHost('a client stops pulling a request body that the handler does not read', async (s) => {
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

onEveryHost('a request whose signal is aborted already is not sent', async (s) => {
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

onEveryHost('a request can be aborted before it is connected', async (s) => {
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

onEveryHost('an answer that comes after the client left is not pulled', async (s) => {
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

onEveryHost('aborting while waiting for the answer is seen by both sides', async (s) => {
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

onEveryHost('aborting while reading ends the reader, the body and the handler', async (s) => {
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

onEveryHost('aborting after the end changes nothing', async (s) => {
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

onEveryHost('thousands of requests leave no listener on their common signal', async (s) => {
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
  // An answer without a body is not read by anybody, and must not hold the signal either.
  await s.host.request({ method: 'HEAD', url, signal })
  await standsStill(s.host, server, () => getEventListeners(signal, 'abort').length)
  process.off('warning', onWarning)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  expect(warnings).toEqual([])
})

onEveryHost('a request that fails or is given up leaves no listener either', async (s) => {
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

onEveryHost('breaking out of the loop tells the server', async (s) => {
  const { state, body } = endlessBody(bytes('event\n'))
  await using server = await s.host.listen({
    handle: () => Promise.resolve({ status: 200, body }),
  })
  const response = await get(s.host, server)
  for await (const chunk of response.body) if (chunk.length > 0) break
  await state.returned.opened
})

onEveryHost('giving a body up ends a read that waits for a chunk', async (s) => {
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
  await expect(iterator.next()).rejects.toThrow(/still waiting/)
  await iterator.return()
  expect(await waiting).toEqual({ done: true, value: undefined })
  expect(await iterator.next()).toEqual({ done: true, value: undefined })
})

onEveryHost('an answer whose body throws is cut, not ended', async (s) => {
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

onEveryHost('the headers of an answer leave, even if its body throws at once', async (s) => {
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

onEveryHost('a handler that throws gives a bare 500 and a log line', async (s) => {
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

onEveryHost('a handler that answers with an impossible status gives a 500', async (s) => {
  await using server = await s.host.listen({ handle: () => Promise.resolve({ status: 100 }) })
  expect((await get(s.host, server)).status).toBe(500)
  expect(s.logged[0]).toContain('status 100')
})

onEveryHost('a request whose body throws fails with that error, seen by the server', async (s) => {
  const arrived = gate()
  const lost = gate()
  await using server = await s.host.listen({
    handle: async (request) => {
      arrived.open()
      await readText(request.body, 1000).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'NETWORK_CONNECTION_LOST' })
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
})

onEveryHost('closing without grace resets open streams and stops listening', async (s) => {
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

onEveryHost('closing with grace lets a request under way finish', async (s) => {
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

onEveryHost('nobody listening is told apart from a lost connection', async (s) => {
  const server = await s.host.listen({ handle: ok })
  await server.close()
  const request = s.host.request({ method: 'GET', url: `${server.url}/a?token=secret` })
  const error: unknown = await request.catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
  expect(String(error)).toContain(`GET ${server.url}/a failed`)
  expect(String(error)).not.toContain('secret')
})

onEveryHost('an address can be listened on once', async (s) => {
  await using server = await s.host.listen({ handle: ok })
  const second = s.host.listen({ handle: ok, port: server.port })
  await expect(second).rejects.toMatchObject({ code: 'NETWORK_ADDRESS_IN_USE' })
  await server.close({ graceMs: 0 })
  await using third = await s.host.listen({ handle: ok, port: server.port })
  expect(third.port).toBe(server.port)
})

onEveryHost('large bodies arrive whole both ways', async (s) => {
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

onEveryHost('a body over its limit is refused, and a server can still say so', async (s) => {
  const { state, body } = endlessBody(new Uint8Array(10_000))
  await using server = await s.host.listen({
    handle: async (request) => {
      if (request.method === 'GET') return { status: 200, body }
      const failure = await readBytes(request.body, 5).catch((error: unknown) => error)
      expect(String(failure)).toMatch(/larger than the 5 bytes/)
      return { status: 413, body: 'too much' }
    },
  })
  const download = await get(s.host, server)
  await expect(readText(download.body, 50_000)).rejects.toThrow(/larger than the 50000 bytes/)
  await state.returned.opened
  const url = server.url
  const response = await s.host.request({ method: 'POST', url, body: 'x'.repeat(200_000) })
  expect(response.status).toBe(413)
  expect(await readText(response.body, 100)).toBe('too much')
})

onEveryHost('a DELETE can have a body, and the next request is not confused by it', async (s) => {
  await using server = await s.host.listen({
    handle: async (request) => ({ status: 200, body: await readText(request.body, 100) }),
  })
  for (const body of ['{"a":1}', '{"b":2}']) {
    const response = await s.host.request({ method: 'DELETE', url: server.url, body })
    expect(await readText(response.body, 100)).toBe(body)
  }
})

onEveryHost(
  'answers to HEAD and 204 have no body, and a stream for them is given up',
  async (s) => {
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
  },
)

onEveryHost('a body can be read only once', async (s) => {
  await using server = await s.host.listen({ handle: ok })
  const { body } = await get(s.host, server)
  await readText(body, 100)
  await expect(readText(body, 100)).rejects.toThrow(/read twice/)
})

onEveryHost('TLS material cannot be replaced on a server without TLS', async (s) => {
  await using server = await s.host.listen({ handle: ok })
  expect(() => server.setTls({ cert: '', key: '' })).toThrow(/does not speak TLS/)
})

onEveryHost('an upload ends with the answer that does not wait for it', async (s) => {
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
    // The connection is gone, or this would wait for ever.
    await server.close({ graceMs: Infinity })
  }
})

onEveryHost('a body whose cleanup fails can be aborted, and so can everything else', async (s) => {
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

onEveryHost('after an abort nothing more is read, however much is here already', async (s) => {
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

onEveryHost('HEAD is answered, also when the body that is not sent cannot begin', async (s) => {
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

onEveryHost('closing again hastens the end, but does not put it off', async (s) => {
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
