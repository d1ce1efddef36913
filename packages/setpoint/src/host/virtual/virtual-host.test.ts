import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ServerRequest } from '../http/http.ts'
import { readText, seededRandom, virtualHost } from '../index.ts'
import type { VirtualHost } from '../index.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** Streams numbered events with random pauses. */
async function* events(host: VirtualHost, request: ServerRequest) {
  try {
    for (let number = 0; number < 6 && !request.signal.aborted; number += 1) {
      yield encode(`${request.path} ${number}\n`)
      if (host.random() < 0.5) await host.sleep(Math.floor(host.random() * 4))
    }
    if (request.path === '/3') throw new Error('broken on purpose')
  } finally {
    host.log(`${request.path} done`)
  }
}

/** A mix of everything: timers, streams in both directions, aborts, resets, files and signals. */
async function busyWorld(seed: number): Promise<string> {
  const host = virtualHost({ seed, rechunk: seed % 2 === 1 })
  const server = await host.listen({
    handle: async (request) => {
      if (request.method === 'POST') {
        return { status: 200, body: await readText(request.body, 10_000) }
      }
      return { status: 200, body: events(host, request) }
    },
  })
  const note = (what: string) => host.log(`${host.monotonicMs()} ${what}`)
  const watch = async (index: number) => {
    const signal = index % 4 === 0 ? AbortSignal.abort() : undefined
    const stop = new AbortController()
    host.setTimer(index, () => index % 3 === 0 && stop.abort())
    const url = `${server.url}/${index}`
    const response = await host.request({ method: 'GET', url, signal: signal ?? stop.signal })
    for await (const chunk of response.body) note(`${index} read ${chunk.length}`)
  }
  const upload = async (index: number) => {
    async function* body() {
      for (const word of ['one ', 'two ', 'three']) {
        yield encode(word)
        await host.sleep(index % 3)
      }
    }
    const response = await host.request({ method: 'POST', url: server.url, body: body() })
    note(`${index} heard ${await readText(response.body, 10_000)}`)
  }
  host.onSignal('SIGTERM', () => note(`terminated ${host.uuid()}`))
  host.setTimer(3, () => host.raise('SIGTERM'))
  const outcomes = await Promise.allSettled([
    ...[0, 1, 2, 3, 4, 5, 6].map(watch),
    ...[7, 8, 9].map(upload),
    host.writeFile('/token', 'a'),
    host.readFile('/token'),
  ])
  await server.close({ graceMs: 5 })
  const failures = outcomes.map((outcome) =>
    outcome.status === 'rejected' ? (outcome.reason as { code: string }).code : 'fine',
  )
  return [...host.trace, ...host.logged, ...failures].join('\n')
}

test('runs identically for the same seed, even next to another virtual host', async () => {
  const runs = new Set<string>()
  for (let seed = 0; seed < 200; seed += 1) {
    const [one, other] = await Promise.all([busyWorld(seed), busyWorld(seed)])
    expect(one).toBe(other)
    runs.add(one)
  }
  expect(runs.size).toBe(200)
})

test('explores different orders with different seeds', async () => {
  const orders = new Set<string>()
  for (let seed = 0; seed < 200; seed += 1) {
    const host = virtualHost({ seed })
    const order: number[] = []
    for (const number of [1, 2, 3, 4, 5]) host.setTimer(10, () => order.push(number))
    await host.sleep(11)
    orders.add(order.join())
  }
  // 200 random choices among the 120 orders of five items hit about 97 of them.
  expect(orders.size).toBeGreaterThan(80)
})

test('finds both outcomes of a race between two requests', async () => {
  const winners = new Set<string>()
  for (let seed = 0; seed < 20; seed += 1) {
    const host = virtualHost({ seed })
    const arrived: string[] = []
    const server = await host.listen({
      handle: (request) => Promise.resolve({ status: arrived.push(request.path) > 0 ? 200 : 500 }),
    })
    const ask = (path: string) => host.request({ method: 'PUT', url: server.url + path })
    await Promise.all([ask('/a'), ask('/b')])
    winners.add(arrived.join())
  }
  expect(winners).toEqual(new Set(['/a,/b', '/b,/a']))
})

