import { expect, test } from 'vitest'
import { type ServerRequest, type ServerResponse, virtualHost } from '../../host/index.ts'
import type { Intercept } from '../../host/index.ts'
import { SetpointError } from '../../errors/index.ts'
import { fixedCredentials, type RequestReport, Transport, type TransportOptions } from '../index.ts'

/** A server with the given responses, and a transport to it. */
async function serve(
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

test('retries after the delay that the server asks for', async () => {
  const world = await serve((_, count) => (count < 3 ? busy(2) : { status: 200, body: 'ok' }))
  expect(await world.transport.text(put)).toBe('ok')
  expect(world.host.monotonicMs()).toBe(4000)
})

test('does not wait beyond the deadline', async () => {
  const world = await serve(() => busy(40))
  await expect(world.transport.text(get)).rejects.toMatchObject({ code: 'API_TOO_MANY_REQUESTS' })
  expect(world.host.monotonicMs()).toBe(0)
})

test('stops retrying a server that is always busy', async () => {
  const world = await serve(() => busy(1))
  await expect(world.transport.text({ ...get, timeout: Infinity })).rejects.toMatchObject({
    code: 'API_TOO_MANY_REQUESTS',
  })
  expect(world.seen).toHaveLength(11)
})

test('replaces refused credentials once', async () => {
  const world = await serve((_, count) => ({ status: count === 1 ? 401 : 200, body: 'ok' }))
  expect(await world.transport.text(get)).toBe('ok')
  expect(world.refusals()).toBe(1)
  expect(world.seen[0]?.headers).toMatchObject({
    authorization: 'Bearer t',
    'user-agent': 'setpoint',
  })
  const always = await serve(() => ({ status: 401 }))
  await expect(always.transport.text(get)).rejects.toMatchObject({ code: 'API_UNAUTHORIZED' })
  expect(always.seen).toHaveLength(2)
})

test('ends a slow read with an error, and a slow write with an unknown outcome', async () => {
  const never = (): Promise<ServerResponse> => new Promise(() => undefined)
  const world = await serve(never)
  await expect(world.transport.text({ ...get, timeout: 50 })).rejects.toMatchObject({
    code: 'DEADLINE_EXCEEDED',
    message: expect.stringContaining('get of x took longer than 50 ms') as string,
  })
  await expect(world.transport.text({ ...put, timeout: 50 })).rejects.toMatchObject({
    code: 'WRITE_OUTCOME_UNKNOWN',
    message: expect.stringContaining(
      'update of x may have happened: no response within 50 ms',
    ) as string,
  })
})

test('reports an unknown outcome when the connection breaks after a write was sent', async () => {
  const intercept: Intercept = ({ kind }) => (kind === 'response' ? 'cut' : undefined)
  const world = await serve(() => ({ status: 200 }), { intercept })
  await expect(world.transport.text(put)).rejects.toMatchObject({ code: 'WRITE_OUTCOME_UNKNOWN' })
  await expect(world.transport.text(get)).rejects.toMatchObject({ code: 'NETWORK_CONNECTION_LOST' })
})

test('reports a write that could not be sent as not sent', async () => {
  const intercept: Intercept = ({ kind }) => (kind === 'connect' ? 'cut' : undefined)
  const world = await serve(() => ({ status: 200 }), { intercept })
  await expect(world.transport.text(put)).rejects.toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
})

test('ends a call that is aborted', async () => {
  const never = (): Promise<ServerResponse> => new Promise(() => undefined)
  const world = await serve(never)
  const controller = new AbortController()
  const reading = world.transport.text({ ...get, signal: controller.signal })
  world.host.setTimer(5, () => controller.abort())
  await expect(reading).rejects.toMatchObject({ code: 'ABORTED' })
})

test('spreads requests by the rate limit without changing their order', async () => {
  const world = await serve(() => ({ status: 200 }), {
    rateLimit: { requestsPerSecond: 10, burst: 2 },
  })
  await Promise.all(
    Array.from({ length: 6 }, async (_, index) =>
      world.transport.text({ ...get, path: `/${index}` }),
    ),
  )
  expect(world.host.monotonicMs()).toBe(400)
  expect(world.seen.slice(2).map(({ path }) => path)).toEqual(['/2', '/3', '/4', '/5'])
})

test('takes no token for calls that would be too late or are aborted', async () => {
  const world = await serve(() => ({ status: 200 }), {
    rateLimit: { requestsPerSecond: 1, burst: 1 },
  })
  const all = async (call: object) =>
    Promise.allSettled(
      Array.from({ length: 50 }, async () => world.transport.text({ ...get, ...call })),
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
  world.host.setTimer(1_000, () => controller.abort())
  await all({ timeout: 60_000, signal: controller.signal })
  const startMs = world.host.monotonicMs()
  await world.transport.text(get)
  expect(world.host.monotonicMs() - startMs).toBeLessThanOrEqual(1_000)
})

test('quotes a response that is not a Status', async () => {
  const world = await serve(() => ({ status: 502, body: '<html>Bad gateway</html>' }))
  await expect(world.transport.text(get)).rejects.toMatchObject({
    code: 'API_UNAVAILABLE',
    message: 'get of x was refused: <html>Bad gateway</html>',
  })
})

test('reports every request with server, method and code, including retries and failures', async () => {
  const reports: RequestReport[] = []
  const onRequest = (report: RequestReport): void => void reports.push(report)
  const world = await serve(
    async (_, count) => {
      await world.host.sleep(100)
      return count === 1 ? busy(2) : { status: 200, body: 'ok' }
    },
    { onRequest },
  )
  await world.transport.text(put)
  const host = world.seen[0]?.headers['host']
  expect(reports).toEqual([
    { method: 'PUT', host, code: 429, durationMs: 100 },
    { method: 'PUT', host, code: 200, durationMs: 100 },
  ])
  await expect(world.transport.text({ ...get, timeout: 50 })).rejects.toThrow()
  expect(reports[2]).toEqual({ method: 'GET', host, code: undefined, durationMs: 50 })
})

test('names the server as in its address, including a default port', async () => {
  const reports: RequestReport[] = []
  const connection = {
    server: 'https://10.96.0.1:443/api-proxy/',
    namespace: 'default',
    name: 'test',
    credentials: fixedCredentials({}),
  }
  const transport = new Transport(virtualHost({ seed: 1 }), connection, {
    onRequest: (report) => reports.push(report),
  })
  await expect(transport.text(get)).rejects.toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
  expect(reports).toMatchObject([{ host: '10.96.0.1:443', code: undefined }])
})

test('checks the fence again when the connection is ready, and then sends nothing', async () => {
  let isLeader = true
  const intercept: Intercept = ({ kind }) => (kind === 'connect' ? { delay: 9_000 } : undefined)
  const world = await serve(() => ({ status: 200, body: '{"kind":"X"}' }), { intercept })
  const fenced = world.transport.fenced((what) => {
    if (!isLeader) throw new SetpointError('ABORTED', `${what} was not sent`)
  })
  const write = fenced.text(put)
  await world.host.sleep(4_000)
  isLeader = false
  await expect(write).rejects.toMatchObject({
    code: 'ABORTED',
    message: 'update of x was not sent',
  })
  await world.host.sleep(20_000)
  expect(world.seen).toEqual([])
  expect(await fenced.text(get)).toBe('{"kind":"X"}')
})
