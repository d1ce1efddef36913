import { expect, test } from 'vitest'
import { type ServerResponse, virtualHost } from '../../host/index.ts'
import {
  ApiError,
  fixedCredentials,
  Transport,
  type Connection,
  type TransportOptions,
} from '../index.ts'

/** A server that answers as it is told, and a transport to it. */
async function served(
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

test('a refusal that is not finished is told at the deadline', async () => {
  const it = await served(() => ({ status: 500, body: stalled() }))
  await expect(it.transport.stream({ ...get, timeout: 300 })).rejects.toMatchObject({
    code: 'API_UNAVAILABLE',
    message: 'get of x was refused: half a rea',
  })
  expect(it.host.monotonicMs()).toBe(300)
  await expect(it.transport.text({ ...put, timeout: 300 })).rejects.toMatchObject({
    code: 'API_UNAVAILABLE',
  })
  expect(it.host.monotonicMs()).toBe(600)
})

test('an endless refusal is not read to its end', async () => {
  const it = await served(() => ({
    status: 403,
    body: (async function* () {
      for (;;) yield new Uint8Array(100_000)
    })(),
  }))
  await expect(it.transport.stream(get)).rejects.toMatchObject({
    code: 'API_FORBIDDEN',
    message: expect.stringContaining('HTTP status 403') as string,
  })
})

test('a write that a server or gateway gave up waiting for may have happened', async () => {
  const timeout = { kind: 'Status', reason: 'Timeout', message: 'not in time' }
  const answers = [
    { status: 504, body: JSON.stringify(timeout) },
    { status: 502, body: 'not in time' },
    // Who asks to come again does not know whether it happened.
    { status: 504, body: 'not in time', headers: { 'retry-after': '1' } },
    { status: 500, body: JSON.stringify(timeout) },
  ]
  for (const answer of answers) {
    const it = await served(() => answer)
    await expect(it.transport.text(put)).rejects.toMatchObject({
      code: 'WRITE_OUTCOME_UNKNOWN',
      message: expect.stringContaining('update of x may have happened: not in time') as string,
      cause: expect.objectContaining({ code: 'API_UNAVAILABLE' }) as Error,
    })
    expect(it.asked()).toBe(1)
    await expect(it.transport.text(get)).rejects.toMatchObject({ code: 'API_UNAVAILABLE' })
    await expect(it.transport.text(dry)).rejects.toMatchObject({ code: 'API_UNAVAILABLE' })
  }
})

test('a dry run that is lost is no write whose outcome is unknown', async () => {
  const it = await served(() => never)
  await expect(it.transport.text({ ...dry, timeout: 5 })).rejects.toMatchObject({
    code: 'DEADLINE_EXCEEDED',
  })
})

test('credentials that do not come end a call at its deadline, or when it is given up', async () => {
  const credentials = { current: () => never, refused: () => undefined }
  const it = await served(() => ({ status: 200 }), { credentials })
  await expect(it.transport.text({ ...put, timeout: 50 })).rejects.toMatchObject({
    code: 'DEADLINE_EXCEEDED',
    message: expect.stringContaining('update of x took longer than 50 ms') as string,
  })
  const controller = new AbortController()
  const writing = it.transport.text({ ...put, signal: controller.signal })
  it.host.setTimer(5, () => controller.abort())
  await expect(writing).rejects.toMatchObject({
    code: 'ABORTED',
    message: 'update of x was aborted',
  })
  expect(it.host.monotonicMs()).toBe(55)
})

test('a write that was given up before it was sent certainly did not happen', async () => {
  const busy = { status: 429, headers: { 'retry-after': '5' } }
  const it = await served(() => busy, { rateLimit: { requestsPerSecond: 1, burst: 1 } })
  const after = (ms: number): AbortSignal => {
    const controller = new AbortController()
    it.host.setTimer(ms, () => controller.abort())
    return controller.signal
  }
  const aborted = { code: 'ABORTED', message: 'update of x was aborted' }
  const signal = AbortSignal.abort()
  await expect(it.transport.text({ ...put, signal })).rejects.toMatchObject(aborted)
  await expect(it.transport.text({ ...put, timeout: 0 })).rejects.toMatchObject({
    code: 'DEADLINE_EXCEEDED',
  })
  expect(it.asked()).toBe(0)
  // In the wait that the server asked for, and before its turn has come.
  const both = [after(500), after(600)].map((given) => it.transport.text({ ...put, signal: given }))
  expect(await Promise.allSettled(both)).toMatchObject([{ reason: aborted }, { reason: aborted }])
  expect(it.asked()).toBe(1)
})

test('a server can ask to wait until a date', async () => {
  const date = new Date(Date.UTC(2030, 0, 1, 0, 0, 7)).toUTCString()
  const busy = { status: 503, headers: { 'retry-after': date } }
  const it = await served(() => (it.asked() === 1 ? busy : { status: 200, body: 'ok' }))
  expect(await it.transport.text(get)).toBe('ok')
  expect(it.host.monotonicMs()).toBe(7000)
})

test('an answer that leads elsewhere is told with the place, without its query', async () => {
  const headers = { location: 'https://login.example.com/in?state=secret' }
  const it = await served(() => ({ status: 302, headers }))
  await expect(it.transport.text(get)).rejects.toThrow(
    /^get of x was refused: HTTP status 302 leads to https:\/\/login\.example\.com\/in$/,
  )
})

test('a role is advised only where one would help', () => {
  const refusal = (message: string): string | undefined =>
    new ApiError('create of Pod a', { code: 403, reason: 'Forbidden', message }).hint
  expect(refusal('pods is forbidden: User "x" cannot create resource "pods"')).toContain('a role')
  expect(refusal('pods "a" is forbidden: exceeded quota: few')).toBeUndefined()
  expect(refusal('admission webhook "w" denied the request: no')).toBeUndefined()
})