test('does not change the order of events when random numbers are used', async () => {
  const run = async (draws: number) => {
    const host = virtualHost({ seed: 5 })
    for (let timer = 0; timer < 20; timer += 1) {
      host.setTimer(timer % 3, () => void host.randomBytes(draws))
    }
    await host.sleep(5)
    return host.trace.join('\n')
  }
  expect(await run(0)).toBe(await run(100))
})

test('handles an idle hour as one event', async () => {
  const host = virtualHost({ seed: 1, startTime: 0 })
  await host.sleep(3_600_000)
  expect(host.now()).toBe(3_600_000)
  expect(host.trace).toEqual(['t=3600000 timer 1 after 3600000 ms'])
})

test('fires timers exactly when they are due, in order, unless cancelled', async () => {
  interface Script {
    readonly delayMs: number
    readonly cancelled: boolean
    readonly then: readonly Script[]
  }
  const { script } = fc.letrec<{ script: Script }>((tie) => ({
    script: fc.record({
      delayMs: fc.nat(20),
      cancelled: fc.boolean(),
      then: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('script'), { maxLength: 3 })),
    }),
  }))
  const scripts = fc.array(script, { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.integer(), scripts, async (seed, roots) => {
      const host = virtualHost({ seed, startTime: 0, autoAdvance: false })
      const expected: number[] = []
      const observed: [atMs: number, dueMs: number][] = []
      const start = (entry: Script) => {
        const dueMs = host.now() + entry.delayMs
        const timer = host.setTimer(entry.delayMs, () => {
          observed.push([host.now(), dueMs])
          entry.then.forEach(start)
        })
        if (entry.cancelled) timer.cancel()
        else expected.push(dueMs)
      }
      roots.forEach(start)
      await host.advance(10_000)
      expect(observed).toEqual(expected.sort((a, b) => a - b).map((dueMs) => [dueMs, dueMs]))
    }),
    { numRuns: 200 },
  )
})

test('does not advance time while anything can happen', async () => {
  const host = virtualHost({ seed: 9 })
  const server = await host.listen({
    handle: (request) => Promise.resolve({ status: 200, body: request.body }),
  })
  async function* manyChunks() {
    for (let count = 0; count < 500; count += 1) {
      for (let step = 0; step < 50; step += 1) await Promise.resolve()
      yield encode('x'.repeat(500))
    }
  }
  let timerRan = false
  host.setTimer(1, () => {
    timerRan = true
  })
  const { body } = await host.request({ method: 'POST', url: server.url, body: manyChunks() })
  await host.writeFile('/file', await readText(body, 500 * 500))
  expect(timerRan).toBe(false)
  expect(host.monotonicMs()).toBe(0)
  await host.sleep(1)
  expect(timerRan).toBe(true)
})

test('runs due events in settle() and later events in advance() with a stopped clock', async () => {
  const host = virtualHost({ seed: 1, startTime: 1000, autoAdvance: false })
  const ran: string[] = []
  host.setTimer(0, () => ran.push('now'))
  host.setTimer(5, () => {
    ran.push('at 5')
    host.setTimer(5, () => ran.push('at 10'))
  })
  host.setTimer(11, () => ran.push('at 11'))
  await host.settle()
  expect([host.now(), ...ran]).toEqual([1000, 'now'])
  await host.advance(10)
  expect([host.now(), ...ran]).toEqual([1010, 'now', 'at 5', 'at 10'])
  await host.advance(0)
  await host.advance(500)
  expect([host.now(), ran.at(-1)]).toEqual([1510, 'at 11'])
})

test('waits in settle() for whole exchanges, even while the clock runs', async () => {
  const host = virtualHost({ seed: 1 })
  const server = await host.listen({ handle: () => Promise.resolve({ status: 200, body: 'hi' }) })
  let heard = ''
  const conversation = (async () => {
    await host.sleep(1)
    const response = await host.request({ method: 'GET', url: server.url })
    heard = await readText(response.body, 10)
  })()
  await host.settle()
  expect([heard, host.monotonicMs()]).toEqual(['', 0])
  await conversation
  expect([heard, host.monotonicMs()]).toEqual(['hi', 1])
})

