import { expect, test } from 'vitest'
import type { HttpHandler, HttpRequest, ServerRequest } from '../http/http.ts'
import { readText, virtualHost } from '../index.ts'
import type { Verdict, VirtualEvent, VirtualEventKind } from './index.ts'

const encode = (text: string) => new TextEncoder().encode(text)

async function* words(...all: string[]) {
  for (const word of all) yield encode(word)
}

/** A virtual host with a server, in which the first event of one kind gets a verdict. */
async function world(kind: VirtualEventKind, verdict: Verdict, handle?: HttpHandler) {
  const calls: ServerRequest[] = []
  const bodies: Promise<string>[] = []
  let met = 0
  const host = virtualHost({
    seed: 1,
    autoAdvance: false,
    intercept: (event) => {
      if (event.kind !== kind) return undefined
      met += 1
      return met === 1 ? verdict : undefined
    },
  })
  const server = await host.listen({
    handle: async (request) => {
      calls.push(request)
      if (handle !== undefined) return handle(request)
      const body = readText(request.body, 1000)
      bodies.push(body.catch((error: { code: string }) => error.code))
      return { status: 200, body: words('one ', 'two ', await body) }
    },
  })
  const request = (options: Partial<HttpRequest> = {}) => {
    const state = { outcome: 'pending', atMs: -1 }
    host
      .request({ method: 'POST', url: server.url, body: words('a', 'b'), ...options })
      .then((response) => readText(response.body, 1000))
      .catch((error: { code: string }) => error.code)
      .then((outcome) => Object.assign(state, { outcome, atMs: host.monotonicMs() }))
      .catch(() => expect.unreachable())
    return state
  }
  return { host, calls, bodies, request }
}

