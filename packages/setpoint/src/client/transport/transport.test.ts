import { expect, test } from 'vitest'
import { type ServerRequest, type ServerResponse, virtualHost } from '../../host/index.ts'
import type { Intercept } from '../../host/index.ts'
import { fixedCredentials, type RequestReport, Transport, type TransportOptions } from '../index.ts'

/** A server that answers as it is told, and a transport to it. */
async function served(
  answer: (request: ServerRequest, count: number) => ServerResponse | Promise<ServerResponse>,
  options: TransportOptions & { readonly intercept?: Intercept } = {},
) {
  const host = virtualHost({ seed: 1, intercept: options.intercept })
  const seen: ServerRequest[] = []
  const server = await host.listen({
    handle: async (request) => {
      seen.push(request)
      return answer(request, seen.length)
    },
  })
  let refusals = 0
  const credentials = fixedCredentials({ headers: { authorization: 'Bearer t' } })
  const connection = {
    server: server.url,
    namespace: 'default',
    name: 'test',
    credentials: { ...credentials, refused: () => void (refusals += 1) },
  }
  const transport = new Transport(host, connection, options)
  return { host, seen, transport, refusals: () => refusals }
}

const get = { method: 'GET', path: '/x', what: 'get of x' } as const
const put = { method: 'PUT', path: '/x', what: 'update of x', body: '{}' } as const
const busy = (seconds: number): ServerResponse => ({
  status: 429,
  headers: { 'retry-after': String(seconds) },
})

test('a server that asks to wait is asked again after that time', async () => {
  const it = await served((_, count) => (count < 3 ? busy(2) : { status: 200, body: 'ok' }))
  expect(await it.transport.text(put)).toBe('ok')
  expect(it.host.monotonicMs()).toBe(4000)
})

test('a wait beyond the deadline is not begun', async () => {
  const it = await served(() => busy(40))
  await expect(it.transport.text(get)).rejects.toMatchObject({ code: 'API_TOO_MANY_REQUESTS' })
  expect(it.host.monotonicMs()).toBe(0)
})

test('a server that is always busy is not asked for ever', async () => {
  const it = await served(() => busy(1))
  await expect(it.transport.text({ ...get, timeout: Infinity })).rejects.toMatchObject({
    code: 'API_TOO_MANY_REQUESTS',
  })
  expect(it.seen).toHaveLength(11)
})

test('refused credentials are replaced once', async () => {
  const it = await served((_, count) => ({ status: count === 1 ? 401 : 200, body: 'ok' }))
  expect(await it.transport.text(get)).toBe('ok')
  expect(it.refusals()).toBe(1)
  expect(it.seen[0]?.headers).toMatchObject({ authorization: 'Bearer t', 'user-agent': 'setpoint' })
  const always = await served(() => ({ status: 401 }))
  await expect(always.transport.text(get)).rejects.toMatchObject({ code: 'API_UNAUTHORIZED' })
  expect(always.seen).toHaveLength(2)
})

test('a read that takes too long is over; a write that does may have happened', async () => {
  const never = (): Promise<ServerResponse> => new Promise(() => undefined)
  const it = await served(never)
  await expect(it.transport.text({ ...get, timeout: 50 })).rejects.toMatchObject({
    code: 'DEADLINE_EXCEEDED',
    message: expect.stringContaining('get of x took longer than 50 ms') as string,
  })
  await expect(it.transport.text({ ...put, timeout: 50 })).rejects.toMatchObject({
    code: 'WRITE_OUTCOME_UNKNOWN',
    message: expect.stringContaining(
      'update of x may have happened: no answer within 50 ms',
    ) as string,
  })
})

test('a connection that breaks after a write was sent leaves its outcome open', async () => {
  const intercept: Intercept = ({ kind }) => (kind === 'response' ? 'cut' : undefined)
  const it = await served(() => ({ status: 200 }), { intercept })
  await expect(it.transport.text(put)).rejects.toMatchObject({ code: 'WRITE_OUTCOME_UNKNOWN' })
  await expect(it.transport.text(get)).rejects.toMatchObject({ code: 'NETWORK_CONNECTION_LOST' })
})