test('requires a stopped clock and one caller for advance()', async () => {
  await expect(virtualHost({ seed: 1 }).advance(1)).rejects.toThrow(/advances by itself/)
  const host = virtualHost({ seed: 1, autoAdvance: false })
  const first = host.advance(1)
  await expect(host.advance(1)).rejects.toThrow(/is advancing/)
  await first
})

test('requires a finite time for advance(), and continues after an error', async () => {
  const host = virtualHost({ seed: 1, autoAdvance: false })
  for (const ms of [Infinity, NaN, undefined] as number[]) {
    await expect(host.advance(ms)).rejects.toMatchObject({ code: 'HOST_MISUSED' })
  }
  await host.advance(5)
  expect(host.monotonicMs()).toBe(5)
})

test('discards an upload for a moment after the response, then closes the connection', async () => {
  const host = virtualHost({ seed: 1, autoAdvance: false })
  let hasEnded = false
  async function* endless() {
    try {
      for (;;) {
        yield encode('x')
        await host.sleep(100)
      }
    } finally {
      hasEnded = true
    }
  }
  const server = await host.listen({ handle: () => Promise.resolve({ status: 413, body: 'no' }) })
  let heard: Promise<string> | undefined
  void host.request({ method: 'POST', url: server.url, body: endless() }).then(async ({ body }) => {
    await host.sleep(60_000)
    heard = readText(body, 10)
  })
  await host.advance(1999)
  expect(hasEnded).toBe(false)
  const closed = server.close({ graceMs: Infinity })
  await host.advance(200)
  expect(hasEnded).toBe(true)
  await closed
  // The response arrived before.
  await host.advance(60_000)
  expect(await heard).toBe('no')
})

test('closes the connection to a server that waits for more after a complete response', async () => {
  const host = virtualHost({ seed: 1 })
  async function* endless() {
    for (;;) yield new Uint8Array(1000)
  }
  const server = await host.listen({ handle: () => Promise.resolve({ status: 413 }) })
  const { body } = await host.request({ method: 'POST', url: server.url, body: endless() })
  expect(await readText(body, 10)).toBe('')
  await server.close({ graceMs: Infinity })
  expect(host.monotonicMs()).toBe(0)
})

test('reuses free ports', async () => {
  const host = virtualHost({ seed: 1, trace: () => undefined })
  const handle = () => Promise.resolve({ status: 200 })
  const kept = await host.listen({ handle })
  const first = await host.listen({ handle })
  await first.close()
  let last = first.port
  while (last !== 65_535) {
    await using server = await host.listen({ handle })
    last = server.port
  }
  expect((await host.listen({ handle })).port).toBe(first.port)
  expect(kept.port).toBe(first.port - 1)
})

test('reports an error in a timer to settle() or advance(), and continues', async () => {
  const host = virtualHost({ seed: 1, autoAdvance: false })
  let ran = false
  host.setTimer(1, () => {
    throw new Error('bad timer')
  })
  host.setTimer(2, () => {
    ran = true
  })
  await expect(host.advance(5)).rejects.toThrow('bad timer')
  await host.advance(5)
  expect(ran).toBe(true)
})

test('does nothing after stop, and resolves its waiters', async () => {
  const host = virtualHost({ seed: 1, autoAdvance: false })
  let fired = 0
  host.setTimer(1, () => (fired += 1))
  const advancing = host.advance(10)
  host.stop()
  await advancing
  host.setTimer(0, () => (fired += 1))
  host.setTimer(5, () => (fired += 1))
  await host.settle()
  await host.advance(100)
  expect(fired).toBe(0)
  expect(host.trace).toEqual([])
})