test('passes every step of an exchange once, in order', async () => {
  const events: VirtualEvent[] = []
  const host = virtualHost({ seed: 4, intercept: (event) => void events.push(event) })
  const server = await host.listen({
    handle: async (request) => ({ status: 200, body: words(await readText(request.body, 10)) }),
  })
  const url = `${server.url}/x?y=1`
  const response = await host.request({ method: 'POST', url, body: words('a', 'bc') })
  expect(await readText(response.body, 10)).toBe('abc')
  expect(events.map((event) => event.kind)).toEqual([
    'connect',
    'request',
    'request-chunk',
    'request-chunk',
    'request-end',
    'response',
    'response-chunk',
    'response-end',
  ])
  expect(events.map((event) => event.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(events[3]).toMatchObject({ atMs: 0, connection: 1, method: 'POST', url })
  expect(events[3]?.bytes).toEqual(encode('bc'))
})

test('delays, drops and repeats a timer', async () => {
  const run = async (verdict: Verdict) => {
    const { host } = await world('timer', verdict)
    const ranAtMs: number[] = []
    host.setTimer(10, () => ranAtMs.push(host.monotonicMs()))
    await host.advance(100)
    return ranAtMs
  }
  expect(await run(undefined)).toEqual([10])
  expect(await run({ delay: 7 })).toEqual([17])
  expect(await run('drop')).toEqual([])
  expect(await run('repeat')).toEqual([10, 10])
})

test('cancels a repeated timer between its two runs', async () => {
  const { host } = await world('timer', 'repeat')
  let runs = 0
  const timer = host.setTimer(1, () => {
    runs += 1
    timer.cancel()
  })
  await host.advance(5)
  expect(runs).toBe(1)
})

test('delays a delivery and what is ordered behind it, and nothing else', async () => {
  const { host, request } = await world('response-chunk', { delay: 30 })
  const delayed = request()
  await host.settle()
  const other = request()
  await host.advance(29)
  expect(other).toMatchObject({ outcome: 'one two ab', atMs: 0 })
  expect(delayed).toMatchObject({ outcome: 'pending' })
  await host.advance(1)
  expect(delayed).toMatchObject({ outcome: 'one two ab', atMs: 30 })
})

test('detects a dropped connect only by the connect timeout', async () => {
  const { host, request, calls } = await world('connect', 'drop')
  const lost = request({ connectTimeoutMs: 500 })
  await host.advance(499)
  expect(lost.outcome).toBe('pending')
  await host.advance(1)
  expect(lost).toEqual({ outcome: 'NETWORK_CONNECT_FAILED', atMs: 500 })
  expect(calls).toHaveLength(0)
})

test('delivers nothing after a dropped delivery, without an error', async () => {
  for (const kind of ['response', 'response-chunk', 'response-end'] as const) {
    const { host, request, calls } = await world(kind, 'drop')
    const silent = request()
    await host.advance(1e9)
    expect(silent.outcome).toBe('pending')
    expect(calls[0]?.signal.aborted).toBe(false)
  }
  for (const kind of ['request', 'request-chunk', 'request-end'] as const) {
    const stop = new AbortController()
    const { host, request, calls, bodies } = await world(kind, 'drop')
    const silent = request({ signal: stop.signal })
    await host.advance(1e9)
    expect(silent.outcome).toBe('pending')
    stop.abort()
    await host.advance(1e9)
    expect(silent.outcome).toBe('ABORTED')
    // Not even the abort arrives: the server keeps waiting for the rest.
    expect(calls).toHaveLength(kind === 'request' ? 0 : 1)
    expect(calls[0]?.signal.aborted ?? false).toBe(false)
    expect(bodies).toHaveLength(calls.length)
    for (const body of bodies) {
      expect(await Promise.race([body, Promise.resolve('waiting')])).toBe('waiting')
    }
  }
})

test('does not notify the other side when a reset is dropped', async () => {
  const stop = new AbortController()
  const { host, request, calls } = await world('reset', 'drop', () => new Promise(() => undefined))
  const left = request({ signal: stop.signal })
  await host.settle()
  stop.abort()
  await host.advance(1e9)
  expect(left.outcome).toBe('ABORTED')
  expect(calls[0]?.signal.aborted).toBe(false)
})

test('fails the connect when cut before the request was sent', async () => {
  const { host, request, calls } = await world('connect', 'cut')
  const cut = request()
  await host.settle()
  expect(cut.outcome).toBe('NETWORK_CONNECT_FAILED')
  expect(calls).toHaveLength(0)
})

test('loses the connection on both sides when cut later', async () => {
  for (const kind of [
    'request',
    'request-chunk',
    'request-end',
    'response',
    'response-chunk',
    'response-end',
  ] as const) {
    const { host, request, calls, bodies } = await world(kind, 'cut')
    const cut = request()
    await host.settle()
    expect(cut.outcome).toBe('NETWORK_CONNECTION_LOST')
    expect(calls).toHaveLength(kind === 'request' ? 0 : 1)
    if (kind === 'request-chunk' || kind === 'request-end') {
      expect(await bodies[0]).toBe('NETWORK_CONNECTION_LOST')
      expect(calls[0]?.signal.aborted).toBe(true)
    }
  }
})

test('runs the handler twice for a repeated request, and returns one response', async () => {
  const { host, request, bodies } = await world('request', 'repeat')
  const repeated = request()
  await host.settle()
  expect(repeated.outcome).toBe('one two ab')
  expect(await Promise.all(bodies)).toEqual(['ab', 'ab'])
})

test('delivers a repeated chunk twice', async () => {
  const up = await world('request-chunk', 'repeat')
  const uploaded = up.request()
  await up.host.settle()
  expect(uploaded.outcome).toBe('one two aab')
  const down = await world('response-chunk', 'repeat')
  const downloaded = down.request()
  await down.host.settle()
  expect(downloaded.outcome).toBe('one one two ab')
})

test('counts a repeated chunk twice in the window', async () => {
  const chunk = new Uint8Array(16 * 1024)
  let pulls = 0
  const host = virtualHost({
    seed: 1,
    intercept: (event) => (event.kind === 'response-chunk' ? 'repeat' : undefined),
  })
  async function* endless() {
    for (;;) {
      pulls += 1
      yield chunk
    }
  }
  const server = await host.listen({
    handle: () => Promise.resolve({ status: 200, body: endless() }),
  })
  const { body } = await host.request({ method: 'GET', url: server.url })
  const iterator = body[Symbol.asyncIterator]()
  await host.settle()
  expect(pulls).toBe(4)
  for (let reads = 0; reads < 4; reads += 1) await iterator.next()
  await host.settle()
  expect(pulls).toBe(4)
  await iterator.next()
  await host.settle()
  expect(pulls).toBe(5)
})

test('refuses an invalid result of intercept and names the valid ones', async () => {
  const refused = async (kind: VirtualEventKind, verdict: Verdict, code: string) => {
    const { host, request } = await world(kind, verdict)
    const stop = new AbortController()
    host.setTimer(0, () => undefined)
    request({ signal: stop.signal })
    if (kind === 'reset') stop.abort()
    const settled = host.settle()
    await expect(settled).rejects.toMatchObject({ code })
  }
  const wrong: [VirtualEventKind, Verdict][] = [
    ['timer', 'cut'],
    ['timer', null as unknown as Verdict],
    ['timer', 'nope' as Verdict],
    ['connect', 'repeat'],
    ['request-end', 'repeat'],
    ['response', 'repeat'],
    ['response-end', 'repeat'],
  ]
  for (const [kind, verdict] of wrong) await refused(kind, verdict, 'HOST_MISUSED')
  const delays: Verdict[] = [
    { delay: -1 },
    { delay: NaN },
    { delay: '5' },
    { delay: Infinity },
    {} as Verdict,
  ]
  for (const verdict of delays) await refused('timer', verdict, 'DURATION_INVALID')
})

test('refuses to cut or repeat a reset', async () => {
  for (const verdict of ['cut', 'repeat'] as const) {
    const stop = new AbortController()
    const { host, request } = await world('reset', verdict, () => new Promise(() => undefined))
    request({ signal: stop.signal })
    await host.settle()
    stop.abort()
    await expect(host.settle()).rejects.toThrow(/a reset can be: delayed, drop$/)
  }
})