test('a write that could not be sent certainly did not happen', async () => {
  const intercept: Intercept = ({ kind }) => (kind === 'connect' ? 'cut' : undefined)
  const it = await served(() => ({ status: 200 }), { intercept })
  await expect(it.transport.text(put)).rejects.toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
})

test('the caller can give up', async () => {
  const never = (): Promise<ServerResponse> => new Promise(() => undefined)
  const it = await served(never)
  const controller = new AbortController()
  const reading = it.transport.text({ ...get, signal: controller.signal })
  it.host.setTimer(5, () => controller.abort())
  await expect(reading).rejects.toMatchObject({ code: 'ABORTED' })
})

test('a rate limit spreads requests without changing their order', async () => {
  const it = await served(() => ({ status: 200 }), {
    rateLimit: { requestsPerSecond: 10, burst: 2 },
  })
  await Promise.all(
    Array.from({ length: 6 }, async (_, index) => it.transport.text({ ...get, path: `/${index}` })),
  )
  expect(it.host.monotonicMs()).toBe(400)
  expect(it.seen.slice(2).map(({ path }) => path)).toEqual(['/2', '/3', '/4', '/5'])
})

test('calls whose turn would come too late, or that are given up, do not take the turns of others', async () => {
  const it = await served(() => ({ status: 200 }), {
    rateLimit: { requestsPerSecond: 1, burst: 1 },
  })
  const all = async (call: object) =>
    Promise.allSettled(
      Array.from({ length: 50 }, async () => it.transport.text({ ...get, ...call })),
    )
  const ends = await all({ timeout: 5_000 })
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(ends.at(-1)).toMatchObject({
    reason: {
      code: 'DEADLINE_EXCEEDED',
      message: expect.stringContaining('get of x was not sent') as string,
    },
  })
  const controller = new AbortController()
  it.host.setTimer(1_000, () => controller.abort())
  await all({ timeout: 60_000, signal: controller.signal })
  const startMs = it.host.monotonicMs()
  await it.transport.text(get)
  expect(it.host.monotonicMs() - startMs).toBeLessThanOrEqual(1_000)
})

test('an answer that is no Status is quoted', async () => {
  const it = await served(() => ({ status: 502, body: '<html>Bad gateway</html>' }))
  await expect(it.transport.text(get)).rejects.toMatchObject({
    code: 'API_UNAVAILABLE',
    message: 'get of x was refused: <html>Bad gateway</html>',
  })
})

test('every request is told of with its server, method and code, repeated and failed ones too', async () => {
  const told: RequestReport[] = []
  const onRequest = (report: RequestReport): void => void told.push(report)
  const it = await served(
    async (_, count) => {
      await it.host.sleep(100)
      return count === 1 ? busy(2) : { status: 200, body: 'ok' }
    },
    { onRequest },
  )
  await it.transport.text(put)
  const host = it.seen[0]?.headers['host']
  expect(told).toEqual([
    { method: 'PUT', host, code: 429, durationMs: 100 },
    { method: 'PUT', host, code: 200, durationMs: 100 },
  ])
  await expect(it.transport.text({ ...get, timeout: 50 })).rejects.toThrow()
  expect(told[2]).toEqual({ method: 'GET', host, code: undefined, durationMs: 50 })
})

test('the server is named as in its address, with a port that goes without saying', async () => {
  const told: RequestReport[] = []
  const connection = {
    server: 'https://10.96.0.1:443/api-proxy/',
    namespace: 'default',
    name: 'test',
    credentials: fixedCredentials({}),
  }
  const transport = new Transport(virtualHost({ seed: 1 }), connection, {
    onRequest: (report) => told.push(report),
  })
  await expect(transport.text(get)).rejects.toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
  expect(told).toMatchObject([{ host: '10.96.0.1:443', code: undefined }])
})
