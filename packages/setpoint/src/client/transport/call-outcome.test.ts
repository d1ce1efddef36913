import { expect, test } from 'vitest'
import { type ServerResponse, virtualHost } from '../../host/index.ts'
import {
  ApiError,
  fixedCredentials,
  Transport,
  type Connection,
  type TransportOptions,
} from '../index.ts'

/** A server with the given responses, and a transport to it. */
async function serve(
  answer: () => ServerResponse | Promise<ServerResponse>,
  options: TransportOptions & Partial<Connection> = {},
) {
  const host = virtualHost({ seed: 1, startTime: Date.UTC(2030, 0) })
  let asked = 0
  const server = await host.listen({
    handle: async () => {
      asked += 1
      return answer()
    },
  })
  const { credentials = fixedCredentials({}) } = options
  const connection = { server: server.url, namespace: 'default', name: 'test', credentials }
  return { host, asked: () => asked, transport: new Transport(host, connection, options) }
}

const get = { method: 'GET', path: '/x', what: 'get of x' } as const
const put = { method: 'PUT', path: '/x', what: 'update of x', body: '{}' } as const
const dry = { ...put, query: { dryRun: 'All' } } as const
const never = new Promise<never>(() => undefined)

async function* stalled(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode('half a rea')
  await never
}

test('reports an incomplete refusal at the deadline', async () => {
  const world = await serve(() => ({ status: 500, body: stalled() }))
  await expect(world.transport.stream({ ...get, timeout: 300 })).rejects.toMatchObject({
    code: 'API_UNAVAILABLE',
    message: 'get of x was refused: half a rea',
  })
  expect(world.host.monotonicMs()).toBe(300)
  await expect(world.transport.text({ ...put, timeout: 300 })).rejects.toMatchObject({
    code: 'API_UNAVAILABLE',
  })
  expect(world.host.monotonicMs()).toBe(600)
})

test('stops reading an endless refusal', async () => {
  const world = await serve(() => ({
    status: 403,
    body: (async function* () {
      for (;;) yield new Uint8Array(100_000)
    })(),
  }))
  await expect(world.transport.stream(get)).rejects.toMatchObject({
    code: 'API_FORBIDDEN',
    message: expect.stringContaining('HTTP status 403') as string,
  })
})

test('reports an unknown outcome when a server or gateway timed out during a write', async () => {
  const timeout = { kind: 'Status', reason: 'Timeout', message: 'not in time' }
  const answers = [
    { status: 504, body: JSON.stringify(timeout) },
    { status: 502, body: 'not in time' },
    // A server that asks for a retry does not know whether the write happened.
    { status: 504, body: 'not in time', headers: { 'retry-after': '1' } },
    { status: 500, body: JSON.stringify(timeout) },
  ]
  for (const answer of answers) {
    const world = await serve(() => answer)
    await expect(world.transport.text(put)).rejects.toMatchObject({
      code: 'WRITE_OUTCOME_UNKNOWN',
      message: expect.stringContaining('update of x may have happened: not in time') as string,
      cause: expect.objectContaining({ code: 'API_UNAVAILABLE' }) as Error,
    })
    expect(world.asked()).toBe(1)
    await expect(world.transport.text(get)).rejects.toMatchObject({ code: 'API_UNAVAILABLE' })
    await expect(world.transport.text(dry)).rejects.toMatchObject({ code: 'API_UNAVAILABLE' })
  }
})

test('does not report an unknown outcome for a lost dry run', async () => {
  const world = await serve(() => never)
  await expect(world.transport.text({ ...dry, timeout: 5 })).rejects.toMatchObject({
    code: 'DEADLINE_EXCEEDED',
  })
})

test('ends a call without credentials at its deadline or when it is aborted', async () => {
  const credentials = { current: () => never, refused: () => undefined }
  const world = await serve(() => ({ status: 200 }), { credentials })
  await expect(world.transport.text({ ...put, timeout: 50 })).rejects.toMatchObject({
    code: 'DEADLINE_EXCEEDED',
    message: expect.stringContaining('update of x took longer than 50 ms') as string,
  })
  const controller = new AbortController()
  const writing = world.transport.text({ ...put, signal: controller.signal })
  world.host.setTimer(5, () => controller.abort())
  await expect(writing).rejects.toMatchObject({
    code: 'ABORTED',
    message: 'update of x was aborted',
  })
  expect(world.host.monotonicMs()).toBe(55)
})

test('reports a write that was aborted before it was sent as not sent', async () => {
  const busy = { status: 429, headers: { 'retry-after': '5' } }
  const world = await serve(() => busy, { rateLimit: { requestsPerSecond: 1, burst: 1 } })
  const after = (ms: number): AbortSignal => {
    const controller = new AbortController()
    world.host.setTimer(ms, () => controller.abort())
    return controller.signal
  }
  const aborted = { code: 'ABORTED', message: 'update of x was aborted' }
  const signal = AbortSignal.abort()
  await expect(world.transport.text({ ...put, signal })).rejects.toMatchObject(aborted)
  await expect(world.transport.text({ ...put, timeout: 0 })).rejects.toMatchObject({
    code: 'DEADLINE_EXCEEDED',
  })
  expect(world.asked()).toBe(0)
  // During the delay that the server asked for, and during the delay of the rate limit.
  const both = [after(500), after(600)].map((given) =>
    world.transport.text({ ...put, signal: given }),
  )
  expect(await Promise.allSettled(both)).toMatchObject([{ reason: aborted }, { reason: aborted }])
  expect(world.asked()).toBe(1)
})

test('waits until the date in Retry-After', async () => {
  const date = new Date(Date.UTC(2030, 0, 1, 0, 0, 7)).toUTCString()
  const busy = { status: 503, headers: { 'retry-after': date } }
  const world = await serve(() => (world.asked() === 1 ? busy : { status: 200, body: 'ok' }))
  expect(await world.transport.text(get)).toBe('ok')
  expect(world.host.monotonicMs()).toBe(7000)
})

test('reports the target of a redirect without its query', async () => {
  const headers = { location: 'https://login.example.com/in?state=secret' }
  const world = await serve(() => ({ status: 302, headers }))
  await expect(world.transport.text(get)).rejects.toThrow(
    /^get of x was refused: HTTP status 302 redirects to https:\/\/login\.example\.com\/in$/,
  )
})

test('suggests a role only when a role would help', () => {
  const refusal = (message: string): string | undefined =>
    new ApiError('create of Pod a', { code: 403, reason: 'Forbidden', message }).hint
  expect(refusal('pods is forbidden: User "x" cannot create resource "pods"')).toContain('a role')
  expect(refusal('pods "a" is forbidden: exceeded quota: few')).toBeUndefined()
  expect(refusal('admission webhook "w" denied the request: no')).toBeUndefined()
})