test('keeps chunk boundaries unless rechunk is set', async () => {
  const read = async (seed: number, rechunk: boolean) => {
    const host = virtualHost({ seed, rechunk })
    async function* body() {
      for (const word of ['aaaa', 'bb', 'cccccc']) yield encode(word)
    }
    const server = await host.listen({
      handle: () => Promise.resolve({ status: 200, body: body() }),
    })
    const chunks: string[] = []
    const response = await host.request({ method: 'GET', url: server.url })
    for await (const chunk of response.body) chunks.push(new TextDecoder().decode(chunk))
    return chunks
  }
  const shapes = new Set<string>()
  for (let seed = 0; seed < 50; seed += 1) {
    expect(await read(seed, false)).toEqual(['aaaa', 'bb', 'cccccc'])
    const chunks = await read(seed, true)
    expect(chunks.join('')).toBe('aaaabbcccccc')
    shapes.add(chunks.join())
  }
  expect(shapes.size).toBeGreaterThan(20)
})

test("sends a copy of the writer's buffer", async () => {
  const host = virtualHost({ seed: 1 })
  async function* body() {
    const buffer = new Uint8Array(1)
    for (const byte of [65, 66, 67]) {
      buffer[0] = byte
      yield buffer
    }
  }
  const server = await host.listen({ handle: () => Promise.resolve({ status: 200, body: body() }) })
  const response = await host.request({ method: 'GET', url: server.url })
  expect(await readText(response.body, 10)).toBe('ABC')
})

test('pulls a writer at most one window ahead of its reader', async () => {
  const host = virtualHost({ seed: 1 })
  let pulls = 0
  async function* body() {
    for (;;) {
      pulls += 1
      yield new Uint8Array(16 * 1024)
    }
  }
  const server = await host.listen({ handle: () => Promise.resolve({ status: 200, body: body() }) })
  const { body: answer } = await host.request({ method: 'GET', url: server.url })
  await host.settle()
  expect(pulls).toBe(4)
  const iterator = answer[Symbol.asyncIterator]()
  await iterator.next()
  await host.settle()
  expect(pulls).toBe(5)
})

test('reaches servers by name, and assigns free ports in order', async () => {
  const host = virtualHost({ seed: 1 })
  const handle = (request: ServerRequest) =>
    Promise.resolve({ status: 200, body: request.headers['host'] ?? '' })
  const ports = []
  for (let count = 0; count < 3; count += 1) ports.push((await host.listen({ handle })).port)
  expect(ports).toEqual([49152, 49153, 49154])
  await host.listen({ handle, hostname: 'api.example', port: 443, tls: { cert: '', key: '' } })
  const response = await host.request({ method: 'GET', url: 'https://api.example/x' })
  expect(await readText(response.body, 100)).toBe('api.example')
  const elsewhere = host.request({ method: 'GET', url: 'https://other.example/x' })
  await expect(elsewhere).rejects.toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
})

test('passes the trace to a function, or keeps a limited number of lines', async () => {
  const lines: string[] = []
  const elsewhere = virtualHost({ seed: 1, trace: (line) => lines.push(line) })
  await elsewhere.sleep(1)
  expect(lines).toEqual(['t=1 timer 1 after 1 ms'])
  expect(elsewhere.trace).toEqual([])
  const host = virtualHost({ seed: 1 })
  for (let count = 0; count < 150_000; count += 1) host.log(String(count))
  expect(host.logged.length).toBeLessThanOrEqual(100_000)
  expect(host.logged.at(-1)).toBe('149999')
})

test('orders concurrent file operations by the seed', async () => {
  const winners = new Set<string>()
  for (let seed = 0; seed < 20; seed += 1) {
    const host = virtualHost({ seed, files: { '/etc/token': 'old' } })
    const [, data] = await Promise.all([
      host.writeFile('/etc/token', 'new'),
      host.readFile('/etc/token'),
    ])
    winners.add(new TextDecoder().decode(data))
  }
  expect(winners).toEqual(new Set(['old', 'new']))
})

test('separates the randomness of different seeds', () => {
  expect(virtualHost({ seed: 1 }).uuid()).toBe(virtualHost({ seed: '1' }).uuid())
  expect(virtualHost({ seed: 1 }).uuid()).not.toBe(virtualHost({ seed: 2 }).uuid())
  expect(virtualHost({ seed: 1 }).uuid()).not.toBe(seededRandom(1).uuid())
})
